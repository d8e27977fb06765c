//! The Node addon: converts, calls the core, converts back.
//!
//! What is called once a batch goes through [`raw`], the bare Node-API, because a derived method
//! costs ten times as much. What is called once a stream or less is derived by napi-rs.
//!
//! All state belongs to an instance, or to the thread and holds no JavaScript value, so that any
//! number of worker threads can load the addon and end in any order.

#![expect(
    unsafe_code,
    reason = "Node-API is a C interface; every unsafe block says why it is sound"
)]

mod external;
mod journal;
mod journal_file;
mod raw;
mod run;
mod workspace;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::workspace::exec::{self, StopReason};

/// The version of the package that this library was built for.
#[napi]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The exit code of a command that was stopped because its time was up.
#[napi]
pub const EXIT_CODE_TIMEOUT: i32 = StopReason::Timeout.exit_code();

/// The exit code of a command that was stopped by its caller's signal.
#[napi]
pub const EXIT_CODE_SIGNAL: i32 = StopReason::Signal.exit_code();

/// The exit code of a command that did not start.
#[napi]
pub const EXIT_CODE_NOT_RUN: i32 = exec::NOT_RUN_EXIT_CODE;

/// How long the timer of a command waits, in milliseconds; `null` for no timer.
#[napi]
#[must_use]
pub fn timer_ms(timeout_ms: f64) -> Option<f64> {
    exec::timer_ms(timeout_ms)
}

/// Adds what does not go through napi-rs to the exports.
#[napi(module_exports)]
pub fn add_raw_exports(exports: Object<'_>, env: Env) -> Result<()> {
    journal::define(env.raw(), exports.raw())
        .and_then(|()| workspace::define(env.raw(), exports.raw()))
        .map_err(|failure| match failure {
            raw::Failure::Argument(message) | raw::Failure::Node(message) => {
                Error::from_reason(message)
            }
            raw::Failure::Journal(error) => Error::from_reason(error.to_string()),
            raw::Failure::File(error) => Error::from_reason(error.to_string()),
        })
}
