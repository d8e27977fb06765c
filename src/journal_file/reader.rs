//! From a file to batches of lines, a bounded piece at a time.

use std::path::PathBuf;

use super::open::OpenFile;
use super::{FileError, ReadyBatch};
use crate::journal::{BatchDecoder, BatchLimits, JournalError, LineFramer};

/// Bytes that one call reads at most.
pub const READ_BYTES: usize = 256 * 1024;

/// Reads a journal file.
#[derive(Debug)]
pub struct FileReader {
    path: PathBuf,
    /// Where to start. How far the file was read then, is known to `file`.
    position: u64,
    /// Whether the path must go on naming the file.
    follow: bool,
    most_units: usize,
    file: Option<OpenFile>,
    framer: LineFramer,
    decoder: BatchDecoder,
}

/// What one call has read.
#[derive(Debug)]
pub struct Reading {
    /// The lines that it completes.
    pub batches: Vec<ReadyBatch>,
    /// Whether any bytes were read.
    pub has_grown: bool,
    /// How it stands, behind these lines.
    pub outcome: Result<Progress, FileError>,
}

/// Where in the file a call has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Before its end.
    More,
    /// At its end, as it was then.
    End,
}

impl FileReader {
    /// A reader of the file at `path` from `position` on. Opens nothing yet.
    ///
    /// With `follow`, the path must go on naming the file that is read.
    pub fn new(path: PathBuf, position: u64, follow: bool, limits: BatchLimits) -> Self {
        Self {
            path,
            position,
            follow,
            most_units: limits.units_a_line,
            file: None,
            framer: LineFramer::new(limits),
            decoder: BatchDecoder::default(),
        }
    }

    /// How many bytes of memory the reader holds, about.
    pub fn footprint(&self) -> usize {
        self.framer.capacity()
    }

    /// Reads on, by [`READ_BYTES`] at most; the first call opens the file. After an error there is
    /// nothing more to read.
    pub fn read(&mut self) -> Reading {
        let mut batches = Vec::new();
        let pending = self.framer.pending_bytes();
        let filled = self.fill();
        let has_grown = self.framer.pending_bytes() > pending;
        let framed = self.frame(&mut batches);
        // A line that can't be delivered stands before whatever went wrong behind it.
        let outcome = framed.map_err(FileError::from).and(filled);
        if matches!(outcome, Ok(Progress::End)) {
            self.framer.shrink();
        }
        Reading {
            batches,
            has_grown,
            outcome,
        }
    }

    fn fill(&mut self) -> Result<Progress, FileError> {
        let file = match &mut self.file {
            Some(file) => file,
            empty => empty.insert(OpenFile::open(&self.path, self.position)?),
        };
        // Asked before the read: all that was written before the file left its path is then read.
        let left = if self.follow {
            file.check_path(&self.path)
        } else {
            Ok(())
        };
        match fill_framer(&mut self.framer, file)? {
            Progress::More => Ok(Progress::More),
            Progress::End => left.map(|()| Progress::End),
        }
    }

    fn frame(&mut self, batches: &mut Vec<ReadyBatch>) -> Result<(), JournalError> {
        while let Some(batch) = self.framer.take()? {
            let batch = ReadyBatch::of(batch, &mut self.decoder, self.most_units)?;
            batches.push(batch);
        }
        Ok(())
    }
}

/// An idle file costs no buffer, since its size is asked first.
fn fill_framer(framer: &mut LineFramer, file: &mut OpenFile) -> Result<Progress, FileError> {
    let available = file.available()?;
    let wanted = available.min(READ_BYTES as u64) as usize;
    if wanted == 0 {
        return Ok(Progress::End);
    }
    let buffer = framer.input(wanted)?;
    let start = buffer.len();
    buffer.resize(start + wanted, 0);
    let (count, result) = file.read(buffer.get_mut(start..).unwrap_or_default());
    buffer.truncate(start + count);
    result?;
    if count < wanted {
        // It was cut just now, or tells a wrong size; a second look must not begin at once.
        return file.available().map(|_| Progress::End);
    }
    Ok(if available > wanted as u64 {
        Progress::More
    } else {
        Progress::End
    })
}
