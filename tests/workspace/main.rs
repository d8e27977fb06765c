//! The operations of the workspace backend over a sandbox in memory, without any runtime. The
//! commands that only a shell can judge run in the shell of this machine.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod close;
mod files;
mod jobs;
mod lines;
mod memory;
mod readdir;
mod realpath;
#[cfg(unix)]
mod shell;
mod tree;
