//! The threads that read: those of tokio's pool for blocking calls, started when there is something
//! to read, and gone soon after.
//!
//! The runtime that napi-rs brings starts its threads as soon as the addon is loaded, and ends with
//! the last environment, waiting for what still runs. This one is made by the first read, has no
//! thread but those of the pool, and stays: what a terminated worker has left to it just ends, for
//! the library is never unloaded (napi-build links it so).

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

/// More would only wait for the same disk.
const MOST_THREADS: usize = 4;
/// A follower's next look at its file comes sooner, as a rule.
const IDLE: Duration = Duration::from_secs(1);

/// Runs `job` on a thread of the pool.
///
/// # Errors
///
/// When no thread can be had, as where a container's limit is reached. `job` is dropped then.
pub fn run(job: impl FnOnce() + Send + 'static) -> io::Result<()> {
    static RUNTIME: OnceLock<io::Result<Runtime>> = OnceLock::new();
    let Ok(runtime) = RUNTIME.get_or_init(start) else {
        return Err(no_thread());
    };
    let job = Arc::new(Mutex::new(Some(job)));
    let queued = Arc::clone(&job);
    // Without a thread tokio panics, and keeps what it was given: until there is a thread, which may
    // be never. So that holds only a place, which is emptied then.
    let spawn = AssertUnwindSafe(|| {
        // What the job comes to is told by its completion.
        drop(runtime.spawn_blocking(move || {
            if let Some(job) = take(&queued) {
                job();
            }
        }));
    });
    match catch_unwind(spawn) {
        Ok(()) => Ok(()),
        // None: a thread that another caller has got was quicker.
        Err(_) => take(&job).map_or(Ok(()), |_| Err(no_thread())),
    }
}

fn take<J>(job: &Mutex<Option<J>>) -> Option<J> {
    job.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// As the system says it.
fn no_thread() -> io::Error {
    #[cfg(unix)]
    return io::Error::from_raw_os_error(libc::EAGAIN);
    #[cfg(not(unix))]
    io::Error::from(io::ErrorKind::WouldBlock)
}

/// Nothing is ever scheduled on the runtime itself, so no thread has to drive it.
fn start() -> io::Result<Runtime> {
    Builder::new_current_thread()
        .max_blocking_threads(MOST_THREADS)
        .thread_keep_alive(IDLE)
        .thread_name("journal-file")
        .build()
}
