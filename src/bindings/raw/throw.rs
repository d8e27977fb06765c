//! Errors: what a function fails with, as JavaScript gets it.

use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use napi::sys;

use super::{Failure, Value};
use crate::journal::JournalError;

/// Runs `body`, and throws what it fails with, a panic included.
pub(super) fn guarded(env: sys::napi_env, body: impl FnOnce() -> Result<Value, Failure>) -> Value {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(failure)) => failure,
        Err(_) => Failure::Node("a panic in native code, which is a bug"),
    };
    throw(env, &failure);
    ptr::null_mut()
}

/// Throws an error whose `code` and numbers `js/errors.js` makes the public error of.
fn throw(env: sys::napi_env, failure: &Failure) {
    let mut pending = false;
    // SAFETY: `env` belongs to the present call.
    unsafe { sys::napi_is_exception_pending(env, &raw mut pending) };
    if pending {
        return;
    }
    let (code, message) = match failure {
        Failure::Journal(error) => (journal_code(error), error.to_string()),
        Failure::Argument(message) => ("ARGUMENT", (*message).to_owned()),
        Failure::Node(message) => ("NODE", (*message).to_owned()),
    };
    let Some(error) = new_error(env, code, &message) else {
        return;
    };
    if let Failure::Journal(journal) = failure {
        set_numbers(env, error, journal);
    }
    // SAFETY: `error` was just made in this scope.
    unsafe { sys::napi_throw(env, error) };
}

fn journal_code(error: &JournalError) -> &'static str {
    match error {
        JournalError::InvalidCharacter { .. } => "INVALID_CHARACTER",
        JournalError::MisplacedPadding { .. } => "MISPLACED_PADDING",
        JournalError::MidQuantum { .. } => "MID_QUANTUM",
        JournalError::LineTooLong { .. } => "LINE_TOO_LONG",
        JournalError::OutOfMemory { .. } => "OUT_OF_MEMORY",
    }
}

fn set_numbers(env: sys::napi_env, error: Value, journal: &JournalError) {
    let numbers: &[(&CStr, f64)] = match *journal {
        JournalError::InvalidCharacter { unit, index } => {
            &[(c"unit", f64::from(unit)), (c"index", index as f64)]
        }
        JournalError::MisplacedPadding { index } => &[(c"index", index as f64)],
        JournalError::MidQuantum { pending } => &[(c"pending", pending as f64)],
        JournalError::LineTooLong { bytes } | JournalError::OutOfMemory { bytes } => {
            &[(c"bytes", bytes as f64)]
        }
    };
    for (name, number) in numbers {
        let mut value = ptr::null_mut();
        // SAFETY: `error` is an object of this scope, and the name ends in NUL.
        unsafe {
            sys::napi_create_double(env, *number, &raw mut value);
            sys::napi_set_named_property(env, error, name.as_ptr(), value);
        }
    }
}

fn new_error(env: sys::napi_env, code: &str, message: &str) -> Option<Value> {
    let text = |text: &str| {
        let mut value = ptr::null_mut();
        // SAFETY: the text is copied during the call.
        let status = unsafe {
            sys::napi_create_string_utf8(
                env,
                text.as_ptr().cast(),
                text.len() as isize,
                &raw mut value,
            )
        };
        (status == sys::Status::napi_ok).then_some(value)
    };
    let mut error = ptr::null_mut();
    // SAFETY: both strings belong to this scope.
    let status =
        unsafe { sys::napi_create_error(env, text(code)?, text(message)?, &raw mut error) };
    (status == sys::Status::napi_ok).then_some(error)
}
