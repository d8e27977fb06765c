use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::{FileError, FileReader, Progress, READ_BYTES, ReadyBatch, ReadyText};
use crate::journal::{BatchLimits, JournalError, LongText};

const LIMITS: BatchLimits = BatchLimits {
    bytes: 24 * 1024,
    lines: 1024,
    long_line_bytes: 1024 * 1024,
    units_a_line: 1 << 29,
};

/// A folder of a test's own, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("journal-file-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn file(&self, content: &[u8]) -> PathBuf {
        let path = self.0.join("journal");
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// The lines of a reader, with their positions, and where the next begins.
struct Lines {
    reader: FileReader,
    position: usize,
    found: Vec<(String, usize)>,
}

impl Lines {
    fn of(path: &Path, position: u64, follow: bool) -> Self {
        Self {
            reader: FileReader::new(path.to_owned(), position, follow, LIMITS),
            position: position as usize,
            found: Vec::new(),
        }
    }

    /// Reads until the end of the file, or until something is wrong with it.
    fn read_on(&mut self) -> Result<(), FileError> {
        loop {
            let before = self.position;
            let pending = self.reader.footprint();
            let reading = self.reader.read();
            for batch in reading.batches {
                self.add(batch);
            }
            assert!(self.position - before <= READ_BYTES + pending);
            match reading.outcome {
                Ok(Progress::More) => assert!(reading.has_grown, "more of nothing"),
                Ok(Progress::End) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    fn add(&mut self, batch: ReadyBatch) {
        let units: Vec<u16> = match batch.text {
            ReadyText::Ascii(bytes) => bytes.into_iter().map(u16::from).collect(),
            ReadyText::Utf16(units) | ReadyText::Long(LongText::Utf16(units)) => units,
            ReadyText::Long(LongText::Ascii(line)) => {
                line.bytes().iter().copied().map(u16::from).collect()
            }
        };
        let unit_ends = batch.unit_ends.as_ref().unwrap_or(&batch.byte_ends);
        assert_eq!(unit_ends.len(), batch.byte_ends.len());
        let mut start = 0;
        for (&unit_end, &byte_end) in unit_ends.iter().zip(&batch.byte_ends) {
            let unit_end = unit_end as usize;
            let line = String::from_utf16(&units[start..unit_end]).unwrap();
            self.found
                .push((line, self.position + byte_end as usize + 1));
            start = unit_end + 1;
        }
        self.position += *batch.byte_ends.last().unwrap() as usize + 1;
    }
}

/// The obvious way: all of the file, split at its newlines.
fn oracle(bytes: &[u8], position: usize) -> Vec<(String, usize)> {
    let mut end = position;
    let mut lines = Vec::new();
    for piece in bytes[position..].split_inclusive(|&byte| byte == b'\n') {
        end += piece.len();
        if let Some(line) = piece.strip_suffix(b"\n") {
            let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
            lines.push((String::from_utf8_lossy(line).into_owned(), end));
        }
    }
    lines
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

fn texts(lines: &Lines) -> Vec<&str> {
    lines.found.iter().map(|(line, _)| line.as_str()).collect()
}

#[test]
fn a_line_without_its_newline_is_not_delivered() {
    let folder = Folder::new();
    let mut lines = Lines::of(&folder.file(b"a\nb"), 0, false);
    lines.read_on().unwrap();
    assert_eq!(lines.found, [("a".to_owned(), 2)]);
}

#[test]
fn nothing_is_opened_before_the_first_read() {
    let folder = Folder::new();
    let mut lines = Lines::of(&folder.0.join("journal"), 0, false);
    folder.file(b"a\n");
    lines.read_on().unwrap();
    assert_eq!(texts(&lines), ["a"]);
}

#[test]
fn one_call_reads_a_bounded_piece() {
    let folder = Folder::new();
    let content = b"0123456\n".repeat(3 * READ_BYTES / 8 + 1);
    let mut lines = Lines::of(&folder.file(&content), 0, false);
    let reading = lines.reader.read();
    assert_eq!(reading.outcome.unwrap(), Progress::More);
    for batch in reading.batches {
        lines.add(batch);
    }
    assert_eq!(lines.position, READ_BYTES);
    lines.read_on().unwrap();
    assert_eq!(lines.found, oracle(&content, 0));
}

#[test]
fn long_lines_come_whole() {
    let folder = Folder::new();
    let content = ["x".repeat(3_000_000), "é".repeat(700_000), "y".to_owned()].join("\n");
    let mut lines = Lines::of(&folder.file(content.as_bytes()), 1, false);
    lines.read_on().unwrap();
    assert!(lines.found == oracle(content.as_bytes(), 1));
    assert_eq!(lines.found.len(), 2);
}

#[test]
fn a_reader_at_the_end_holds_no_buffer() {
    let folder = Folder::new();
    let content = [b"0123456\n".repeat(100_000), b"rest".to_vec()].concat();
    let path = folder.file(&content);
    let mut lines = Lines::of(&path, 0, true);
    lines.read_on().unwrap();
    assert!(lines.reader.footprint() < 64);
    append(&path, b"\n");
    lines.read_on().unwrap();
    assert_eq!(lines.found.last().unwrap().0, "rest");
}

#[test]
fn a_line_that_can_not_be_a_string_comes_behind_the_lines_before_it() {
    let folder = Folder::new();
    let path = folder.file(&[b"a\n".to_vec(), vec![b'x'; 4000]].concat());
    let mut lines = Lines::of(&path, 0, false);
    let limits = BatchLimits {
        units_a_line: 1000,
        ..LIMITS
    };
    lines.reader = FileReader::new(path, 0, false, limits);
    let error = lines.read_on().unwrap_err();
    assert!(matches!(
        error,
        FileError::Journal(JournalError::LineTooLong { bytes: 4000 })
    ));
    assert_eq!(texts(&lines), ["a"]);
}

#[test]
fn a_missing_file_is_an_error_of_the_system() {
    let folder = Folder::new();
    let mut lines = Lines::of(&folder.0.join("journal"), 0, true);
    let FileError::Io { operation, error } = lines.read_on().unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(operation.name(), "open");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_position_beyond_the_end_is_an_error_and_one_at_it_is_none() {
    let folder = Folder::new();
    let path = folder.file(b"a\n");
    Lines::of(&path, 2, false).read_on().unwrap();
    assert!(matches!(
        Lines::of(&path, 3, false).read_on().unwrap_err(),
        FileError::PositionBeyondEnd {
            position: 3,
            size: 2
        }
    ));
}

#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new();
    let fifo = folder.0.join("fifo");
    let mut kinds = vec![(folder.0.clone(), "a folder")];
    if cfg!(unix) {
        assert!(
            Command::new("mkfifo")
                .arg(&fifo)
                .status()
                .unwrap()
                .success()
        );
        kinds.push((fifo, "a FIFO"));
        kinds.push((PathBuf::from("/dev/null"), "a device"));
    }
    for (path, wanted) in kinds {
        match Lines::of(&path, 0, true).read_on().unwrap_err() {
            FileError::NotAFile { kind } => assert_eq!(kind, wanted),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_truncated_file_is_noticed_with_follow_and_without() {
    let folder = Folder::new();
    for follow in [false, true] {
        let path = folder.file(b"a\nb\nc");
        let mut lines = Lines::of(&path, 0, follow);
        lines.read_on().unwrap();
        OpenOptions::new()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(4)
            .unwrap();
        assert!(matches!(
            lines.read_on().unwrap_err(),
            FileError::Truncated {
                position: 5,
                size: 4
            }
        ));
        assert_eq!(texts(&lines), ["a", "b"]);
    }
}

#[test]
fn a_replaced_file_is_read_to_its_end_first() {
    let folder = Folder::new();
    let path = folder.file(b"a\n");
    let mut lines = Lines::of(&path, 0, true);
    lines.read_on().unwrap();
    let rest = b"0123456\n".repeat(READ_BYTES / 4);
    append(&path, &rest);
    let other = folder.0.join("other");
    fs::write(&other, "other\n").unwrap();
    fs::rename(&other, &path).unwrap();
    assert!(matches!(lines.read_on(), Err(FileError::Replaced)));
    assert_eq!(lines.position, 2 + rest.len());
}

#[test]
fn a_removed_file_is_read_to_its_end_first() {
    let folder = Folder::new();
    let path = folder.file(b"a\n");
    let mut lines = Lines::of(&path, 0, true);
    lines.read_on().unwrap();
    append(&path, b"b\nrest");
    fs::remove_file(&path).unwrap();
    assert!(matches!(lines.read_on(), Err(FileError::Removed)));
    assert_eq!(texts(&lines), ["a", "b"]);
}

#[test]
fn without_follow_it_does_not_matter_what_the_path_names() {
    let folder = Folder::new();
    let content = b"0123456\n".repeat(READ_BYTES / 4);
    let path = folder.file(&content);
    let mut lines = Lines::of(&path, 0, false);
    let reading = lines.reader.read();
    reading
        .batches
        .into_iter()
        .for_each(|batch| lines.add(batch));
    fs::remove_file(&path).unwrap();
    lines.read_on().unwrap();
    assert_eq!(lines.found, oracle(&content, 0));
}

#[cfg(unix)]
#[test]
fn a_path_that_a_fifo_has_taken_is_replaced_and_waits_for_nobody() {
    let folder = Folder::new();
    let path = folder.file(b"a\n");
    let mut lines = Lines::of(&path, 0, true);
    lines.read_on().unwrap();
    fs::remove_file(&path).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    assert!(matches!(lines.read_on(), Err(FileError::Replaced)));
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_followed_and_its_change_is_a_replacement() {
    let folder = Folder::new();
    let path = folder.file(b"a\n");
    let link = folder.0.join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut lines = Lines::of(&link, 0, true);
    lines.read_on().unwrap();
    assert_eq!(texts(&lines), ["a"]);
    let other = folder.0.join("other");
    fs::write(&other, "").unwrap();
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&other, &link).unwrap();
    assert!(matches!(lines.read_on(), Err(FileError::Replaced)));
}

/// Bytes with newlines, parts of characters and byte order marks among them.
fn journal() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => Just(b"\n".to_vec()),
        3 => "[a-z]{0,9}".prop_map(String::into_bytes),
        2 => Just("é😀".as_bytes().to_vec()),
        1 => Just(b"\xEF\xBB\xBF".to_vec()),
        2 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn equals_the_oracle_from_every_position_however_the_file_grows(
        bytes in journal(),
        position in any::<prop::sample::Index>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let folder = Folder::new();
        let position = position.index(bytes.len() + 1);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([position, bytes.len()]);
        cuts.retain(|&cut| cut >= position);
        cuts.sort_unstable();
        let path = folder.file(&bytes[..position]);
        let mut lines = Lines::of(&path, position as u64, true);
        let mut written = position;
        for cut in cuts {
            append(&path, &bytes[written..cut]);
            written = cut;
            lines.read_on().unwrap();
            prop_assert_eq!(&lines.found, &oracle(&bytes[..written], position));
        }
    }
}
