//! The jobs of a backend: their ids, and which of them still run.
//!
//! A job id is the pid in the sandbox and the start time from `ps`, because a later process can get
//! the same pid. A kill is decided by both; nothing is killed unchecked.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::error::{Error, WorkspaceError};
use super::js;
use super::sandbox::{ExecOutput, Sandbox};

/// The jobs that still run, in the order of their start.
#[derive(Debug)]
pub(super) struct Jobs<J> {
    running: RefCell<BTreeMap<JobKey, J>>,
    next: Cell<u64>,
}

/// Names a running job within its backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobKey(u64);

impl<J: Clone> Jobs<J> {
    pub(super) const fn new() -> Self {
        Self {
            running: RefCell::new(BTreeMap::new()),
            next: Cell::new(0),
        }
    }

    pub(super) fn add(&self, job: J) -> JobKey {
        let key = JobKey(self.next.get());
        self.next.set(key.0 + 1);
        self.running.borrow_mut().insert(key, job);
        key
    }

    pub(super) fn remove(&self, key: JobKey) {
        self.running.borrow_mut().remove(&key);
    }

    /// The jobs as they are now. A copy: killing one may call back and change the list.
    pub(super) fn running(&self) -> Vec<J> {
        self.running.borrow().values().cloned().collect()
    }
}

/// The id of the job with this pid: `PID:START`, or the pid alone where `ps` tells nothing.
pub(super) async fn job_id<S: Sandbox>(sandbox: &S, pid: &str) -> String {
    match process_start(sandbox, pid).await {
        Some(start) => format!("{pid}:{start}"),
        None => pid.to_owned(),
    }
}

/// Kills the job with its whole process group, when the process with its pid is still the job.
pub(super) async fn kill_job<S: Sandbox>(
    sandbox: &S,
    job_id: &str,
) -> Result<bool, Error<S::Error>> {
    let Some(job) = JobId::parse(job_id).filter(JobId::is_killable) else {
        return Ok(false);
    };
    let pid = job.pid;
    let found = process_start(sandbox, pid).await;
    // Without a start time, the process is gone, or `ps` can't tell (as that of busybox).
    if found.is_none() && !run(sandbox, &format!("kill -0 {pid}")).await? {
        return Ok(false);
    }
    let (Some(found), Some(start)) = (found, job.start) else {
        return Err(WorkspaceError::UnverifiableJob {
            pid: pid.to_owned(),
        }
        .into());
    };
    if found != start {
        return Ok(false);
    }
    run(sandbox, &kill_command(pid)).await
}

/// The parts of a job id.
#[derive(Debug, PartialEq, Eq)]
struct JobId<'a> {
    pid: &'a str,
    start: Option<&'a str>,
}

impl<'a> JobId<'a> {
    /// Reads `^(\d+)(?::(.+))?$` of JavaScript, where a dot is any character but a line end.
    fn parse(id: &'a str) -> Option<Self> {
        let (pid, start) = match id.split_once(':') {
            Some((pid, start)) => (pid, Some(start)),
            None => (id, None),
        };
        let is_pid = !pid.is_empty() && pid.bytes().all(|digit| digit.is_ascii_digit());
        let is_line_end = |found: char| matches!(found, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        let is_start = start.is_none_or(|start| !start.is_empty() && !start.contains(is_line_end));
        (is_pid && is_start).then_some(Self { pid, start })
    }

    /// Whether the pid can be that of a job. To `kill`, 0 and 1 in a group's place stand for its
    /// own group and for every process, and a shell may cut a number of more than 31 bits to those.
    fn is_killable(&self) -> bool {
        self.pid.parse::<i32>().is_ok_and(|pid| pid > 1)
    }
}

/// When the process started, as `ps` of the sandbox writes it. `None` where it writes nothing.
async fn process_start<S: Sandbox>(sandbox: &S, pid: &str) -> Option<String> {
    let command = format!("LC_ALL=C ps -o lstart= -p {pid}");
    match sandbox.exec(&command, None).await {
        Ok(ExecOutput::Success {
            stdout: Some(stdout),
        }) => Some(js::trim(&stdout).to_owned()).filter(|start| !start.is_empty()),
        _ => None,
    }
}

/// The group first, so that the commands of the job end too. dash refuses `--` before a negative
/// number, so the second part is for it.
fn kill_command(pid: &str) -> String {
    format!("kill -9 -- -{pid} 2>/dev/null || kill -9 -{pid} 2>/dev/null || kill -9 {pid}")
}

/// Whether the command succeeds.
async fn run<S: Sandbox>(sandbox: &S, command: &str) -> Result<bool, Error<S::Error>> {
    let output = sandbox.exec(command, None).await.map_err(Error::Provider)?;
    Ok(output.is_success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_ids_are_read_as_the_regular_expression_reads_them() {
        let full = |pid, start| {
            Some(JobId {
                pid,
                start: Some(start),
            })
        };
        let bare = |pid| Some(JobId { pid, start: None });
        let cases = [
            ("12", bare("12")),
            ("007", bare("007")),
            (
                "12:Thu Jan  1 00:00:00 1970",
                full("12", "Thu Jan  1 00:00:00 1970"),
            ),
            ("12::", full("12", ":")),
            ("12: ", full("12", " ")),
            ("12:a\u{85}b\u{B}", full("12", "a\u{85}b\u{B}")),
            ("", None),
            (":", None),
            ("12:", None),
            (":a", None),
            ("-1", None),
            ("12 ", None),
            (" 12", None),
            ("12\n", None),
            ("12:a\n", None),
            ("12:a\r", None),
            ("12:a\u{2028}", None),
            ("12:\u{2029}", None),
            ("١٢", None),
            ("12;id", None),
            ("a:b", None),
        ];
        for (id, expected) in cases {
            assert_eq!(JobId::parse(id), expected, "{id:?}");
        }
    }

    #[test]
    fn pids_that_kill_more_than_a_job_are_not_killable() {
        for pid in [
            "0",
            "1",
            "00",
            "0000000000000001",
            "2147483648",
            "4294967297",
            "9".repeat(40).as_str(),
        ] {
            assert!(!JobId { pid, start: None }.is_killable(), "{pid}");
        }
        for pid in ["2", "10", "0012", "2147483647"] {
            assert!(JobId { pid, start: None }.is_killable(), "{pid}");
        }
    }

    #[test]
    fn the_kill_command_is_exact() {
        assert_eq!(
            kill_command("42"),
            "kill -9 -- -42 2>/dev/null || kill -9 -42 2>/dev/null || kill -9 42"
        );
    }

    #[test]
    fn running_jobs_come_in_the_order_of_their_start() {
        let jobs = Jobs::new();
        let keys = ["a", "b", "c"].map(|job| jobs.add(job));
        jobs.remove(keys[1]);
        jobs.remove(keys[1]);
        jobs.add("d");
        assert_eq!(jobs.running(), ["a", "c", "d"]);
    }
}
