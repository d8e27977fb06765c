//! One page of a file: the command that reads it in the sandbox, and its output.
//!
//! The output is the size of the file, its first bytes in hex, a line `@lines`, the lines of the
//! page, and a last line: `more`, or `total` and how many lines the file has.

use std::ops::Range;

use super::js;
use crate::shell;

/// How many bytes of the start of the file come with a page, for who tells its type by them.
const HEAD_BYTES: u32 = 8 * 1024;
/// A page ends behind the line that takes it over so many bytes.
const MAX_PAGE_BYTES: u32 = 64 * 1024;
/// The line between the first bytes and the lines.
const LINES_MARK: &str = "@lines";
/// JavaScript's greatest safe integer: a line that no file has.
const NO_SUCH_LINE: f64 = 9_007_199_254_740_991.0;
/// Prints the lines from `o` to before `e`, fewer when they have more than `max` bytes, then
/// `more`, or `total` and the number of lines. To the letter as in the original.
const AWK_PROGRAM: &str = r#"NR >= e { more = 1; exit } NR >= o { print; n += length($0) + 1; if (n > max) e = NR + 1 } END { if (more) print "more"; else print "total " NR }"#;

/// The lines that a page asks for, by their numbers from 1.
///
/// Doubles, because the caller's numbers are JavaScript's and may be fractions, NaN or infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineRange {
    first: f64,
    end: f64,
}

impl LineRange {
    /// The lines from `offset` on, `limit` of them. Fractions are cut off. A NaN `offset` is the
    /// first line and a NaN `limit` none; an infinite `limit` is all lines.
    pub fn new(offset: f64, limit: f64) -> Self {
        // `f64::max` gives the other number for NaN, where JavaScript gives NaN.
        let first = offset.floor().max(1.0);
        let end = first + limit.floor().max(0.0);
        Self { first, end }
    }

    /// The number of the first line.
    pub const fn first(self) -> f64 {
        self.first
    }

    /// The number of the line behind the last, infinite for all lines.
    pub const fn end(self) -> f64 {
        self.end
    }
}

/// The command that reads a page of the file with this base name, in the folder of the file.
pub fn command(base_name: &str, range: LineRange) -> String {
    // With `./` no name is taken for an option, nor by awk for an assignment.
    let name = shell::quote(&format!("./{base_name}"));
    let first = awk_number(range.first);
    let end = awk_number(range.end);
    let program = shell::quote(AWK_PROGRAM);
    format!(
        "wc -c < {name} && od -An -v -tx1 -N {HEAD_BYTES} {name} && echo {LINES_MARK} && \
         awk -v o={first} -v e={end} -v max={MAX_PAGE_BYTES} {program} {name}"
    )
}

/// A page of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The first bytes of the file.
    pub head: Vec<u8>,
    /// The size of the file in bytes. NaN where `wc` of the sandbox printed no number.
    pub size: f64,
    /// How many lines the file has. `None` where the file goes on behind the page.
    pub total: Option<f64>,
    output: String,
    lines: Option<Range<usize>>,
}

impl Page {
    /// Reads the output of [`command`]. `None` where it has another shape.
    pub fn parse(output: String, range: LineRange) -> Option<Self> {
        let rows = output.strip_suffix('\n').unwrap_or(&output);
        let (rows, status) = rows.rsplit_once('\n')?;
        let total = status
            .strip_prefix("total ")
            .filter(|total| is_count(total))
            .map(js::number);
        if total.is_none() && status != "more" {
            return None;
        }
        let (size, rest) = rows
            .split_once('\n')
            .filter(|&(size, _)| size != LINES_MARK)?;
        let rest_at = size.len() + 1;
        let (hex, lines) = split_at_mark(rest)?;
        let head = hex.split(js::is_space).filter(|byte| !byte.is_empty());
        let head = head.map(js::hex_byte).collect();
        let size = js::number(size);
        if size == 0.0 && total.is_some() {
            // An empty file has one line, which is empty, though awk counts none.
            let lines = (range.first <= 1.0).then_some(0..0);
            return Some(Self {
                head,
                size,
                total: Some(1.0),
                output,
                lines,
            });
        }
        let lines = lines.map(|lines| rest_at + lines.start..rest_at + lines.end);
        Some(Self {
            head,
            size,
            total,
            output,
            lines,
        })
    }

    /// The lines, without their ends. None where the page is behind the end of the file.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text().into_iter().flat_map(|text| text.split('\n'))
    }

    /// Where in the output the lines stand, with newlines between, in UTF-16 code units, for who has
    /// the output as a string of JavaScript and splits that. `None` is no line, while an empty range
    /// is one empty line.
    pub fn units(&self) -> Option<Range<usize>> {
        let lines = self.lines.clone()?;
        let start = utf16_len(self.output.get(..lines.start)?);
        Some(start..start + utf16_len(self.output.get(lines)?))
    }

    fn text(&self) -> Option<&str> {
        self.output.get(self.lines.clone()?)
    }
}

fn awk_number(line: f64) -> String {
    // An awk may take the word Infinity for a number, a text or a variable.
    js::integer_text(if line.is_finite() { line } else { NO_SUCH_LINE })
}

fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(char::len_utf16).sum()
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// What is before the first row that is the mark, and where the rows behind it are, if any.
fn split_at_mark(rows: &str) -> Option<(&str, Option<Range<usize>>)> {
    let mut start = 0;
    for row in rows.split('\n') {
        if row == LINES_MARK {
            let lines = start + LINES_MARK.len() + 1;
            return Some((
                rows.get(..start)?,
                (lines <= rows.len()).then_some(lines..rows.len()),
            ));
        }
        start += row.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests;
