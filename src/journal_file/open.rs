//! Opening a file, and telling later whether its path still names it.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use super::{FileError, Operation};

/// A regular file that is open, and how far it was read.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    offset: u64,
    identity: Identity,
}

impl OpenFile {
    /// Opens the file at `path`, to read from `position` on.
    ///
    /// # Errors
    ///
    /// [`FileError::Io`], [`FileError::NotAFile`] and [`FileError::PositionBeyondEnd`].
    pub fn open(path: &Path, position: u64) -> Result<Self, FileError> {
        // Asked first, since only to open some devices has an effect already; and then again of
        // what was opened, which may be another file.
        let before = fs::metadata(path).map_err(|error| Operation::Open.failed(error))?;
        require_regular(&before)?;
        let mut file = options()
            .open(path)
            .map_err(|error| Operation::Open.failed(error))?;
        let metadata = file
            .metadata()
            .map_err(|error| Operation::Stat.failed(error))?;
        require_regular(&metadata)?;
        let size = metadata.len();
        if position > size {
            return Err(FileError::PositionBeyondEnd { position, size });
        }
        file.seek(SeekFrom::Start(position))
            .map_err(|error| Operation::Read.failed(error))?;
        let identity = Identity::of(&file).map_err(|error| Operation::Stat.failed(error))?;
        Ok(Self {
            file,
            offset: position,
            identity,
        })
    }

    /// How many bytes there are behind what was read.
    ///
    /// # Errors
    ///
    /// [`FileError::Truncated`] when there are fewer than were read, and [`FileError::Io`].
    pub fn available(&self) -> Result<u64, FileError> {
        let metadata = self
            .file
            .metadata()
            .map_err(|error| Operation::Stat.failed(error))?;
        let size = metadata.len();
        size.checked_sub(self.offset).ok_or(FileError::Truncated {
            position: self.offset,
            size,
        })
    }

    /// Reads until `buffer` is full or the file ends. Gives how much was read, also beside an error.
    pub fn read(&mut self, mut buffer: &mut [u8]) -> (usize, Result<(), FileError>) {
        let mut total = 0;
        while !buffer.is_empty() {
            match self.file.read(buffer) {
                Ok(0) => break,
                Ok(count) => {
                    total += count;
                    self.offset += count as u64;
                    buffer = buffer.get_mut(count..).unwrap_or_default();
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return (total, Err(Operation::Read.failed(error))),
            }
        }
        (total, Ok(()))
    }

    /// Whether `path` still names this file.
    ///
    /// # Errors
    ///
    /// [`FileError::Removed`], [`FileError::Replaced`] and [`FileError::Io`].
    pub fn check_path(&self, path: &Path) -> Result<(), FileError> {
        match self.identity.is_of(path) {
            Ok(true) => Ok(()),
            Ok(false) => Err(FileError::Replaced),
            // The second: a folder on the way to it has become something else.
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                Err(FileError::Removed)
            }
            Err(error) => Err(Operation::Stat.failed(error)),
        }
    }
}

#[cfg(unix)]
fn options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    // For what takes the place of a regular file in between: a FIFO would wait for a writer, and a
    // terminal become this process's own.
    options
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    options
}

#[cfg(not(unix))]
fn options() -> OpenOptions {
    let mut options = File::options();
    options.read(true);
    options
}

fn require_regular(metadata: &Metadata) -> Result<(), FileError> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(FileError::NotAFile {
        kind: kind_of(metadata.file_type()),
    })
}

#[cfg(unix)]
fn kind_of(file_type: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match file_type {
        _ if file_type.is_dir() => "a folder",
        _ if file_type.is_fifo() => "a FIFO",
        _ if file_type.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn kind_of(file_type: FileType) -> &'static str {
    if file_type.is_dir() {
        "a folder"
    } else {
        "a device"
    }
}

/// What tells a file from all others, as long as it is open.
#[cfg(unix)]
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl Identity {
    fn of(file: &File) -> io::Result<Self> {
        file.metadata().map(|metadata| Self::from(&metadata))
    }

    /// Opens nothing, for what is at the path now may be anything.
    fn is_of(&self, path: &Path) -> io::Result<bool> {
        fs::metadata(path).map(|metadata| Self::from(&metadata) == *self)
    }
}

#[cfg(unix)]
impl From<&Metadata> for Identity {
    fn from(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }
}

#[cfg(windows)]
#[derive(Debug)]
struct Identity(same_file::Handle);

#[cfg(windows)]
impl Identity {
    fn of(file: &File) -> io::Result<Self> {
        same_file::Handle::from_file(file.try_clone()?).map(Self)
    }

    fn is_of(&self, path: &Path) -> io::Result<bool> {
        same_file::Handle::from_path(path).map(|handle| handle == self.0)
    }
}
