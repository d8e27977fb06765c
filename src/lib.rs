//! The journal framing and workspace backend of `@tanstack/ai-sandbox` in Rust.
//!
//! - [`journal`]: an agent's output, a file of NDJSON, from base64, text or bytes to lines
//!   with absolute byte positions.
//! - [`journal_file`]: the lines of a journal on a disk, with blocking calls.
//! - [`workspace`]: files and commands of a sandbox for an agent's tools, whatever provider the
//!   sandbox is from.
//! - [`shell`]: quoting, for the commands of both.
//!
//! The core modules know nothing of Node: no napi, no clock and no unsafe code, and no I/O but what
//! `journal_file` is for. With
//! the feature `napi` (the default) the crate is also a Node addon, in `bindings`.

#![cfg_attr(not(feature = "napi"), forbid(unsafe_code))]
#![deny(unsafe_code)]

#[cfg(feature = "napi")]
mod bindings;
pub mod journal;
pub mod journal_file;
pub mod shell;
pub mod workspace;
