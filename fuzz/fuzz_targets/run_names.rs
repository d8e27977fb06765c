//! Names of files and listings of them. Garbage: no panic, and an answer that keeps its promises.
//! Law: what was encoded or printed comes back.

#![no_main]

use ai_sandbox_native::journal::run::{
    DecodedRunId, JournalPaths, commands, decode_run_id, encode_run_id, parse_mtime_listing,
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

const MOST_CHARACTERS: usize = 200;

#[derive(Arbitrary, Debug)]
struct Input {
    run_id: String,
    file_name: String,
    dir: Vec<u16>,
    listing: Vec<u16>,
    files: Vec<(Vec<u16>, u32)>,
    command: Vec<u16>,
}

fuzz_target!(|input: Input| {
    encoded_comes_back(&input.run_id);
    for extension in ["", ".ndjson", ".err"] {
        decoded_is_no_guess(&format!("{}{extension}", input.file_name));
    }
    listed_is_inside(&input.listing, &input.dir);
    printed_comes_back(&input.files, &input.dir);
    passes_through(&input);
});

fn encoded_comes_back(run_id: &str) {
    let Some(token) = encode_run_id(run_id) else {
        assert!(run_id.is_empty());
        return;
    };
    assert!((1..=MOST_CHARACTERS).contains(&token.len()));
    assert!(
        token
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    );
    match decode_run_id(&format!("{token}.err")) {
        DecodedRunId::RunId(decoded) => assert_eq!(decoded, run_id),
        DecodedRunId::Truncated => assert_eq!(token.len(), MOST_CHARACTERS),
        DecodedRunId::Malformed => panic!("{token} is malformed"),
    }
}

/// A name may spell its run id otherwise than the encoder, but by the same letters.
fn decoded_is_no_guess(file_name: &str) {
    if let DecodedRunId::RunId(run_id) = decode_run_id(file_name) {
        let token = file_name.rsplit_once('.').expect("an extension").0;
        assert_eq!(
            spelled_out(token.as_bytes()),
            spelled_out(&escaped(&run_id))
        );
    }
}

fn escaped(text: &str) -> Vec<u8> {
    text.bytes()
        .flat_map(|byte| format!("_{byte:02x}").into_bytes())
        .collect()
}

/// Each byte as two lower-case hex digits.
fn spelled_out(token: &[u8]) -> String {
    match token {
        [] => String::new(),
        [b'_', one, other, rest @ ..] => {
            let pair = [*one, *other].map(|digit| char::from(digit).to_ascii_lowercase());
            String::from_iter(pair) + &spelled_out(rest)
        }
        [byte, rest @ ..] => format!("{byte:02x}") + &spelled_out(rest),
    }
}

fn listed_is_inside(text: &[u16], dir: &[u16]) {
    for file in parse_mtime_listing(text, dir).unwrap_or_default() {
        assert!(!file.name.is_empty());
        assert!(!file.name.contains(&u16::from(b'/')) && !file.name.contains(&u16::from(b'\n')));
        assert!(file.mtime_ms >= 0.0);
    }
}

fn printed_comes_back(files: &[(Vec<u16>, u32)], dir: &[u16]) {
    let is_plain = |text: &[u16]| !text.contains(&u16::from(b'\n'));
    let is_name = |name: &[u16]| !name.is_empty() && !name.contains(&u16::from(b'/'));
    let dir = JournalPaths::of("r", dir).expect("a run id").dir;
    if dir.is_empty() || dir.last() == Some(&u16::from(b'/')) || !is_plain(&dir) {
        return;
    }
    let files: Vec<_> = files
        .iter()
        .filter(|(name, _)| is_name(name) && is_plain(name))
        .collect();
    let mut text = line(0, &dir, None);
    for (name, seconds) in &files {
        text.extend(line(*seconds, &dir, Some(name)));
    }
    let listed = parse_mtime_listing(&text, &dir).expect("the folder's own line");
    assert_eq!(listed.len(), files.len());
    for (file, (name, seconds)) in listed.iter().zip(files) {
        assert_eq!(file.name, name.as_slice());
        assert_eq!(
            file.mtime_ms.to_bits(),
            (f64::from(*seconds) * 1000.0).to_bits()
        );
    }
}

fn line(seconds: u32, dir: &[u16], name: Option<&Vec<u16>>) -> Vec<u16> {
    let mut text: Vec<u16> = format!("{seconds} ").encode_utf16().collect();
    text.extend_from_slice(dir);
    if let Some(name) = name {
        text.push(u16::from(b'/'));
        text.extend_from_slice(name);
    }
    text.push(u16::from(b'\n'));
    text
}

fn passes_through(
    Input {
        run_id,
        dir,
        command,
        ..
    }: &Input,
) {
    let Some(paths) = JournalPaths::of(run_id, dir) else {
        return;
    };
    assert!(paths.journal.starts_with(&paths.dir) && dir.starts_with(&paths.dir));
    let journaled = commands::journaled(command, &paths);
    assert!(
        command.is_empty()
            || journaled
                .windows(command.len())
                .any(|window| window == command)
    );
}
