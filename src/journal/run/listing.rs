//! When the files of a folder were last changed, as `stat -c '%Y %n'` prints it.

use super::paths::{SLASH, without_slash};

const NEWLINE: u16 = b'\n' as u16;
const SPACE: u16 = b' ' as u16;

/// A file in a folder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListedFile<'a> {
    /// Its name, without the folder.
    pub name: &'a [u16],
    /// When it was last changed, in milliseconds since 1970.
    pub mtime_ms: f64,
}

/// The files directly inside `dir`, in the order of the lines.
///
/// `None` where the folder's own line is missing: then this `stat` takes no `-c`, or the folder
/// can't be read, and nothing is known of its files. What is no line of a file in it, like the second
/// half of a name with a newline, is dropped.
pub fn parse_mtime_listing<'a>(text: &'a [u16], dir: &[u16]) -> Option<Vec<ListedFile<'a>>> {
    let dir = without_slash(dir);
    let mut has_witness = false;
    let mut files = Vec::new();
    for line in text.split(|&unit| unit == NEWLINE) {
        let Some((mtime_ms, path)) = parse_line(line) else {
            continue;
        };
        has_witness |= path == dir;
        files.extend(name_in(dir, path).map(|name| ListedFile { name, mtime_ms }));
    }
    has_witness.then_some(files)
}

/// Digits, one space, a path.
fn parse_line(line: &[u16]) -> Option<(f64, &[u16])> {
    let space = line.iter().position(|&unit| unit == SPACE)?;
    let (digits, rest) = line.split_at_checked(space)?;
    let path = rest.get(1..).filter(|path| !path.is_empty())?;
    let digits: String = digits
        .iter()
        .map(|&unit| ascii_digit(unit))
        .collect::<Option<_>>()?;
    let seconds: f64 = digits.parse().ok()?;
    Some((seconds * 1000.0, path))
}

fn ascii_digit(unit: u16) -> Option<char> {
    char::from_u32(u32::from(unit)).filter(char::is_ascii_digit)
}

fn name_in<'a>(dir: &[u16], path: &'a [u16]) -> Option<&'a [u16]> {
    let name = path.strip_prefix(dir)?.strip_prefix(&[SLASH])?;
    (!name.is_empty() && !name.contains(&SLASH)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::parse_mtime_listing;
    use proptest::prelude::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn parse(text: &str, dir: &str) -> Option<Vec<(String, f64)>> {
        let text = units(text);
        let files = parse_mtime_listing(&text, &units(dir))?;
        let owned = |name: &[u16]| String::from_utf16(name).unwrap();
        Some(
            files
                .iter()
                .map(|file| (owned(file.name), file.mtime_ms))
                .collect(),
        )
    }

    fn listed(files: &[(&str, f64)]) -> Vec<(String, f64)> {
        let owned = |&(name, mtime_ms): &(&str, f64)| (name.to_owned(), mtime_ms);
        files.iter().map(owned).collect()
    }

    #[test]
    fn files_directly_inside_are_listed() {
        let text = "17 /d\n18 /d/a.ndjson\n19 /d/b c\r\n0 /d/ \n";
        let expected = Some(listed(&[("a.ndjson", 18e3), ("b c\r", 19e3), (" ", 0.0)]));
        assert_eq!(parse(text, "/d"), expected);
        assert_eq!(parse(text, "/d/"), expected);
        assert_eq!(parse(text.trim_end_matches('\n'), "/d"), expected);
    }

    #[test]
    fn other_lines_are_dropped() {
        let lines = [
            "18 /d/a/b",
            "18 /d/",
            "18 /dx",
            "18 /e/a",
            "18 d/a",
            "18 /d//a",
            "18  /d/a",
            " 18 /d/a",
            "18\t/d/a",
            "-18 /d/a",
            "+18 /d/a",
            "1.5 /d/a",
            "1e3 /d/a",
            "0x1 /d/a",
            "inf /d/a",
            "/d/a",
            "18",
            "18 ",
            "",
            "second half of a name",
            "٣ /d/a",
        ];
        for line in lines {
            assert_eq!(
                parse(&format!("17 /d\n{line}\n"), "/d"),
                Some(listed(&[])),
                "{line:?}"
            );
        }
    }

    #[test]
    fn without_the_line_of_the_folder_nothing_is_known() {
        let texts = [
            "",
            "18 /d/a\n",
            "17 /d/\n",
            "17 /d\r\n",
            "17  /d\n",
            "x /d\n",
            "17 /D\n",
        ];
        for text in texts {
            assert_eq!(parse(text, "/d"), None, "{text:?}");
        }
        assert_eq!(parse("17 ", "/"), None);
        assert_eq!(parse("18 /d/a\n17 /d", "/d"), Some(listed(&[("a", 18e3)])));
    }

    #[test]
    fn seconds_are_doubles() {
        let digits = "9".repeat(400);
        let text = format!("1 d\n9007199254740993 d/a\n{digits} d/b\n007 d/c");
        let expected = [
            ("a", 9_007_199_254_740_992_000.0),
            ("b", f64::INFINITY),
            ("c", 7e3),
        ];
        assert_eq!(parse(&text, "d"), Some(listed(&expected)));
    }

    proptest! {
        #[test]
        fn what_stat_prints_comes_back(
            dir in "(/[a-z '$é]{1,6}){0,3}/[a-z]{1,4}",
            files in prop::collection::vec(("[^/\n\0]{1,12}", any::<u32>()), 0..8),
            witness in any::<u32>(),
        ) {
            let lines = files.iter().map(|(name, seconds)| format!("{seconds} {dir}/{name}\n"));
            let text: String = [format!("{witness} {dir}\n")].into_iter().chain(lines).collect();
            let expected = files.iter().map(|(name, seconds)| (name.clone(), f64::from(*seconds) * 1e3));
            prop_assert_eq!(parse(&text, &dir), Some(expected.collect()));
        }
    }
}
