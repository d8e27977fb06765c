//! Job ids and `killJob`.

use ai_sandbox_native::workspace::{Backend, Error, ExecOutput};
use futures::executor::block_on;
use futures::future::join;

use crate::memory::{Memory, Options, backend, failure, success};

const PS: &str = "LC_ALL=C ps -o lstart= -p 42";
const ALIVE: &str = "kill -0 42";
const KILL: &str = "kill -9 -- -42 2>/dev/null || kill -9 -42 2>/dev/null || kill -9 42";
const START: &str = "Sat Jan  3 10:00:00 2026";
const UNVERIFIABLE: &str =
    "Cannot check that process 42 in the sandbox is the job: no start time from ps.";

fn sandbox(ps: ExecOutput, alive: ExecOutput, kill: ExecOutput) -> Backend<Memory> {
    let backend = backend(&[]);
    backend.sandbox().answer(PS, ps);
    backend.sandbox().answer(ALIVE, alive);
    backend.sandbox().answer(KILL, kill);
    backend
}

fn kill_job(backend: &Backend<Memory>, id: &str) -> Result<bool, String> {
    block_on(backend.kill_job(id)).map_err(|error| error.to_string())
}

fn started() -> ExecOutput {
    success(&format!("{START}\n"))
}

fn job() -> String {
    format!("42:{START}")
}

#[test]
fn a_job_id_is_the_pid_and_its_start() {
    let backend = sandbox(started(), success(""), success(""));
    assert_eq!(block_on(backend.job_id("42")), job());
    assert_eq!(backend.sandbox().calls(), [PS]);
}

#[test]
fn case_16_a_job_id_is_the_pid_alone_where_ps_tells_nothing() {
    let nothing = [
        success(" \u{FEFF}\n"),
        failure("bad -o"),
        ExecOutput::Success { stdout: None },
    ];
    for ps in nothing {
        let backend = sandbox(ps, success(""), success(""));
        assert_eq!(block_on(backend.job_id("42")), "42");
    }
    let backend = backend(&[]);
    backend.sandbox().fail(PS);
    assert_eq!(block_on(backend.job_id("42")), "42");
}

#[test]
fn a_provider_without_pids_gives_an_id_that_kills_nothing() {
    let backend = backend(&[]);
    assert_eq!(block_on(backend.job_id("-1")), "-1");
    assert_eq!(backend.sandbox().calls(), ["LC_ALL=C ps -o lstart= -p -1"]);
    assert_eq!(kill_job(&backend, "-1"), Ok(false));
    assert_eq!(backend.sandbox().calls(), [""; 0]);
}

#[test]
fn a_job_whose_start_matches_is_killed() {
    let backend = sandbox(started(), success(""), success(""));
    assert_eq!(kill_job(&backend, &job()), Ok(true));
    assert_eq!(backend.sandbox().calls(), [PS, KILL]);
}

#[test]
fn a_kill_that_fails_is_false() {
    let backend = sandbox(started(), success(""), failure("not permitted"));
    assert_eq!(kill_job(&backend, &job()), Ok(false));
}

#[test]
fn a_later_process_with_the_pid_is_left_alone() {
    let backend = sandbox(
        success("Sun Jan  4 10:00:00 2026\n"),
        success(""),
        success(""),
    );
    assert_eq!(kill_job(&backend, &job()), Ok(false));
    assert_eq!(backend.sandbox().calls(), [PS]);
}

#[test]
fn case_16_a_job_that_is_gone_is_false() {
    let backend = sandbox(failure(""), failure("no such process"), success(""));
    for id in [job().as_str(), "42"] {
        assert_eq!(kill_job(&backend, id), Ok(false));
        assert_eq!(backend.sandbox().calls(), [PS, ALIVE]);
    }
}

#[test]
fn case_16_a_job_that_runs_unchecked_is_never_killed() {
    let backend = sandbox(failure("bad -o"), success(""), success(""));
    for id in [job().as_str(), "42"] {
        assert_eq!(kill_job(&backend, id), Err(UNVERIFIABLE.to_owned()));
        assert_eq!(backend.sandbox().calls(), [PS, ALIVE]);
    }
}

#[test]
fn an_id_without_a_start_cannot_be_checked() {
    let backend = sandbox(started(), success(""), success(""));
    assert_eq!(kill_job(&backend, "42"), Err(UNVERIFIABLE.to_owned()));
    assert_eq!(backend.sandbox().calls(), [PS]);
}

#[test]
fn what_is_no_id_is_false_without_a_command() {
    let backend = backend(&[]);
    for id in ["", "x", "42:", "42 ", "-42", "42;id", "42:a\n", ":a"] {
        assert_eq!(kill_job(&backend, id), Ok(false), "{id:?}");
    }
    assert_eq!(backend.sandbox().calls(), [""; 0]);
}

#[test]
fn pids_0_and_1_are_false_without_a_command() {
    let backend = backend(&[]);
    for pid in ["0", "1", "00", "01", "2147483648", "4294967297"] {
        assert_eq!(kill_job(&backend, pid), Ok(false));
        assert_eq!(kill_job(&backend, &format!("{pid}:{START}")), Ok(false));
    }
    assert_eq!(backend.sandbox().calls(), [""; 0]);
}

#[test]
fn a_failure_of_ps_counts_as_no_start() {
    let backend = sandbox(started(), failure(""), success(""));
    backend.sandbox().fail(PS);
    assert_eq!(kill_job(&backend, &job()), Ok(false));
    assert_eq!(backend.sandbox().calls(), [PS, ALIVE]);
}

#[test]
fn a_failure_of_the_other_commands_comes_through() {
    let backend = sandbox(failure(""), success(""), success(""));
    let fault = backend.sandbox().fail(ALIVE);
    assert_eq!(
        block_on(backend.kill_job(&job())),
        Err(Error::Provider(fault))
    );
    backend.sandbox().answer(PS, started());
    let fault = backend.sandbox().fail(KILL);
    assert_eq!(
        block_on(backend.kill_job(&job())),
        Err(Error::Provider(fault))
    );
}

#[test]
fn operations_interleave() {
    let backend = sandbox(started(), success(""), success(""));
    let gate = backend.sandbox().hold(PS);
    let job = job();
    let missing = async {
        let missing = backend.realpath("/none", &Options(1)).await;
        gate.send(()).unwrap();
        missing
    };
    let (killed, missing) = block_on(join(backend.kill_job(&job), missing));
    assert_eq!((killed, missing), (Ok(true), Ok(None)));
    assert_eq!(backend.sandbox().calls(), [PS, "lstat /none #1", KILL]);
}
