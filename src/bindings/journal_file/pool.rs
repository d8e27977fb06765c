//! The threads that read: those of tokio's pool for blocking calls, started when there is something
//! to read, and gone soon after.
//!
//! The runtime that napi-rs brings starts its threads as soon as the addon is loaded, and ends with
//! the last environment, waiting for what still runs. This one is made by the first read, has no
//! thread but those of the pool, and stays: what a terminated worker has left to it just ends, for
//! the library is never unloaded (napi-build links it so).

use std::sync::OnceLock;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::bindings::raw::Failure;

/// More would only wait for the same disk.
const MOST_THREADS: usize = 4;
/// A follower's next look at its file comes sooner, as a rule.
const IDLE: Duration = Duration::from_secs(1);

/// Runs `job` on a thread of the pool.
pub fn run(job: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(start).as_ref();
    let runtime = runtime.ok_or(Failure::Node("no threads could be had to read files"))?;
    // What the job comes to is told by its completion.
    drop(runtime.spawn_blocking(job));
    Ok(())
}

/// Nothing is ever scheduled on the runtime itself, so no thread has to drive it.
fn start() -> Option<Runtime> {
    Builder::new_current_thread()
        .max_blocking_threads(MOST_THREADS)
        .thread_keep_alive(IDLE)
        .thread_name("journal-file")
        .build()
        .ok()
}
