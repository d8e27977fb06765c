//! `readLines`, as far as the backend decides it.

use ai_sandbox_native::workspace::{Error, ExecOutput, LineRange, WorkspaceError, page_command};
use futures::executor::block_on;

use crate::memory::{Options, backend, failure, success};

fn range() -> LineRange {
    LineRange::new(2.0, 1.0)
}

#[test]
fn a_page_is_one_command_in_the_folder_of_the_file() {
    let backend = backend(&[]);
    let command = page_command("a.txt", range());
    backend
        .sandbox()
        .answer(&command, success("4\n 61 0a 62 0a\n@lines\nb\ntotal 2\n"));
    let page = block_on(backend.read_lines("/w/a.txt", range(), &Options(8))).unwrap();
    assert_eq!(
        (page.head.as_slice(), page.size, page.total),
        (&b"a\nb\n"[..], 4.0, Some(2.0))
    );
    assert_eq!(page.lines().collect::<Vec<_>>(), ["b"]);
    assert_eq!(backend.sandbox().calls(), [format!("{command} in /w #8")]);
}

#[test]
fn the_folder_is_that_of_the_path_as_it_is() {
    let cases = [
        ("a", "a", "."),
        ("/a", "a", "/"),
        ("/l/../a/", "a", "/l/.."),
        ("/", "", "/"),
    ];
    for (path, name, folder) in cases {
        let backend = backend(&[]);
        assert!(block_on(backend.read_lines(path, range(), &Options(8))).is_err());
        let command = page_command(name, range());
        assert_eq!(
            backend.sandbox().calls(),
            [format!("{command} in {folder} #8")]
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_fails_with_the_trimmed_stderr() {
    let backend = backend(&[]);
    backend
        .sandbox()
        .answer(&page_command("a", range()), failure(" sh: no such file\n"));
    let error = block_on(backend.read_lines("/w/a", range(), &Options(1))).unwrap_err();
    assert_eq!(error.to_string(), "Cannot read /w/a: sh: no such file");
}

#[test]
fn a_garbled_output_is_not_a_page() {
    let backend = backend(&[]);
    backend
        .sandbox()
        .answer(&page_command("a", range()), success("4\n61\ntotal 1\n"));
    let error = block_on(backend.read_lines("/w/a", range(), &Options(1))).unwrap_err();
    assert_eq!(error, Error::Workspace(WorkspaceError::NotAPage));
}

#[test]
fn case_19_a_missing_stream_is_named() {
    let cases = [
        (
            ExecOutput::Success { stdout: None },
            "Cannot read /a: exec of the sandbox gave no text as stdout",
        ),
        (
            ExecOutput::Failure { stderr: None },
            "Cannot read /a: exec of the sandbox gave no text as stderr",
        ),
    ];
    for (output, message) in cases {
        let backend = backend(&[]);
        backend
            .sandbox()
            .answer(&page_command("a", range()), output);
        let error = block_on(backend.read_lines("/a", range(), &Options(1))).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_error_of_the_provider_comes_through() {
    let backend = backend(&[]);
    let call = format!("{} in / #1", page_command("a", range()));
    let fault = backend.sandbox().fail(&call);
    let error = block_on(backend.read_lines("/a", range(), &Options(1))).unwrap_err();
    assert_eq!(error, Error::Provider(fault));
}
