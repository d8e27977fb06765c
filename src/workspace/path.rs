//! Paths as `path.posix` of Node computes them, for every text: empty, relative, with `.` and
//! `..`, with slashes doubled or at the end. Nothing here looks at a file system.

/// The absolute path of `path` from the root, as `resolve('/', path)` gives it.
pub fn resolve(path: &str) -> String {
    format!("/{}", without_dots(path, Above::Root))
}

/// `path` under `base`, as `join(base, path)` gives it. An absolute `path` stays under `base`.
pub fn join(base: &str, path: &str) -> String {
    match (base, path) {
        ("", only) | (only, "") => normalize(only),
        _ => normalize(&format!("{base}/{path}")),
    }
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

/// What is above the first part of a path.
#[derive(Clone, Copy)]
enum Above {
    /// The root, whose parent is itself.
    Root,
    /// A folder that the text doesn't name, so each further `..` stays.
    Unknown,
}

fn normalize(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let above = if is_absolute {
        Above::Root
    } else {
        Above::Unknown
    };
    let parts = without_dots(path, above);
    let root = if is_absolute { "/" } else { "" };
    match (parts.as_str(), path.ends_with('/')) {
        ("", _) if is_absolute => "/".to_owned(),
        ("", true) => "./".to_owned(),
        ("", false) => ".".to_owned(),
        (parts, true) => format!("{root}{parts}/"),
        (parts, false) => format!("{root}{parts}"),
    }
}

/// The parts of `path` with single slashes between, each `.` and `..` worked out.
fn without_dots(path: &str, above: Above) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last(), above) {
            ("" | ".", ..) | ("..", None, Above::Root) => {}
            ("..", None | Some(&".."), _) => parts.push(".."),
            ("..", Some(_), _) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
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
