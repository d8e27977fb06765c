//! Strings whose characters stay in Rust's memory, for lines so long that a copy hurts.
//!
//! The functions for it are part of Node-API from version 10 on, and there as an experiment in
//! Node 20. They are looked up when first needed; without them the caller copies.

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::OnceLock;

use napi::sys;

use super::raw::{Call, Failure, Value, account};
use crate::journal::{LongLine, LongText};

type Finalize = unsafe extern "C" fn(sys::napi_env, *mut c_void, *mut c_void);
type CreateExternal<C> = unsafe extern "C" fn(
    sys::napi_env,
    *const C,
    isize,
    Option<Finalize>,
    *mut c_void,
    *mut Value,
    *mut bool,
) -> sys::napi_status;

struct Functions {
    latin1: CreateExternal<c_char>,
    utf16: CreateExternal<u16>,
}

/// A string of a long text, over the text's own memory where the runtime can.
pub fn new_long_string(call: &Call, text: LongText) -> Result<Value, Failure> {
    match (text, functions()) {
        (LongText::Ascii(line), Some(functions)) => {
            let line = Box::new(line);
            let (data, length) = (line.bytes().as_ptr(), line.bytes().len());
            new_external(call, functions.latin1, data.cast(), length, line)
        }
        (LongText::Utf16(units), Some(functions)) => {
            let units = Box::new(units);
            let (data, length) = (units.as_ptr(), units.len());
            new_external(call, functions.utf16, data, length, units)
        }
        (LongText::Ascii(line), None) => call.new_latin1(LongLine::bytes(&line)),
        (LongText::Utf16(units), None) => call.new_utf16(&units),
    }
}

fn new_external<C, T>(
    call: &Call,
    create: CreateExternal<C>,
    data: *const C,
    length: usize,
    owner: Box<T>,
) -> Result<Value, Failure> {
    let mut value = ptr::null_mut();
    let mut copied = false;
    let bytes = (length * size_of::<C>()) as i64;
    let owner = Box::into_raw(Box::new(Owner { owner, bytes }));
    // SAFETY: `data` points into what `owner` holds on the heap, which nothing changes and which
    // lives until `drop_owner` is called: once, when the string is collected or was copied.
    let status = unsafe {
        create(
            call.env(),
            data,
            length as isize,
            Some(drop_owner::<T>),
            owner.cast(),
            &raw mut value,
            &raw mut copied,
        )
    };
    if status == sys::Status::napi_ok {
        // Where it was copied, the owner has gone already, and has been taken off.
        account(call.env(), bytes);
        return Ok(value);
    }
    // SAFETY: a call that failed has not taken the owner.
    drop(unsafe { Box::from_raw(owner) });
    Err(Failure::Node("no string could be made of a long line"))
}

/// The memory of a string. V8 counts it but isn't driven to collect by it, so it is told.
struct Owner<T> {
    #[expect(dead_code, reason = "held to be dropped")]
    owner: Box<T>,
    bytes: i64,
}

/// May run within a collection, so it does nothing but free memory and say so.
unsafe extern "C" fn drop_owner<T>(env: sys::napi_env, _: *mut c_void, owner: *mut c_void) {
    // SAFETY: `new_external` made it, and this is called once.
    let owner = unsafe { Box::from_raw(owner.cast::<Owner<T>>()) };
    account(env, -owner.bytes);
}

fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    FUNCTIONS.get_or_init(look_up).as_ref()
}

fn look_up() -> Option<Functions> {
    #[cfg(unix)]
    let host = libloading::Library::from(libloading::os::unix::Library::this());
    #[cfg(windows)]
    let host = libloading::Library::from(libloading::os::windows::Library::this().ok()?);
    // SAFETY: the types are those of the Node-API header. The host is the running program, which
    // is never unloaded, so the functions outlive their symbols.
    unsafe {
        Some(Functions {
            latin1: *host
                .get::<CreateExternal<c_char>>(b"node_api_create_external_string_latin1\0")
                .ok()?,
            utf16: *host
                .get::<CreateExternal<u16>>(b"node_api_create_external_string_utf16\0")
                .ok()?,
        })
    }
}
