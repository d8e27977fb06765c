//! The operations of the backend.

use std::future::poll_fn;
use std::task::Poll;

use futures::lock::Mutex;
use futures::stream::{FuturesUnordered, StreamExt};

use super::error::{Error, WorkspaceError};
use super::jobs::{self, JobKey, Jobs};
use super::links::{self, MAX_LINKS, Resolved};
use super::page::{self, LineRange, Page};
use super::path;
use super::sandbox::{ExecOptions, Lstat, PathArg, Sandbox};

/// A workspace over a sandbox.
///
/// Any number of operations may be under way at once. Each calls the provider in the order and as
/// often as the original, and for the first time when it is first polled.
#[derive(Debug)]
pub struct Backend<S: Sandbox> {
    sandbox: S,
    ownership: Ownership,
    jobs: Jobs<S::Job>,
    /// How `destroy` ended. Locked while it goes on, so that each `close` waits for it.
    destroyed: Mutex<Option<Result<(), S::Error>>>,
}

/// Who stops the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Its maker. Closing the backend leaves it running.
    Borrowed,
    /// The backend, when it is closed.
    Owned,
}

/// Why a backend is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseReason {
    /// The work is over.
    Closed,
    /// Another machine goes on with the sandbox and its jobs.
    Moved,
}

/// What is at a path, links followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stat<Size> {
    /// A file.
    File {
        /// Its size in bytes.
        size: Size,
    },
    /// A fifo, a socket or a device: a file of size 0, as for `fs.stat`.
    Special,
    /// A folder.
    Dir,
}

/// The entries of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing<Entries> {
    /// The entries as the provider gave them.
    pub entries: Entries,
    /// For each entry whether it is a link, whatever type the provider gave it.
    pub is_link: Vec<bool>,
}

impl<S: Sandbox> Backend<S> {
    /// A backend over a live sandbox.
    pub fn new(sandbox: S, ownership: Ownership) -> Self {
        Self {
            sandbox,
            ownership,
            jobs: Jobs::new(),
            destroyed: Mutex::new(None),
        }
    }

    /// The sandbox.
    pub const fn sandbox(&self) -> &S {
        &self.sandbox
    }

    /// What is at `path`, or where the link at `path` leads. `None`: nothing.
    ///
    /// A sandbox without `lstat` reads the whole file for its size, and what can't be read counts
    /// as a folder.
    ///
    /// # Errors
    /// For too many links, and as the provider fails.
    pub async fn stat(
        &self,
        path: &S::Path,
        options: &S::Options,
    ) -> Result<Option<Stat<S::Size>>, Error<S::Error>> {
        let mut real: Option<String> = None;
        // A real path isn't a link. For a provider that says so nonetheless there is a bound.
        for _ in 0..=MAX_LINKS {
            let arg = real.as_deref().map_or(PathArg::Caller(path), PathArg::Text);
            let Some(lstat) = self.sandbox.lstat_fn(options).map_err(Error::Provider)? else {
                return self.stat_by_reading(arg, options).await;
            };
            let found = self
                .sandbox
                .lstat(&lstat, arg, options)
                .await
                .map_err(Error::Provider)?;
            return Ok(match found {
                None => None,
                Some(Lstat::File { size }) => Some(Stat::File { size }),
                Some(Lstat::Dir) => Some(Stat::Dir),
                Some(Lstat::Other) => Some(Stat::Special),
                Some(Lstat::Unknown { kind }) => {
                    let path = self.text_of(path, real)?;
                    return Err(WorkspaceError::UnknownType { path, kind }.into());
                }
                Some(Lstat::Symlink) => {
                    let link = self.text_of(path, real)?;
                    match links::resolve(&self.sandbox, &lstat, &link, options).await? {
                        Resolved::Missing | Resolved::Dangling => None,
                        Resolved::Real(target) => {
                            real = Some(target);
                            continue;
                        }
                    }
                }
            });
        }
        Err(WorkspaceError::TooManyLinks {
            path: self.text_of(path, None)?,
        }
        .into())
    }

    /// `path` from the root with every link resolved. `None`: nothing is there.
    ///
    /// # Errors
    /// For a sandbox without `lstat`, a link to a missing target, too many links, a link that can't
    /// be read, and as the provider fails.
    pub async fn realpath(
        &self,
        path: &str,
        options: &S::Options,
    ) -> Result<Option<String>, Error<S::Error>> {
        let Some(lstat) = self.sandbox.lstat_fn(options).map_err(Error::Provider)? else {
            return Err(WorkspaceError::NoLstat {
                path: path.to_owned(),
            }
            .into());
        };
        match links::resolve(&self.sandbox, &lstat, path, options).await? {
            Resolved::Real(real) => Ok(Some(real)),
            Resolved::Missing => Ok(None),
            Resolved::Dangling => Err(WorkspaceError::DanglingLink {
                path: path.to_owned(),
            }
            .into()),
        }
    }

    /// Removes one file, or a link to one.
    ///
    /// # Errors
    /// For a folder, which the sandbox would remove, and where nothing is; as [`Self::stat`], and as
    /// the provider fails.
    pub async fn remove(
        &self,
        path: &S::Path,
        options: &S::Options,
    ) -> Result<(), Error<S::Error>> {
        match self.stat(path, options).await? {
            Some(Stat::File { .. } | Stat::Special) => self
                .sandbox
                .remove(path, options)
                .await
                .map_err(Error::Provider),
            Some(Stat::Dir) | None => Err(WorkspaceError::NotAFile {
                path: self.text_of(path, None)?,
            }
            .into()),
        }
    }

    /// The entries of the folder at `path`. Without `lstat` no entry is known to be a link.
    ///
    /// # Errors
    /// As the provider fails, and for several failures the one that came first.
    pub async fn readdir(
        &self,
        path: &S::Path,
        options: &S::Options,
    ) -> Result<Listing<S::Entries>, Error<S::Error>> {
        let entries = self
            .sandbox
            .list(path, options)
            .await
            .map_err(Error::Provider)?;
        let lstat = self.sandbox.lstat_fn(options).map_err(Error::Provider)?;
        let count = self
            .sandbox
            .entry_count(&entries)
            .map_err(Error::Provider)?;
        let mut is_link = vec![false; count];
        if let Some(lstat) = lstat {
            self.find_links(&lstat, &entries, options, &mut is_link)
                .await?;
        }
        Ok(Listing { entries, is_link })
    }

    /// A page of the file at `path`. Only the page comes out of the sandbox.
    ///
    /// # Errors
    /// For a file that can't be read, an output that isn't a page, and as the provider fails.
    pub async fn read_lines(
        &self,
        path: &str,
        range: LineRange,
        options: &S::Options,
    ) -> Result<Page, Error<S::Error>> {
        let command = page::command(path::basename(path), range);
        let exec_options = ExecOptions {
            cwd: path::dirname(path),
            signal_of: options,
        };
        let output = self.sandbox.exec(&command, Some(exec_options)).await;
        let stdout = output.map_err(Error::Provider)?.into_stdout();
        let stdout = stdout.map_err(|reason| WorkspaceError::ReadLines {
            path: path.to_owned(),
            reason,
        })?;
        Ok(Page::parse(stdout, range).ok_or(WorkspaceError::NotAPage)?)
    }

    /// The id of a job that has started: `PID:START`, or the pid alone where `ps` tells nothing.
    pub async fn job_id(&self, pid: &str) -> String {
        jobs::job_id(&self.sandbox, pid).await
    }

    /// Kills a job by its id, also one of another backend over the same sandbox. `false`: the id
    /// isn't one, the job is gone, or it couldn't be killed.
    ///
    /// # Errors
    /// For a process that runs and can't be told to be the job, and as the provider fails.
    pub async fn kill_job(&self, job_id: &str) -> Result<bool, Error<S::Error>> {
        jobs::kill_job(&self.sandbox, job_id).await
    }

    /// Notes that a job runs, so that [`Self::close`] kills it.
    pub fn job_started(&self, job: S::Job) -> JobKey {
        self.jobs.add(job)
    }

    /// Notes that a job has ended.
    pub fn job_ended(&self, key: JobKey) {
        self.jobs.remove(key);
    }

    /// Kills the running jobs and, when it is owned, destroys the sandbox: once, however often and
    /// by how many at once it is called. Each caller waits for the end and gets the same result.
    ///
    /// Does nothing when the workspace has [moved](CloseReason::Moved).
    ///
    /// # Errors
    /// As `destroy` of the provider fails.
    pub async fn close(&self, reason: CloseReason) -> Result<(), Error<S::Error>> {
        if reason == CloseReason::Moved {
            return Ok(());
        }
        for job in self.jobs.running() {
            self.sandbox.kill(&job);
        }
        if self.ownership == Ownership::Borrowed {
            return Ok(());
        }
        let mut destroyed = self.destroyed.lock().await;
        let result = match destroyed.take() {
            Some(result) => result,
            None => self.sandbox.destroy().await,
        };
        *destroyed = Some(result.clone());
        result.map_err(Error::Provider)
    }

    async fn stat_by_reading(
        &self,
        path: PathArg<'_, S>,
        options: &S::Options,
    ) -> Result<Option<Stat<S::Size>>, Error<S::Error>> {
        if !self
            .sandbox
            .exists(path, options)
            .await
            .map_err(Error::Provider)?
        {
            return Ok(None);
        }
        let Ok(bytes) = self.sandbox.read_bytes(path, options).await else {
            return Ok(Some(Stat::Dir));
        };
        let size = self.sandbox.byte_length(&bytes).map_err(Error::Provider)?;
        Ok(Some(size.map_or(Stat::Dir, |size| Stat::File { size })))
    }

    /// Looks at all entries at once and fails with the first failure in time, as `Promise.all`
    /// does. (The joins of `futures` report a failure only in its turn.)
    async fn find_links(
        &self,
        lstat: &S::LstatFn,
        entries: &S::Entries,
        options: &S::Options,
        is_link: &mut [bool],
    ) -> Result<(), Error<S::Error>> {
        let look_at = |index| async move {
            let path = PathArg::Entry(entries, index);
            (index, self.sandbox.lstat(lstat, path, options).await)
        };
        let mut looks: FuturesUnordered<_> = (0..is_link.len()).map(look_at).collect();
        let mut failure = None;
        let found_all = poll_fn(|context| {
            loop {
                match looks.poll_next_unpin(context) {
                    Poll::Ready(Some((index, Ok(found)))) => {
                        if let Some(is_link) = is_link.get_mut(index) {
                            *is_link = matches!(found, Some(Lstat::Symlink));
                        }
                    }
                    // Goes on, because later entries may have yet to start.
                    Poll::Ready(Some((_, Err(error)))) => failure = failure.take().or(Some(error)),
                    Poll::Pending if failure.is_none() => return Poll::Pending,
                    Poll::Pending | Poll::Ready(None) => {
                        return Poll::Ready(failure.take().map_or(Ok(()), Err));
                    }
                }
            }
        });
        found_all.await.map_err(Error::Provider)
    }

    /// The text of the path that an operation is at: where a link led it, or else the caller's.
    fn text_of(&self, path: &S::Path, real: Option<String>) -> Result<String, Error<S::Error>> {
        match real {
            Some(real) => Ok(real),
            None => Ok(self
                .sandbox
                .path_text(path)
                .map_err(Error::Provider)?
                .into_owned()),
        }
    }
}
