//! The commands in the shell of this machine: what they print is a page, and a quoted word is one
//! word.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ai_sandbox_native::shell;
use ai_sandbox_native::workspace::{LineRange, Page, page_command};

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("workspace-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn page(&self, name: &str, content: &[u8], offset: f64, limit: f64) -> Page {
        fs::write(self.0.join(name), content).unwrap();
        let range = LineRange::new(offset, limit);
        Page::parse(run(&page_command(name, range), &self.0), range).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn run(command: &str, cwd: &Path) -> String {
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(cwd)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn lines(page: &Page) -> Vec<&str> {
    page.lines().collect()
}

#[test]
fn a_quoted_word_is_one_word() {
    for word in ["it's", "a\nb", "-n", "$HOME `id` \\", "", "''", "😀 \"*\""] {
        let command = format!("printf '[%s]' {}", shell::quote(word));
        assert_eq!(run(&command, Path::new("/")), format!("[{word}]"));
    }
}

#[test]
fn pages_of_a_file() {
    let folder = Folder::new("pages");
    let content = b"one\ntwo\r\n\nfour\n";
    let all = folder.page("a", content, 1.0, f64::INFINITY);
    assert_eq!(lines(&all), ["one", "two\r", "", "four"]);
    assert_eq!(
        (all.head.as_slice(), all.size, all.total),
        (&content[..], 15.0, Some(4.0))
    );
    let middle = folder.page("a", content, 2.0, 2.0);
    assert_eq!((lines(&middle), middle.total), (vec!["two\r", ""], None));
    let behind = folder.page("a", content, 9.0, 2.0);
    assert_eq!((lines(&behind), behind.total), (vec![], Some(4.0)));
    let far = folder.page("a", content, f64::INFINITY, 1e21);
    assert_eq!((lines(&far), far.total), (vec![], Some(4.0)));
}

#[test]
fn pages_of_an_empty_file_and_of_one_without_a_final_newline() {
    let folder = Folder::new("ends");
    let empty = folder.page("empty", b"", 1.0, 10.0);
    assert_eq!(
        (lines(&empty), empty.size, empty.total),
        (vec![""], 0.0, Some(1.0))
    );
    let open = folder.page("open", b"a\nb", 1.0, 10.0);
    assert_eq!(
        (lines(&open), open.size, open.total),
        (vec!["a", "b"], 3.0, Some(2.0))
    );
}

#[test]
fn a_page_ends_behind_the_line_that_makes_it_too_long() {
    let folder = Folder::new("long");
    let long = "x".repeat(70_000);
    let page = folder.page(
        "a",
        format!("a\n{long}\nb\n").as_bytes(),
        1.0,
        f64::INFINITY,
    );
    assert_eq!((lines(&page), page.total), (vec!["a", long.as_str()], None));
    assert_eq!((page.head.len(), page.size), (8192, 70_005.0));
}

#[test]
fn case_14_pages_of_files_with_odd_names() {
    let folder = Folder::new("names");
    for name in ["it's", "a\nb", "-n", "v=1.txt", "a b", "😀"] {
        let page = folder.page(name, b"1\n2\n", 2.0, 1.0);
        assert_eq!(lines(&page), ["2"], "{name:?}");
    }
}
