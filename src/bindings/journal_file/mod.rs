//! The native functions behind `JournalFile`, over a *journal file*: a reader that a thread of the
//! pool has while it reads, and the batches that it has left for JavaScript.
//!
//! `startRead` begins a read and gives a promise of its end. `takeReading` then accepts what was
//! read, and `nextFileLines` gives its batches one by one, through the shared array that
//! `journal.rs` describes. The next read may be under way meanwhile, and no other behind it.

mod completion;
mod pool;

use std::collections::VecDeque;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use napi::sys;

use self::completion::Completion;
use super::external::new_long_string;
use super::journal::{batch_limits, write_layout};
use super::raw::{self, Call, Callback, Failure, Footprint, Value, callback};
use crate::journal_file::{
    FileError, FileReader, Operation, Progress, Reading, ReadyBatch, ReadyText,
};

/// Batches are asked for one after the other until there is none, and no sentinel is watched for.
const NO_FLAGS: i32 = 0;
/// A flag of `takeReading`: there is nothing more to read now, or ever.
const AT_END: u8 = 1;
/// A flag of `takeReading`: bytes were read.
const GROWN: u8 = 2;

/// The functions, which share the array of `journal.rs`.
pub const FUNCTIONS: [(&CStr, Callback); 5] = [
    (c"newJournalFile", new_journal_file),
    (c"startRead", callback!(JournalFile::start_read)),
    (c"takeReading", callback!(JournalFile::take_reading)),
    (c"nextFileLines", callback!(JournalFile::next_file_lines)),
    (c"closeFile", callback!(JournalFile::close_file)),
];

/// What JavaScript holds.
struct JournalFile {
    shared: Arc<Shared>,
    batches: VecDeque<ReadyBatch>,
    /// What is wrong with the file behind `batches`.
    error: Option<FileError>,
    reading: bool,
}

/// What it shares with the thread that reads.
struct Shared {
    /// `None` once it is closed. Locked while a read is under way.
    reader: Mutex<Option<FileReader>>,
    /// What was read and not taken.
    finished: Mutex<Option<Reading>>,
    closed: AtomicBool,
    bytes: AtomicUsize,
}

impl Footprint for JournalFile {
    fn bytes(&self) -> usize {
        self.shared.bytes.load(Ordering::Relaxed)
    }
}

impl JournalFile {
    /// `newJournalFile(path, position, follow, mostUnits)`. Opens nothing.
    fn new(call: &Call) -> Result<Self, Failure> {
        let path = PathBuf::from(call.text(0)?);
        let position = call.number(1)? as u64;
        let follow = call.boolean(2)?;
        let limits = batch_limits(call.number(3)? as usize);
        Ok(Self {
            shared: Arc::new(Shared {
                reader: Mutex::new(Some(FileReader::new(path, position, follow, limits))),
                finished: Mutex::new(None),
                closed: AtomicBool::new(false),
                bytes: AtomicUsize::new(0),
            }),
            batches: VecDeque::new(),
            error: None,
            reading: false,
        })
    }

    /// `startRead(file)`: a promise that is fulfilled when the read has ended, however it did.
    fn start_read(&mut self, call: &Call) -> Result<Value, Failure> {
        if self.reading {
            return Err(Failure::Argument("a read is under way already"));
        }
        let (completion, promise) = Completion::begin(call.env())?;
        let shared = Arc::clone(&self.shared);
        let started = pool::run(move || {
            shared.read();
            drop(completion);
        });
        // Another fault of the file, so that it comes behind all lines that were read before.
        if let Err(error) = started {
            self.shared.fail(FileError::Io {
                operation: Operation::Read,
                error,
            });
        }
        self.reading = true;
        Ok(promise)
    }

    /// `takeReading(file)`: flags of what the last read has come to. Its lines are `nextFileLines`.
    fn take_reading(&mut self, call: &Call) -> Result<Value, Failure> {
        self.reading = false;
        let Some(reading) = lock(&self.shared.finished).take() else {
            if self.shared.is_closed() {
                return call.new_number(f64::from(AT_END));
            }
            return Err(Failure::Node(
                "a panic while a file was read, which is a bug",
            ));
        };
        let grown = if reading.has_grown { GROWN } else { 0 };
        let end = match reading.outcome {
            Ok(Progress::More) => 0,
            Ok(Progress::End) => AT_END,
            Err(error) => {
                self.error = Some(error);
                AT_END
            }
        };
        self.batches.extend(reading.batches);
        call.new_number(f64::from(grown | end))
    }

    /// `nextFileLines(file)`: the text of the next batch that was taken, or `undefined`. Throws behind
    /// the last batch what is wrong with the file.
    fn next_file_lines(&mut self, call: &Call) -> Result<Value, Failure> {
        let Some(batch) = self.batches.pop_front() else {
            return match self.error.take() {
                Some(error) => Err(Failure::File(error)),
                None => Ok(ptr::null_mut()),
            };
        };
        let bytes = batch.footprint();
        let layout = call.shared_integers();
        match batch.unit_ends {
            Some(units) => write_layout(layout, &units, Some(&batch.byte_ends), NO_FLAGS)?,
            None => write_layout(layout, &batch.byte_ends, None, NO_FLAGS)?,
        }
        self.shared.bytes.fetch_sub(bytes, Ordering::Relaxed);
        match batch.text {
            ReadyText::Ascii(text) => call.new_latin1(&text),
            ReadyText::Utf16(text) => call.new_utf16(&text),
            ReadyText::Long(text) => new_long_string(call, text),
        }
    }

    /// `closeFile(file)`: closes it now or, where a read is under way, at the end of that.
    fn close_file(&mut self, call: &Call) -> Result<Value, Failure> {
        self.batches.clear();
        self.error = None;
        self.shared.close();
        call.undefined()
    }
}

/// One that nobody holds any more is closed: at once, or by the thread that reads.
impl Drop for JournalFile {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl Shared {
    /// On a thread of the pool.
    fn read(&self) {
        let mut reader = lock(&self.reader);
        if let Some(open) = reader.as_mut().filter(|_| !self.is_closed()) {
            let before = open.footprint();
            // What panicked isn't used again, and its file is closed.
            match catch_unwind(AssertUnwindSafe(|| open.read())) {
                Ok(reading) => {
                    let batches: usize = reading.batches.iter().map(ReadyBatch::footprint).sum();
                    let grown = (open.footprint() + batches).wrapping_sub(before);
                    self.bytes.fetch_add(grown, Ordering::Relaxed);
                    *lock(&self.finished) = Some(reading);
                }
                Err(_) => *reader = None,
            }
        }
        drop(reader);
        // `close` found the lock taken, and has left it to this thread.
        if self.is_closed() {
            self.close();
        }
    }

    /// Stands for a read that could not begin.
    fn fail(&self, error: FileError) {
        *lock(&self.finished) = Some(Reading {
            batches: Vec::new(),
            has_grown: false,
            outcome: Err(error),
        });
    }

    fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        let mut reader = match self.reader.try_lock() {
            Ok(reader) => reader,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        *reader = None;
        *lock(&self.finished) = None;
        self.bytes.store(0, Ordering::Relaxed);
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }
}

unsafe extern "C" fn new_journal_file(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    raw::construct(env, info, JournalFile::new)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
