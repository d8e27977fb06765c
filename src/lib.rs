//! The journal framing and workspace backend of `@tanstack/ai-sandbox` in Rust.
//!
//! - [`journal`]: an agent's output, a file of NDJSON, from base64, text or bytes to lines
//!   with absolute byte positions.
//! - [`workspace`]: files and commands of a sandbox for an agent's tools, whatever provider the
//!   sandbox is from.
//! - [`shell`]: quoting, for the commands of both.
//!
//! The core modules know nothing of Node: no napi, no I/O, no clock and no unsafe code. With
//! the feature `napi` (the default) the crate is also a Node addon, in `bindings`.

#![cfg_attr(not(feature = "napi"), forbid(unsafe_code))]
#![deny(unsafe_code)]

#[cfg(feature = "napi")]
mod bindings;
pub mod journal;
pub mod shell;
pub mod workspace;
