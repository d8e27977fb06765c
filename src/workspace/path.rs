//! Paths as `path.posix` of Node computes them, for every text: empty, relative, with `.` and
//! `..`, with slashes doubled or at the end. Nothing here looks at a file system.

/// The absolute path of `path` from the root, as `resolve('/', path)` gives it.
pub fn resolve(path: &str) -> String {
    normalized(Start::Root, "", path)
}

/// `path` under `base`, as `join(base, path)` gives it. An absolute `path` stays under `base`.
pub fn join(base: &str, path: &str) -> String {
    let (first, last) = match (base, path) {
        ("", only) | (only, "") => (only, only),
        _ => (base, path),
    };
    let start = if first.starts_with('/') {
        Start::Root
    } else {
        Start::Unknown
    };
    let mut joined = normalized(start, base, path);
    if joined.is_empty() {
        joined.push('.');
    }
    if last.ends_with('/') && joined != "/" {
        joined.push('/');
    }
    joined
}

/// The folder of `path`: all before its last part, `.` where there is nothing before it.
pub fn dirname(path: &str) -> &str {
    let is_absolute = path.starts_with('/');
    match path.trim_end_matches('/').rfind('/') {
        // Node keeps both slashes of `//a`.
        Some(1) if is_absolute => "//",
        Some(end) if end > 0 => path.get(..end).unwrap_or_default(),
        _ if is_absolute => "/",
        _ => ".",
    }
}

/// The last part of `path`, empty for a root.
pub fn basename(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default()
}

/// Where a path starts.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// At the root, whose parent is itself.
    Root,
    /// At a folder that the text doesn't name, so a `..` that leads above it stays.
    Unknown,
}

/// The parts of both paths with single slashes between, each `.` and `..` worked out.
fn normalized(start: Start, base: &str, path: &str) -> String {
    let mut text = String::with_capacity(base.len() + path.len() + 2);
    if start == Start::Root {
        text.push('/');
    }
    // Before here is the root, and each `..` that stays.
    let mut fixed = text.len();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if text.len() > fixed => {
                let end = text.rfind('/').unwrap_or(0);
                text.truncate(end.max(fixed));
            }
            ".." if start == Start::Root => {}
            _ => {
                if !text.is_empty() && !text.ends_with('/') {
                    text.push('/');
                }
                text.push_str(part);
                if part == ".." {
                    fixed = text.len();
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    // Each table holds what Node 20 prints. A differential test runs the same functions against
    // Node through the addon, over thousands of paths.

    #[test]
    fn resolve_starts_at_the_root() {
        let cases = [
            ("", "/"),
            (".", "/"),
            ("..", "/"),
            ("/", "/"),
            ("//", "/"),
            ("a", "/a"),
            ("/a/", "/a"),
            ("//a//b//", "/a/b"),
            ("/a/./b/../c", "/a/c"),
            ("/../../a", "/a"),
            ("a/..", "/"),
            ("...", "/..."),
            ("/a/..b", "/a/..b"),
            ("/é/..\n/ ", "/é/..\n/ "),
        ];
        for (path, expected) in cases {
            assert_eq!(resolve(path), expected, "{path:?}");
        }
    }

    #[test]
    fn join_normalizes() {
        let cases = [
            ("", "", "."),
            ("", "a", "a"),
            ("a", "", "a"),
            ("/", "a", "/a"),
            ("/", "/a", "/a"),
            ("/a", "../..", "/"),
            ("/a", "../../", "/"),
            ("a", "..", "."),
            ("a", "../", "./"),
            ("a", "../..", ".."),
            ("a", "../../", "../"),
            ("..", "..", "../.."),
            ("a/", "b/", "a/b/"),
            (".", ".", "."),
            ("./", "", "./"),
            ("//", "", "/"),
            ("/..", "a", "/a"),
            ("a", "b/../../../c", "../c"),
        ];
        for (base, path, expected) in cases {
            assert_eq!(join(base, path), expected, "{base:?} {path:?}");
        }
    }

    #[test]
    fn dirname_keeps_what_is_before_the_last_part() {
        let cases = [
            ("", "."),
            ("a", "."),
            ("a/", "."),
            ("a//", "."),
            ("/", "/"),
            ("//", "/"),
            ("///", "/"),
            ("/a", "/"),
            ("/a/", "/"),
            ("//a", "//"),
            ("///a", "//"),
            ("////a", "///"),
            ("a/b", "a"),
            ("a//b", "a/"),
            ("/a/b/", "/a"),
            ("/a//b", "/a/"),
            ("./a", "."),
            ("é/b", "é"),
        ];
        for (path, expected) in cases {
            assert_eq!(dirname(path), expected, "{path:?}");
        }
    }

    #[test]
    fn basename_is_the_last_part() {
        let cases = [
            ("", ""),
            ("/", ""),
            ("//", ""),
            ("a", "a"),
            ("a/", "a"),
            ("/a//", "a"),
            ("/a/b", "b"),
            ("/a/.", "."),
            ("/a/..", ".."),
            ("//a", "a"),
            ("é/ü", "ü"),
        ];
        for (path, expected) in cases {
            assert_eq!(basename(path), expected, "{path:?}");
        }
    }
}
