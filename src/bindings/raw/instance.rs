//! Instances of Rust types that JavaScript holds, and the functions over them.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use napi::sys;

use super::throw::guarded;
use super::{Call, Failure, Method, Value};

/// What an instance holds in memory.
pub trait Footprint {
    /// Bytes on the heap, about. Asked for after each call, so it must cost nothing.
    fn bytes(&self) -> usize;
}

/// What the collector is told of a new instance.
const INSTANCE_BYTES: i64 = 48 * 1024;
/// From this change in memory on, the collector is told.
const NOTED_CHANGE: i64 = 256 * 1024;

struct Instance<T> {
    state: T,
    /// A panic left `state` half done.
    broken: bool,
    /// The memory that the collector knows of.
    accounted: i64,
}

/// Makes a new instance: an external value that frees it when it is collected.
pub fn construct<T: Footprint>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
    make: fn(&Call) -> Result<T, Failure>,
) -> Value {
    guarded(env, || {
        let call = Call::read(env, info)?;
        let instance = Box::into_raw(Box::new(Instance {
            state: make(&call)?,
            broken: false,
            accounted: INSTANCE_BYTES,
        }));
        let mut value = ptr::null_mut();
        // SAFETY: the value takes the instance over and `drop_instance` frees it, once.
        let status = unsafe {
            sys::napi_create_external(
                env,
                instance.cast(),
                Some(drop_instance::<T>),
                ptr::null_mut(),
                &raw mut value,
            )
        };
        if status != sys::Status::napi_ok {
            // SAFETY: Node-API did not take it.
            drop(unsafe { Box::from_raw(instance) });
            return Err(Failure::Node("no native object could be made"));
        }
        account(env, INSTANCE_BYTES);
        Ok(value)
    })
}

/// Calls a function over the instance that is the first argument.
pub fn dispatch<T: Footprint>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
    method: Method<T>,
) -> Value {
    guarded(env, || {
        let call = Call::read(env, info)?;
        let mut pointer = ptr::null_mut();
        // SAFETY: `env` and the argument belong to this call.
        let status =
            unsafe { sys::napi_get_value_external(env, call.argument(0), &raw mut pointer) };
        if status != sys::Status::napi_ok || pointer.is_null() {
            return Err(Failure::Argument("a native object was expected"));
        }
        // SAFETY: by rule 4 it is an `Instance<T>`, and by rule 1 this is the only reference to it.
        let instance = unsafe { &mut *pointer.cast::<Instance<T>>() };
        if instance.broken {
            return Err(Failure::Node("an earlier call has failed inside"));
        }
        instance.broken = true;
        let result = method(&mut instance.state, &call);
        instance.broken = false;
        instance.account(env);
        result
    })
}

/// A C callback that dispatches to a function over an instance.
macro_rules! callback {
    ($method:path) => {{
        unsafe extern "C" fn callback(
            env: napi::sys::napi_env,
            info: napi::sys::napi_callback_info,
        ) -> $crate::bindings::raw::Value {
            $crate::bindings::raw::dispatch(env, info, $method)
        }
        callback
    }};
}
pub(in super::super) use callback;

impl<T: Footprint> Instance<T> {
    fn account(&mut self, env: sys::napi_env) {
        let bytes = (self.state.bytes() as i64).max(INSTANCE_BYTES);
        let change = bytes - self.accounted;
        if change.abs() >= NOTED_CHANGE {
            account(env, change);
            self.accounted = bytes;
        }
    }
}

/// Tells the collector of memory that it can't see, so that it comes in time.
pub fn account(env: sys::napi_env, bytes: i64) {
    let mut total = 0;
    // SAFETY: `env` is alive.
    unsafe { sys::napi_adjust_external_memory(env, bytes, &raw mut total) };
}

unsafe extern "C" fn drop_instance<T>(env: sys::napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: `construct` made it, and Node-API calls this once.
    let instance = unsafe { Box::from_raw(data.cast::<Instance<T>>()) };
    account(env, -instance.accounted);
    // A panic must not reach Node; what could not be dropped is leaked.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(instance)));
}
