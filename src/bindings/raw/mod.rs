//! The bare Node-API, for the calls that are made once a batch.
//!
//! Rules that the callers of this module keep:
//!
//! 1. A native function never runs JavaScript. So nothing can call into an instance while one of
//!    its functions runs, and a buffer that was borrowed from JavaScript stays where it is.
//! 2. No panic leaves a function: it becomes a JavaScript error, and its instance is never used
//!    again, since what it held may be half done.
//! 3. Values live for the call only. Nothing keeps a pointer into JavaScript's memory, but for the
//!    one array of [`SharedIntegers`], which is held.
//! 4. An instance is an *external* value that JavaScript passes as the first argument: to unwrap
//!    an object costs as much as the rest of a short call. Node-API can't tell one external from
//!    another, so `js/` keeps them in private fields and hands them to these functions only.

mod define;
mod instance;
mod read;
mod throw;
mod write;

use std::ptr;

use napi::sys;

use self::define::SharedIntegers;
pub use self::define::define_functions;
pub(super) use self::instance::callback;
pub use self::instance::{Footprint, account, construct, dispatch};
pub use self::read::StringScratch;
use crate::journal::JournalError;

/// A function over an instance of `T`.
pub type Method<T> = fn(&mut T, &Call) -> Result<Value, Failure>;
/// A JavaScript value, valid during the present call. Null stands for `undefined`.
pub type Value = sys::napi_value;

/// What Node-API calls.
pub type Callback = unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> Value;

/// Why a method throws.
pub enum Failure {
    /// A fault in the input.
    Journal(JournalError),
    /// A wrong argument: only faulty glue code can make one.
    Argument(&'static str),
    /// Node-API refused; it may have thrown already.
    Node(&'static str),
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// The most arguments that a function takes.
const MOST_ARGUMENTS: usize = 6;

/// A call from JavaScript.
pub struct Call {
    env: sys::napi_env,
    arguments: [Value; MOST_ARGUMENTS],
    shared: *mut SharedIntegers,
}

impl Call {
    /// The environment of the call.
    pub fn env(&self) -> sys::napi_env {
        self.env
    }

    /// Reads what a callback was called with.
    fn read(env: sys::napi_env, info: sys::napi_callback_info) -> Result<Self, Failure> {
        let mut call = Call {
            env,
            arguments: [ptr::null_mut(); MOST_ARGUMENTS],
            shared: ptr::null_mut(),
        };
        let mut count = MOST_ARGUMENTS;
        // SAFETY: at most `count` arguments are written; those not given become `undefined`.
        let status = unsafe {
            sys::napi_get_cb_info(
                env,
                info,
                &raw mut count,
                call.arguments.as_mut_ptr(),
                ptr::null_mut(),
                (&raw mut call.shared).cast(),
            )
        };
        expect_node(status, call, "the call could not be read")
    }

    fn argument(&self, at: usize) -> Value {
        self.arguments.get(at).copied().unwrap_or(ptr::null_mut())
    }
}

fn expect_ok<T>(status: sys::napi_status, value: T, message: &'static str) -> Result<T, Failure> {
    match status {
        sys::Status::napi_ok => Ok(value),
        _ => Err(Failure::Argument(message)),
    }
}

fn expect_node<T>(status: sys::napi_status, value: T, message: &'static str) -> Result<T, Failure> {
    match status {
        sys::Status::napi_ok => Ok(value),
        _ => Err(Failure::Node(message)),
    }
}
