//! Errors: what a function fails with, as JavaScript gets it.

use std::ffi::CStr;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use napi::sys;

use super::{Failure, Value};
use crate::journal::JournalError;
use crate::journal_file::{FileError, Operation};

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
        Failure::Journal(error) | Failure::File(FileError::Journal(error)) => {
            (journal_code(error), error.to_string())
        }
        Failure::File(error) => (file_code(error), error.to_string()),
        Failure::Argument(message) => ("ARGUMENT", (*message).to_owned()),
        Failure::Node(message) => ("NODE", (*message).to_owned()),
    };
    let Some(error) = new_error(env, code, &message) else {
        return;
    };
    match failure {
        Failure::Journal(journal) | Failure::File(FileError::Journal(journal)) => {
            set_numbers(env, error, &journal_numbers(journal));
        }
        Failure::File(file) => set_numbers(env, error, &file_numbers(file)),
        Failure::Argument(_) | Failure::Node(_) => {}
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

type Numbers = Vec<(&'static CStr, f64)>;

fn journal_numbers(error: &JournalError) -> Numbers {
    match *error {
        JournalError::InvalidCharacter { unit, index } => {
            vec![(c"unit", f64::from(unit)), (c"index", index as f64)]
        }
        JournalError::MisplacedPadding { index } => vec![(c"index", index as f64)],
        JournalError::MidQuantum { pending } => vec![(c"pending", pending as f64)],
        JournalError::LineTooLong { bytes } | JournalError::OutOfMemory { bytes } => {
            vec![(c"bytes", bytes as f64)]
        }
    }
}

fn file_code(error: &FileError) -> &'static str {
    match error {
        FileError::Io { operation, .. } => match operation {
            Operation::Open => "FILE_OPEN",
            Operation::Stat => "FILE_STAT",
            Operation::Read => "FILE_READ",
        },
        FileError::NotAFile { .. } => "NOT_A_FILE",
        FileError::PositionBeyondEnd { .. } => "POSITION_BEYOND_END",
        FileError::Truncated { .. } => "TRUNCATED",
        FileError::Replaced => "REPLACED",
        FileError::Removed => "REMOVED",
        FileError::Journal(error) => journal_code(error),
    }
}

fn file_numbers(error: &FileError) -> Numbers {
    match error {
        FileError::Io { error, .. } => vec![(c"errno", f64::from(uv_errno(error)))],
        FileError::PositionBeyondEnd { position, size }
        | FileError::Truncated { position, size } => {
            vec![(c"position", *position as f64), (c"size", *size as f64)]
        }
        FileError::Journal(error) => journal_numbers(error),
        FileError::NotAFile { .. } | FileError::Replaced | FileError::Removed => Vec::new(),
    }
}

/// The number that libuv has for an error of the system.
#[cfg(unix)]
fn uv_errno(error: &io::Error) -> i32 {
    -error.raw_os_error().unwrap_or(libc::EIO)
}

/// libuv has numbers of its own here: those of `ENOENT`, `EPERM` and `EIO`.
#[cfg(not(unix))]
fn uv_errno(error: &io::Error) -> i32 {
    match error.kind() {
        io::ErrorKind::NotFound => -4058,
        io::ErrorKind::PermissionDenied => -4048,
        _ => -4070,
    }
}

fn set_numbers(env: sys::napi_env, error: Value, numbers: &[(&CStr, f64)]) {
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
