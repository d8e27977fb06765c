//! What the backend needs of a sandbox.

use std::borrow::Cow;

/// A live sandbox, as `SandboxHandle` of the original has it.
///
/// Only what the operations read is converted. All else passes through as an associated type, so
/// that an implementation over JavaScript keeps references and gives back the same objects.
///
/// Each method that returns a future makes exactly one call to the provider, with exactly the
/// arguments given: when it is called or when the future is first polled. The call must go on
/// without being polled, and when the future is dropped; nobody hears of its result then. Futures
/// need no `Send`, and the core boxes none.
pub trait Sandbox {
    /// What the provider fails with. A clone is the same object.
    type Error: Clone;
    /// A path as the caller gave it.
    type Path;
    /// The options of a call as the caller gave them, or that there are none.
    type Options;
    /// The size of a file as the provider gave it.
    type Size;
    /// `fs.lstat` as an operation found it.
    type LstatFn;
    /// What `fs.readBytes` gave.
    type Bytes;
    /// What `fs.list` gave.
    type Entries;
    /// A job in the list of running jobs. A clone is the same job.
    type Job: Clone;

    /// The text of the caller's path, for path arithmetic and messages.
    ///
    /// # Errors
    /// When it has none: the error that the caller gets.
    fn path_text<'a>(&self, path: &'a Self::Path) -> Result<Cow<'a, str>, Self::Error>;

    /// Looks up `fs.lstat`, which not every sandbox has, for the operation with these options.
    ///
    /// # Errors
    /// When the look-up throws.
    fn lstat_fn(&self, options: &Self::Options) -> Result<Option<Self::LstatFn>, Self::Error>;

    /// `fs.lstat(path, options)` through `lstat`. `None`: nothing is there.
    fn lstat(
        &self,
        lstat: &Self::LstatFn,
        path: PathArg<'_, Self>,
        options: &Self::Options,
    ) -> impl Future<Output = Result<Option<Lstat<Self::Size>>, Self::Error>>;

    /// `fs.exists(path, options)`.
    fn exists(
        &self,
        path: PathArg<'_, Self>,
        options: &Self::Options,
    ) -> impl Future<Output = Result<bool, Self::Error>>;

    /// `fs.readBytes(path, options)`.
    fn read_bytes(
        &self,
        path: PathArg<'_, Self>,
        options: &Self::Options,
    ) -> impl Future<Output = Result<Self::Bytes, Self::Error>>;

    /// `fs.list(path, options)`.
    fn list(
        &self,
        path: &Self::Path,
        options: &Self::Options,
    ) -> impl Future<Output = Result<Self::Entries, Self::Error>>;

    /// `fs.remove(path, options)`.
    fn remove(
        &self,
        path: &Self::Path,
        options: &Self::Options,
    ) -> impl Future<Output = Result<(), Self::Error>>;

    /// `process.exec(command, options)`, or `process.exec(command)` where `options` is `None`.
    fn exec(
        &self,
        command: &str,
        options: Option<ExecOptions<'_, Self>>,
    ) -> impl Future<Output = Result<ExecOutput, Self::Error>>;

    /// `destroy()`.
    fn destroy(&self) -> impl Future<Output = Result<(), Self::Error>>;

    /// The `byteLength` of what was read. `None` where the provider gave nothing.
    ///
    /// # Errors
    /// When the look-up throws.
    fn byte_length(&self, bytes: &Self::Bytes) -> Result<Option<Self::Size>, Self::Error>;

    /// How many entries a folder has.
    ///
    /// # Errors
    /// When the provider gave no list.
    fn entry_count(&self, entries: &Self::Entries) -> Result<usize, Self::Error>;

    /// Starts to kill a job. What comes of it, also a failure, stays with the job.
    fn kill(&self, job: &Self::Job);
}

/// A path on its way to the provider.
#[derive(Debug)]
pub enum PathArg<'a, S: Sandbox + ?Sized> {
    /// The caller's, to be handed over as it is.
    Caller(&'a S::Path),
    /// One that the backend worked out.
    Text(&'a str),
    /// That of the entry with this index, to be handed over as it is.
    Entry(&'a S::Entries, usize),
}

impl<S: Sandbox + ?Sized> Clone for PathArg<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Sandbox + ?Sized> Copy for PathArg<'_, S> {}

/// The options of a command that an operation of the backend runs.
#[derive(Debug)]
pub struct ExecOptions<'a, S: Sandbox + ?Sized> {
    /// The folder that it runs in.
    pub cwd: &'a str,
    /// The caller's options, whose `signal`, if any, is the command's too.
    pub signal_of: &'a S::Options,
}

/// What `lstat` tells of a path. Links aren't followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lstat<Size> {
    /// A file.
    File {
        /// Its size in bytes.
        size: Size,
    },
    /// A folder.
    Dir,
    /// A symbolic link.
    Symlink,
    /// A fifo, a socket or a device.
    Other,
    /// None of the types of the contract.
    Unknown {
        /// What the provider gave, as text.
        kind: String,
    },
}

/// How a command ended, with the one stream that matters then. A stream is `None` where the
/// provider gave no text for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExecOutput {
    /// With exit code 0.
    Success {
        /// What it wrote to stdout.
        stdout: Option<String>,
    },
    /// With another exit code, or with none.
    Failure {
        /// What it wrote to stderr.
        stderr: Option<String>,
    },
}

impl ExecOutput {
    /// Whether the exit code is 0.
    pub const fn is_success(&self) -> bool {
        matches!(self, Self::Success { .. })
    }

    /// The stdout of a command that succeeded.
    ///
    /// # Errors
    /// Why there is none, in words: the trimmed stderr of a command that failed.
    pub(super) fn into_stdout(self) -> Result<String, String> {
        match self {
            Self::Success { stdout } => {
                stdout.ok_or_else(|| "exec of the sandbox gave no text as stdout".to_owned())
            }
            Self::Failure {
                stderr: Some(stderr),
            } => Err(super::js::trim(&stderr).to_owned()),
            Self::Failure { stderr: None } => {
                Err("exec of the sandbox gave no text as stderr".to_owned())
            }
        }
    }
}
