//! Real paths: every link on the way resolved, part by part, by `lstat` and `readlink` of the
//! sandbox.
//!
//! 1. A `..` that comes behind a link goes to the parent of the link's target.
//! 2. A link is read in its own folder and by its own name, because a sandbox maps the folder of a
//!    command to its own files, but not the arguments.
//! 3. A missing part of the path itself means that nothing is there. A missing part of a link's
//!    target means that the link dangles.

use super::error::{Error, WorkspaceError};
use super::sandbox::{ExecOptions, Lstat, PathArg, Sandbox};
use super::{path, shell};

/// How many links a path may lead through, as in Linux.
pub(super) const MAX_LINKS: usize = 40;

/// Where a path leads.
pub(super) enum Resolved {
    /// To this path without links.
    Real(String),
    /// To nothing.
    Missing,
    /// To a link whose target isn't there.
    Dangling,
}

/// Resolves every link in `caller_path`, which starts at the root.
pub(super) async fn resolve<S: Sandbox>(
    sandbox: &S,
    lstat: &S::LstatFn,
    caller_path: &str,
    options: &S::Options,
) -> Result<Resolved, Error<S::Error>> {
    let mut pending = Pending::default();
    pending.push(&path::resolve(caller_path), Origin::Path);
    let mut real = "/".to_owned();
    let mut links = 0;
    while let Some(Part { name, origin }) = pending.pop() {
        if name == "." {
            continue;
        }
        if name == ".." {
            real.truncate(path::dirname(&real).len());
            continue;
        }
        let next = path::join(&real, &name);
        let found = sandbox.lstat(lstat, PathArg::Text(&next), options).await;
        let Some(found) = found.map_err(Error::Provider)? else {
            return Ok(origin.missing());
        };
        if !matches!(found, Lstat::Symlink) {
            real = next;
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(WorkspaceError::TooManyLinks {
                path: caller_path.to_owned(),
            }
            .into());
        }
        let target = read_link(sandbox, &next, options).await?;
        if target.starts_with('/') {
            "/".clone_into(&mut real);
        }
        pending.push(&target, Origin::Link);
    }
    Ok(Resolved::Real(real))
}

/// The target of the link at `path`.
async fn read_link<S: Sandbox>(
    sandbox: &S,
    path: &str,
    options: &S::Options,
) -> Result<String, Error<S::Error>> {
    let command = format!("readlink -- {}", shell::quote(path::basename(path)));
    let exec_options = ExecOptions {
        cwd: path::dirname(path),
        signal_of: options,
    };
    let output = sandbox
        .exec(&command, Some(exec_options))
        .await
        .map_err(Error::Provider)?;
    match output.into_stdout() {
        // One newline is of `readlink`. A further one belongs to the name.
        Ok(stdout) => match stdout.strip_suffix('\n').unwrap_or(&stdout) {
            "" => Err("no target in the output".to_owned()),
            target => Ok(target.to_owned()),
        },
        Err(reason) => Err(reason),
    }
    .map_err(|reason| {
        WorkspaceError::ReadLink {
            path: path.to_owned(),
            reason,
        }
        .into()
    })
}

/// The parts that are still to be looked at, the next one last.
#[derive(Default)]
struct Pending(Vec<Part>);

struct Part {
    name: String,
    origin: Origin,
}

#[derive(Clone, Copy)]
enum Origin {
    /// The path that was asked for.
    Path,
    /// The target of a link.
    Link,
}

impl Pending {
    /// Puts the parts of `path` before all others.
    fn push(&mut self, path: &str, origin: Origin) {
        let names = path.rsplit('/').filter(|name| !name.is_empty());
        self.0.extend(names.map(|name| Part {
            name: name.to_owned(),
            origin,
        }));
    }

    fn pop(&mut self) -> Option<Part> {
        self.0.pop()
    }
}

impl Origin {
    /// What it means when a part of this origin isn't there.
    const fn missing(self) -> Resolved {
        match self {
            Self::Path => Resolved::Missing,
            Self::Link => Resolved::Dangling,
        }
    }
}
