//! Any text at all where the workspace core takes text. Laws: no panic; paths obey the rules of
//! path arithmetic; a page holds no more than its output; the tail of an output is its end.

#![no_main]

use ai_sandbox_native::shell;
use ai_sandbox_native::workspace::{LineRange, OutputTail, Page, page_command, path};
use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input {
    path: String,
    other: String,
    output: String,
    offset: f64,
    limit: f64,
    chunks: Vec<Vec<u16>>,
    max_bytes: u8,
}

fuzz_target!(|input: Input| {
    paths(&input.path, &input.other);
    page(&input);
    tail(&input.chunks, usize::from(input.max_bytes));
});

fn paths(one: &str, other: &str) {
    let absolute = path::resolve(one);
    assert!(absolute.starts_with('/') && !absolute.contains("//"));
    assert_eq!(path::resolve(&absolute), absolute);
    assert_eq!(
        path::join(path::dirname(&absolute), path::basename(&absolute)),
        absolute
    );
    assert_eq!(
        path::resolve(&path::join("/", one)),
        path::resolve(&format!("/{one}"))
    );
    let joined = path::join(one, other);
    assert_eq!(path::join(&joined, ""), joined);
    assert!(!path::basename(one).contains('/'));
    let quoted = shell::quote(one);
    assert_eq!(quoted.replace(r"'\''", "").matches('\'').count(), 2);
}

fn page(input: &Input) {
    let range = LineRange::new(input.offset, input.limit);
    // A name can look like anything, so this is asked of one that doesn't.
    let command = page_command("name", range);
    assert!(!command.contains("Infinity") && !command.contains("NaN"));
    page_command(path::basename(&input.path), range);
    for output in [
        input.output.clone(),
        format!(
            "{}\n{}\n@lines\n{}\ntotal 3\n",
            input.path, input.other, input.output
        ),
    ] {
        let bytes = output.len();
        let units: Vec<u16> = output.encode_utf16().collect();
        if let Some(page) = Page::parse(output, range) {
            // What JavaScript cuts out of its own string are the same lines.
            let text = page
                .units()
                .map(|place| String::from_utf16_lossy(&units[place]));
            let lines: Vec<&str> = text.iter().flat_map(|text| text.split('\n')).collect();
            assert_eq!(page.lines().collect::<Vec<_>>(), lines);
            assert!(page.lines().map(str::len).sum::<usize>() + page.head.len() <= bytes);
        }
    }
}

fn tail(chunks: &[Vec<u16>], max_bytes: usize) {
    let mut tail = OutputTail::new(max_bytes);
    for chunk in chunks {
        tail.push_utf16(chunk);
    }
    let all = String::from_utf16_lossy(&chunks.concat());
    let text = tail.text();
    assert!(text.len() <= max_bytes && all.ends_with(&text));
    // At most the rest of one character is missing at the limit.
    assert!(text.len() == all.len() || text.len() + 3 >= max_bytes);
}
