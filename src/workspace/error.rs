//! What an operation of the backend can fail with.

/// A failure that the backend itself found. The texts are part of the interface: callers of the
/// original match on them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkspaceError {
    /// `readlink` in the sandbox failed, or gave no target.
    #[error("Cannot read the link {path}: {reason}")]
    ReadLink {
        /// The link.
        path: String,
        /// What the sandbox wrote to stderr, or what its output lacks.
        reason: String,
    },
    /// A path leads through more links than Linux would follow; usually they form a loop.
    #[error("ELOOP: too many links in {path}.")]
    TooManyLinks {
        /// The path that was asked for.
        path: String,
    },
    /// The sandbox can't tell links from files, so a real path can't be vouched for.
    #[error("This sandbox has no lstat, so links in {path} cannot be checked.")]
    NoLstat {
        /// The path that was asked for.
        path: String,
    },
    /// The path leads to a link whose target isn't there.
    #[error("ENOENT: {path} is a link to a target that is not there.")]
    DanglingLink {
        /// The path that was asked for.
        path: String,
    },
    /// Only files are removed, and this is a folder or isn't there.
    #[error("Cannot remove {path}: no such file.")]
    NotAFile {
        /// The path that was asked for.
        path: String,
    },
    /// The command that reads a page failed.
    #[error("Cannot read {path}: {reason}")]
    ReadLines {
        /// The file.
        path: String,
        /// What the sandbox wrote to stderr, or what its output lacks.
        reason: String,
    },
    /// The command that reads a page succeeded with an output of another shape.
    #[error("readLines: the output of the sandbox is not a page.")]
    NotAPage,
    /// The process runs, but nothing tells whether it is the job or a later one with its pid.
    #[error("Cannot check that process {pid} in the sandbox is the job: no start time from ps.")]
    UnverifiableJob {
        /// The process id as the job id has it.
        pid: String,
    },
    /// `lstat` of the sandbox gave a type that the contract doesn't know.
    #[error("lstat of the sandbox gave an unknown type for {path}: {kind}")]
    UnknownType {
        /// The path that was looked at.
        path: String,
        /// The type, as text.
        kind: String,
    },
}

/// A failure of an operation: the backend's own, or what the provider failed with, untouched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error<P> {
    /// The backend found it.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// The provider failed with it. The caller gets the same value, never a text made of it.
    #[error("the provider of the sandbox failed")]
    Provider(P),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_exact() {
        let path = || "/w/a b".to_owned();
        let reason = || "denied".to_owned();
        let cases = [
            (
                WorkspaceError::ReadLink {
                    path: path(),
                    reason: reason(),
                },
                "Cannot read the link /w/a b: denied",
            ),
            (
                WorkspaceError::TooManyLinks { path: path() },
                "ELOOP: too many links in /w/a b.",
            ),
            (
                WorkspaceError::NoLstat { path: path() },
                "This sandbox has no lstat, so links in /w/a b cannot be checked.",
            ),
            (
                WorkspaceError::DanglingLink { path: path() },
                "ENOENT: /w/a b is a link to a target that is not there.",
            ),
            (
                WorkspaceError::NotAFile { path: path() },
                "Cannot remove /w/a b: no such file.",
            ),
            (
                WorkspaceError::ReadLines {
                    path: path(),
                    reason: reason(),
                },
                "Cannot read /w/a b: denied",
            ),
            (
                WorkspaceError::NotAPage,
                "readLines: the output of the sandbox is not a page.",
            ),
            (
                WorkspaceError::UnverifiableJob {
                    pid: "12".to_owned(),
                },
                "Cannot check that process 12 in the sandbox is the job: no start time from ps.",
            ),
            (
                WorkspaceError::UnknownType {
                    path: path(),
                    kind: "\"door\"".to_owned(),
                },
                "lstat of the sandbox gave an unknown type for /w/a b: \"door\"",
            ),
        ];
        for (error, message) in cases {
            assert_eq!(error.to_string(), message);
            assert_eq!(Error::<()>::from(error).to_string(), message);
        }
    }
}
