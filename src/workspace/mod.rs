//! The workspace backend: files and commands of a sandbox for the tools of a coding agent.
//!
//! The operations are `async fn`s of a [`Backend`] over the trait [`Sandbox`], which mirrors the
//! handle that a provider gives. They hold no runtime: any executor polls them, on one thread.
//!
//! 1. An operation calls the provider in the order and as often as the original does, never more.
//! 2. Paths, options, sizes and errors that only pass through are never converted.
//! 3. What runs at once in the original runs at once here.
//! 4. No input panics: neither the caller's nor what a provider gives.
//!
//! # What the layer above does
//!
//! Timers, signals and streams are JavaScript's. The layer that calls this module has
//!
//! - `readFile`, `writeFile` and `binding`, which hold no logic: one call each.
//! - `exec`: a race of the provider's `exec` and a stop. The timer is [`exec::timer_ms`], the exit
//!   code of a stop is [`exec::StopReason::exit_code`], and a failing provider gives
//!   [`exec::NOT_RUN_EXIT_CODE`] with the text of its error as stderr. Timer and listener go when
//!   the race is over.
//! - `spawn`: start the process, then call [`Backend::job_started`]. Read both streams at once,
//!   each chunk into an [`OutputTail`] of [`MAX_JOB_OUTPUT_BYTES`] and then to `onOutput`. The job
//!   has ended when the process and both streams have: call [`Backend::job_ended`]. A failure of
//!   any of them adds its text to the output and gives [`exec::NOT_RUN_EXIT_CODE`]. As soon as the
//!   process has started, [`Backend::job_id`] gives the id; without a start there is none.
//! - the lack of `spawn` where the sandbox has no background processes.
//!
//! Origin: `workspace-backend.ts` of `@tanstack/ai-sandbox`, with the differences that the package
//! lists.

mod backend;
mod error;
pub mod exec;
mod jobs;
mod js;
mod links;
mod output;
mod page;
pub mod path;
mod sandbox;

pub use backend::{Backend, CloseReason, Listing, Ownership, Stat};
pub use error::{Error, WorkspaceError};
pub use jobs::JobKey;
pub use output::{MAX_JOB_OUTPUT_BYTES, OutputTail};
pub use page::{LineRange, Page, command as page_command};
pub use sandbox::{ExecOptions, ExecOutput, Lstat, PathArg, Sandbox};
