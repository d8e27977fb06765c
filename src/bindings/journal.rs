//! The native functions behind the journal functions: over a *journal*, which is decoders and a
//! framer. `js/codecs.js` and `js/stages.js` call them, and say in what order.
//!
//! Lines come back as the text of a batch and, in the shared `Int32Array` `journalEnds`, where in it
//! each line ends. The layout of that array is known here and in `js/batch.js` only:
//!
//! | index | content |
//! | --- | --- |
//! | 0 | how many lines |
//! | 1 | flags: [`WIDE`], [`MORE`], [`SENTINEL`] |
//! | 2 … | the end of each line in the text, in UTF-16 code units; its newline stands there |
//! | 2 + [`MOST_LINES`] … | with [`WIDE`]: the end of each line in bytes |

use std::cell::RefCell;
use std::ptr;

use napi::sys;

use super::external::new_long_string;
use super::journal_file;
use super::raw::{self, Call, Callback, Failure, Footprint, StringScratch, Value, callback};
use crate::journal::run::ExitSentinel;
use crate::journal::{
    Base64Decoder, Batch, BatchDecoder, BatchLimits, BatchText, JournalError, LineFramer, LongText,
    Utf8Encoder,
};

/// Lines in a batch at most.
const MOST_LINES: usize = 1024;
/// Bytes in a batch of several lines at most: a line that is kept keeps its whole batch, in two
/// bytes a character at worst, so this stays under 32 KiB.
const BATCH_BYTES: usize = 24 * 1024;
/// From here on making a string over the line's own memory costs less than copying the line.
const LONG_LINE_BYTES: usize = 1024 * 1024;
/// A flag: the text isn't ASCII, and lines have other ends in bytes than in units.
const WIDE: i32 = 1;
/// A flag: there are complete lines left.
const MORE: i32 = 2;
/// A flag: a line may be the exit sentinel that is watched for.
const SENTINEL: i32 = 4;
const HEADER: usize = 2;

thread_local! {
    /// Shared by all instances of a thread, as each holds it only during a call.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

#[derive(Default)]
struct Scratch {
    strings: StringScratch,
    batch: BatchDecoder,
}

struct Journal {
    base64: Base64Decoder,
    utf8: Utf8Encoder,
    lines: LineFramer,
    /// Decoded bytes that are wanted as bytes.
    bytes: Vec<u8>,
    most_units: usize,
    /// What batches are searched for.
    sentinel: Option<ExitSentinel>,
}

/// Where decoded bytes go.
#[derive(Clone, Copy)]
enum Sink {
    Lines,
    Bytes,
}

impl Footprint for Journal {
    fn bytes(&self) -> usize {
        self.lines.capacity() + self.bytes.capacity()
    }
}

impl Journal {
    /// `newJournal(mostUnits)`: how many UTF-16 code units a string may have.
    fn new(call: &Call) -> Result<Self, Failure> {
        let most_units = call.number(0)? as usize;
        Ok(Self {
            base64: Base64Decoder::new(),
            utf8: Utf8Encoder::new(),
            lines: LineFramer::new(batch_limits(most_units)),
            bytes: Vec::new(),
            most_units,
            sentinel: None,
        })
    }

    /// `bytesToLines(journal, chunk, from, to, length)`: frames a window of a chunk of that length. Returns the text of the first
    /// batch, or `undefined` when no line is complete, as do the other functions to lines.
    fn bytes_to_lines(&mut self, call: &Call) -> Result<Value, Failure> {
        self.push_bytes(call)?;
        self.next_lines(call)
    }

    /// `holdBytes(journal, chunk, from, to, length)`: the same, but the lines stay until `nextLines()`.
    fn hold_bytes(&mut self, call: &Call) -> Result<Value, Failure> {
        self.push_bytes(call)?;
        Ok(ptr::null_mut())
    }

    fn push_bytes(&mut self, call: &Call) -> Result<(), Failure> {
        let range = call.number(2)? as usize..call.number(3)? as usize;
        let length = call.number(4)? as usize;
        let chunk = call.bytes(1)?;
        let window =
            chunk
                .get(range)
                .filter(|_| chunk.len() == length)
                .ok_or(Failure::Argument(
                    "a chunk was detached or cut while it was read",
                ))?;
        Ok(self.lines.push(window)?)
    }

    /// `textToLines(journal, text)`.
    fn text_to_lines(&mut self, call: &Call) -> Result<Value, Failure> {
        self.encode_text(call, Sink::Lines)?;
        self.next_lines(call)
    }

    /// `holdText(journal, text)`.
    fn hold_text(&mut self, call: &Call) -> Result<Value, Failure> {
        self.encode_text(call, Sink::Lines)?;
        Ok(ptr::null_mut())
    }

    /// `textToBytes(journal, text)`.
    fn text_to_bytes(&mut self, call: &Call) -> Result<Value, Failure> {
        self.encode_text(call, Sink::Bytes)?;
        Ok(ptr::null_mut())
    }

    fn encode_text(&mut self, call: &Call, sink: Sink) -> Result<(), Failure> {
        SCRATCH.with_borrow_mut(|scratch| {
            let units = call.utf16(1, &mut scratch.strings.utf16)?;
            let room = (units.len() + 2) * 3;
            let out = sink_of(sink, &mut self.lines, &mut self.bytes, room)?;
            self.utf8.encode(units, out);
            Ok(())
        })
    }

    /// `flushText(journal, toLines)`: the text has ended, or bytes follow it.
    fn flush_text(&mut self, call: &Call) -> Result<Value, Failure> {
        let sink = if call.boolean(1)? {
            Sink::Lines
        } else {
            Sink::Bytes
        };
        let out = sink_of(sink, &mut self.lines, &mut self.bytes, 3)?;
        self.utf8.flush(out);
        Ok(ptr::null_mut())
    }

    /// `checkBase64(journal, text, wide, last)`: takes note of a window of a chunk. With `last`, accepts the
    /// chunk and returns how many bytes it will give.
    fn check_base64(&mut self, call: &Call) -> Result<Value, Failure> {
        let wide = call.boolean(2)?;
        SCRATCH.with_borrow_mut(|scratch| {
            let window = call.units(1, wide, &mut scratch.strings)?;
            self.base64.check(window);
            Ok::<_, Failure>(())
        })?;
        if !call.boolean(3)? {
            return Ok(ptr::null_mut());
        }
        call.new_number(self.base64.accept()? as f64)
    }

    /// `base64ToLines(journal, text, wide)`: decodes a window of the accepted chunk.
    fn base64_to_lines(&mut self, call: &Call) -> Result<Value, Failure> {
        self.decode_base64(call, Sink::Lines)?;
        self.next_lines(call)
    }

    /// `holdBase64(journal, text, wide)`.
    fn hold_base64(&mut self, call: &Call) -> Result<Value, Failure> {
        self.decode_base64(call, Sink::Lines)?;
        Ok(ptr::null_mut())
    }

    /// `base64ToBytes(journal, text, wide)`.
    fn base64_to_bytes(&mut self, call: &Call) -> Result<Value, Failure> {
        self.decode_base64(call, Sink::Bytes)?;
        Ok(ptr::null_mut())
    }

    fn decode_base64(&mut self, call: &Call, sink: Sink) -> Result<(), Failure> {
        let wide = call.boolean(2)?;
        SCRATCH.with_borrow_mut(|scratch| {
            let window = call.units(1, wide, &mut scratch.strings)?;
            let room = window.len() + 3;
            let out = sink_of(sink, &mut self.lines, &mut self.bytes, room)?;
            Ok(self.base64.decode(window, out)?)
        })
    }

    /// `finishBase64(journal)`: throws when characters wait.
    fn finish_base64(&mut self, _: &Call) -> Result<Value, Failure> {
        self.base64.finish()?;
        Ok(ptr::null_mut())
    }

    /// `takeBytes(journal)`: a `Uint8Array`, or `undefined` when there are none.
    fn take_bytes(&mut self, call: &Call) -> Result<Value, Failure> {
        if self.bytes.is_empty() {
            return Ok(ptr::null_mut());
        }
        call.new_bytes(&std::mem::take(&mut self.bytes))
    }

    /// `pendingBytes(journal)`: what was pushed and not taken as lines.
    fn pending_bytes(&mut self, call: &Call) -> Result<Value, Failure> {
        call.new_number(self.lines.pending_bytes() as f64)
    }

    /// `watchSentinel(journal, nonce)`: from here on a batch that may hold the exit sentinel with this
    /// nonce is flagged.
    fn watch_sentinel(&mut self, call: &Call) -> Result<Value, Failure> {
        self.sentinel = Some(ExitSentinel::new(&call.text(1)?));
        Ok(ptr::null_mut())
    }

    /// `nextLines(journal)`: the text of the next batch, or `undefined` when no line is complete.
    fn next_lines(&mut self, call: &Call) -> Result<Value, Failure> {
        let layout = call.shared_integers();
        let sentinel = self.sentinel.as_ref();
        let flags = |bytes: &[u8], more: bool| {
            let may_hold_it = sentinel.is_some_and(|sentinel| sentinel.may_be_in(bytes));
            (if more { MORE } else { 0 }) | (if may_hold_it { SENTINEL } else { 0 })
        };
        match self.lines.take()? {
            None => Ok(ptr::null_mut()),
            Some(Batch::Lines { bytes, ends, more }) => {
                let flags = flags(bytes, more);
                SCRATCH.with_borrow_mut(|scratch| match scratch.batch.decode(bytes, ends) {
                    BatchText::Ascii(text) => {
                        write_layout(layout, ends, None, flags)?;
                        call.new_latin1(text)
                    }
                    BatchText::Utf16(text, unit_ends) => {
                        write_layout(layout, unit_ends, Some(ends), flags)?;
                        call.new_utf16(text)
                    }
                })
            }
            Some(Batch::Long { line, more }) => {
                let flags = flags(line.bytes(), more);
                let byte_end = [line.bytes().len() as u32];
                let text = LongText::of(line, self.most_units)?;
                match &text {
                    LongText::Ascii(_) => write_layout(layout, &byte_end, None, flags)?,
                    LongText::Utf16(units) => {
                        let unit_end = [units.len() as u32];
                        write_layout(layout, &unit_end, Some(&byte_end), flags)?;
                    }
                }
                new_long_string(call, text)
            }
        }
    }
}

/// What a batch may hold, for lines of `most_units` UTF-16 code units at most.
pub(super) const fn batch_limits(most_units: usize) -> BatchLimits {
    BatchLimits {
        bytes: BATCH_BYTES,
        lines: MOST_LINES,
        long_line_bytes: LONG_LINE_BYTES,
        units_a_line: most_units,
    }
}

fn sink_of<'a>(
    sink: Sink,
    lines: &'a mut LineFramer,
    bytes: &'a mut Vec<u8>,
    room: usize,
) -> Result<&'a mut Vec<u8>, Failure> {
    match sink {
        Sink::Lines => Ok(lines.input(room)?),
        Sink::Bytes => {
            let total = (bytes.len() + room) as u64;
            bytes
                .try_reserve(room)
                .map_err(|_| JournalError::OutOfMemory { bytes: total })?;
            Ok(bytes)
        }
    }
}

/// Writes to the shared array where the lines of a batch end.
pub(super) fn write_layout(
    layout: &mut [i32],
    unit_ends: &[u32],
    byte_ends: Option<&[u32]>,
    other_flags: i32,
) -> Result<(), Failure> {
    let too_short = Failure::Argument("the shared array is too short");
    let Some(([count, flags], rest)) = layout.split_first_chunk_mut::<HEADER>() else {
        return Err(too_short);
    };
    let Some((units, bytes)) = rest.split_at_mut_checked(MOST_LINES) else {
        return Err(too_short);
    };
    if bytes.len() < MOST_LINES {
        return Err(too_short);
    }
    *count = unit_ends.len() as i32;
    *flags = other_flags | if byte_ends.is_some() { WIDE } else { 0 };
    for (place, end) in units.iter_mut().zip(unit_ends) {
        *place = *end as i32;
    }
    for (place, end) in bytes.iter_mut().zip(byte_ends.unwrap_or_default()) {
        *place = *end as i32;
    }
    Ok(())
}

/// Defines the functions, and their array `journalEnds`, on `exports`.
pub fn define(env: sys::napi_env, exports: sys::napi_value) -> Result<(), Failure> {
    let functions = [
        (c"newJournal", new_journal as Callback),
        (c"bytesToLines", callback!(Journal::bytes_to_lines)),
        (c"textToLines", callback!(Journal::text_to_lines)),
        (c"base64ToLines", callback!(Journal::base64_to_lines)),
        (c"holdBytes", callback!(Journal::hold_bytes)),
        (c"holdText", callback!(Journal::hold_text)),
        (c"holdBase64", callback!(Journal::hold_base64)),
        (c"watchSentinel", callback!(Journal::watch_sentinel)),
        (c"nextLines", callback!(Journal::next_lines)),
        (c"pendingBytes", callback!(Journal::pending_bytes)),
        (c"textToBytes", callback!(Journal::text_to_bytes)),
        (c"base64ToBytes", callback!(Journal::base64_to_bytes)),
        (c"takeBytes", callback!(Journal::take_bytes)),
        (c"checkBase64", callback!(Journal::check_base64)),
        (c"flushText", callback!(Journal::flush_text)),
        (c"finishBase64", callback!(Journal::finish_base64)),
    ];
    let functions = [&functions[..], &journal_file::FUNCTIONS].concat();
    let ends = (c"journalEnds", HEADER + 2 * MOST_LINES);
    raw::define_functions(env, exports, &functions, ends)
}

unsafe extern "C" fn new_journal(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    raw::construct(env, info, Journal::new)
}
