//! Lists of operations of the workspace backend over a tree that changes between them. Laws: no
//! panic; each answer is that of the naive way through the tree; no kill goes out unchecked.

#![no_main]

#[path = "../../tests/workspace/memory.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod memory;
#[path = "../../tests/workspace/tree.rs"]
mod tree;

use ai_sandbox_native::workspace::{Backend, CloseReason, Error, Stat, WorkspaceError};
use arbitrary::Arbitrary;
use futures::executor::block_on;
use libfuzzer_sys::fuzz_target;

use memory::{Fault, Memory, Options, at, backend, failure, success};
use tree::{Led, Node};

const OPTIONS: Options = Options(1);

/// A part of a path. Few names, so that paths meet.
#[derive(Debug, Arbitrary)]
enum Part {
    A,
    B,
    C,
    Quote,
    Up,
    Here,
    Empty,
    Other(char),
}

#[derive(Debug, Arbitrary)]
struct Way {
    is_absolute: bool,
    parts: Vec<Part>,
}

#[derive(Debug, Arbitrary)]
enum Kind {
    File(usize),
    Dir,
    Link(Way),
    Fifo,
    Odd,
}

#[derive(Debug, Arbitrary)]
enum Op {
    Add(Way, Kind),
    Realpath(Way),
    Stat(Way),
    Remove(Way),
    Readdir(Way),
    KillJob {
        pid: u32,
        zeros: u8,
        start: Option<String>,
        ps: Option<String>,
        is_alive: bool,
    },
    StartJob,
    Close {
        is_moved: bool,
    },
}

fuzz_target!(|ops: Vec<Op>| {
    let backend = backend(&[]);
    for op in &ops {
        run(&backend, op);
    }
});

fn run(backend: &Backend<Memory>, op: &Op) {
    match op {
        Op::Add(way, kind) => {
            let path = ai_sandbox_native::workspace::path::resolve(&way.text());
            backend.sandbox().tree().add(&path, kind.node());
        }
        Op::Realpath(way) => realpath(backend, &way.text()),
        Op::Stat(way) => {
            let expected = expected_stat(backend, &way.text());
            assert_eq!(block_on(backend.stat(&at(&way.text()), &OPTIONS)), expected);
        }
        Op::Remove(way) => remove(backend, &way.text()),
        Op::Readdir(way) => readdir(backend, &way.text()),
        Op::KillJob {
            pid,
            zeros,
            start,
            ps,
            is_alive,
        } => {
            let pid = format!("{}{pid}", "0".repeat(usize::from(*zeros)));
            kill_job(backend, &pid, start.as_deref(), ps.as_deref(), *is_alive);
        }
        Op::StartJob => drop(backend.job_started("job")),
        Op::Close { is_moved } => {
            let reason = if *is_moved {
                CloseReason::Moved
            } else {
                CloseReason::Closed
            };
            assert_eq!(block_on(backend.close(reason)), Ok(()));
        }
    }
}

fn realpath(backend: &Backend<Memory>, path: &str) {
    let led = backend.sandbox().tree().follow(path);
    let expected = match led {
        Led::Real(real) => Ok(Some(real)),
        Led::Missing => Ok(None),
        Led::Dangling => Err(WorkspaceError::DanglingLink {
            path: path.to_owned(),
        }
        .into()),
        Led::Loop => Err(WorkspaceError::TooManyLinks {
            path: path.to_owned(),
        }
        .into()),
    };
    assert_eq!(block_on(backend.realpath(path, &OPTIONS)), expected);
}

fn expected_stat(
    backend: &Backend<Memory>,
    path: &str,
) -> Result<Option<Stat<usize>>, Error<Fault>> {
    let tree = backend.sandbox().tree();
    let too_many_links = || {
        Err(WorkspaceError::TooManyLinks {
            path: path.to_owned(),
        }
        .into())
    };
    let (real, node) = match tree.lstat(path) {
        Some(Node::Link(_)) => match tree.follow(path) {
            Led::Real(real) => (real.clone(), tree.lstat(&real)),
            Led::Missing | Led::Dangling => return Ok(None),
            Led::Loop => return too_many_links(),
        },
        node => (path.to_owned(), node),
    };
    match node {
        None => Ok(None),
        Some(Node::File(size)) => Ok(Some(Stat::File { size: *size })),
        Some(Node::Dir) => Ok(Some(Stat::Dir)),
        Some(Node::Fifo) => Ok(Some(Stat::Special)),
        Some(Node::Odd) => Err(WorkspaceError::UnknownType {
            path: real,
            kind: "odd".to_owned(),
        }
        .into()),
        // Only the root: a list of operations can put a link there.
        Some(Node::Link(_)) => too_many_links(),
    }
}

fn remove(backend: &Backend<Memory>, path: &str) {
    let expected = match expected_stat(backend, path) {
        Ok(Some(Stat::File { .. } | Stat::Special)) => Ok(()),
        Ok(_) => Err(WorkspaceError::NotAFile {
            path: path.to_owned(),
        }
        .into()),
        Err(error) => Err(error),
    };
    backend.sandbox().calls();
    assert_eq!(block_on(backend.remove(&at(path), &OPTIONS)), expected);
    let calls = backend.sandbox().calls();
    assert_eq!(
        calls.iter().any(|call| call.starts_with("remove ")),
        expected.is_ok()
    );
}

fn readdir(backend: &Backend<Memory>, path: &str) {
    let Ok(listing) = block_on(backend.readdir(&at(path), &OPTIONS)) else {
        panic!("no provider failed")
    };
    let tree = backend.sandbox().tree();
    let is_link = |path: &str| matches!(tree.lstat(path), Some(Node::Link(_)));
    let expected: Vec<bool> = listing
        .entries
        .iter()
        .map(|entry| is_link(&entry.path))
        .collect();
    assert_eq!(listing.is_link, expected);
}

fn kill_job(
    backend: &Backend<Memory>,
    pid: &str,
    start: Option<&str>,
    ps: Option<&str>,
    is_alive: bool,
) {
    let sandbox = backend.sandbox();
    let alive = if is_alive { success("") } else { failure("") };
    sandbox.answer(
        &format!("LC_ALL=C ps -o lstart= -p {pid}"),
        ps.map_or(failure(""), success),
    );
    sandbox.answer(&format!("kill -0 {pid}"), alive);
    sandbox.calls();
    let id = start.map_or(pid.to_owned(), |start| format!("{pid}:{start}"));
    let killed = block_on(backend.kill_job(&id));
    // The sandbox knows no `kill -9`, so no kill succeeds.
    assert_ne!(killed, Ok(true));
    let kills = sandbox
        .calls()
        .iter()
        .filter(|call| call.starts_with("kill -9"))
        .count();
    let is_checked = start.is_some_and(|start| ps.is_some_and(|ps| ps.contains(start)));
    assert!(
        kills == 0 || (kills == 1 && is_checked && pid.parse::<i32>().is_ok_and(|pid| pid > 1))
    );
}

impl Way {
    fn text(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(Part::text).collect();
        format!(
            "{}{}",
            if self.is_absolute { "/" } else { "" },
            parts.join("/")
        )
    }
}

impl Part {
    fn text(&self) -> String {
        match self {
            Self::A => "a".to_owned(),
            Self::B => "b".to_owned(),
            Self::C => "c".to_owned(),
            Self::Quote => "it's".to_owned(),
            Self::Up => "..".to_owned(),
            Self::Here => ".".to_owned(),
            Self::Empty => String::new(),
            Self::Other(character) => character.to_string(),
        }
    }
}

impl Kind {
    fn node(&self) -> Node {
        match self {
            Self::File(size) => Node::File(*size),
            Self::Dir => Node::Dir,
            // No system has links without a target.
            Self::Link(way) if way.text().is_empty() => Node::Dir,
            Self::Link(way) => Node::Link(way.text()),
            Self::Fifo => Node::Fifo,
            Self::Odd => Node::Odd,
        }
    }
}
