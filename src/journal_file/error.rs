//! Why a journal file can't be read, or not any further.

use std::io;

use crate::journal::JournalError;

/// A fault of the file, or of what is in it.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused.
    #[error("{operation}: {error}")]
    Io {
        /// What was asked of it.
        operation: Operation,
        /// Its answer.
        error: io::Error,
    },
    /// There is something else than a regular file at the path.
    #[error("{kind}")]
    NotAFile {
        /// What it is, with its article.
        kind: &'static str,
    },
    /// The file ends before the position to start from.
    #[error("the file has {size} bytes, fewer than the position {position}")]
    PositionBeyondEnd {
        /// Where to start.
        position: u64,
        /// The size of the file.
        size: u64,
    },
    /// The file has become shorter than what was read of it.
    #[error("the file has {size} bytes left of {position} that were read")]
    Truncated {
        /// How far the file was read.
        position: u64,
        /// The size of the file.
        size: u64,
    },
    /// The path names another file now.
    #[error("the path names another file")]
    Replaced,
    /// The path names nothing any more.
    #[error("the path names no file")]
    Removed,
    /// A line can't be delivered.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What a system call was for, by the name that Node has for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Opening the file.
    Open,
    /// Looking at the file, or at what its path names.
    Stat,
    /// Reading.
    Read,
}

impl Operation {
    /// The name of the call.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stat => "stat",
            Self::Read => "read",
        }
    }

    /// The error of a call for this.
    pub(super) const fn failed(self, error: io::Error) -> FileError {
        FileError::Io {
            operation: self,
            error,
        }
    }
}

impl std::fmt::Display for Operation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}
