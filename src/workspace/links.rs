//! Real paths: every link on the way resolved, part by part, by `lstat` and `readlink` of the
//! sandbox.
//!
//! 1. A `..` that comes behind a link goes to the parent of the link's target.
//! 2. A link is read in its own folder and by its own name, because a sandbox maps the folder of a
//!    command to its own files, but not the arguments.
//! 3. A missing part of the path itself means that nothing is there. A missing part of a link's
//!    target means that the link dangles.

use super::error::{Error, WorkspaceError};
use super::path;
use super::sandbox::{ExecOptions, Lstat, PathArg, Sandbox};
use crate::shell;

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
    let mut pending = Pending::new(path::resolve(caller_path));
    let mut real = "/".to_owned();
    let mut links = 0;
    while let Some((name, origin)) = pending.next_part() {
        if name == "." {
            continue;
        }
        if name == ".." {
            real.truncate(path::dirname(&real).len());
            continue;
        }
        let folder_len = real.len();
        push_name(&mut real, name);
        let found = sandbox.lstat(lstat, PathArg::Text(&real), options).await;
        let Some(found) = found.map_err(Error::Provider)? else {
            return Ok(origin.missing());
        };
        if !matches!(found, Lstat::Symlink) {
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(WorkspaceError::TooManyLinks {
                path: caller_path.to_owned(),
            }
            .into());
        }
        let target = read_link(sandbox, &real, options).await?;
        // An absolute target starts again at the root, a relative one in the folder of the link.
        real.truncate(if target.starts_with('/') {
            1
        } else {
            folder_len
        });
        pending.push(target);
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

/// Adds a name to a path from the root that has no slash at its end.
fn push_name(real: &mut String, name: &str) {
    if real != "/" {
        real.push('/');
    }
    real.push_str(name);
}

/// What is still to be walked: the path, and in it the target of each link on the way.
struct Pending(Vec<Way>);

struct Way {
    text: String,
    /// The index in the text of what is still to be walked.
    at: usize,
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
    fn new(path: String) -> Self {
        Self(vec![Way {
            text: path,
            at: 0,
            origin: Origin::Path,
        }])
    }

    /// The target is walked before all else.
    fn push(&mut self, target: String) {
        self.0.push(Way {
            text: target,
            at: 0,
            origin: Origin::Link,
        });
    }

    fn next_part(&mut self) -> Option<(&str, Origin)> {
        while self.0.pop_if(|way| way.rest().is_empty()).is_some() {}
        let way = self.0.last_mut()?;
        let rest = way.rest().len();
        let start = way.text.len() - rest;
        let len = way.rest().find('/').unwrap_or(rest);
        way.at = start + len;
        Some((way.text.get(start..way.at)?, way.origin))
    }
}

impl Way {
    /// What is still to be walked, from the next name on.
    fn rest(&self) -> &str {
        self.text
            .get(self.at..)
            .unwrap_or_default()
            .trim_start_matches('/')
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
