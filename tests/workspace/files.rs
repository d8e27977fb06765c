//! `stat` and `remove`.

use ai_sandbox_native::workspace::{Error, Stat, WorkspaceError};
use futures::executor::block_on;

use crate::memory::{Options, at, backend, link};
use crate::tree::Node;

fn file(size: usize) -> Stat<usize> {
    Stat::File { size }
}

#[test]
fn stat_tells_files_folders_and_special_files() {
    let backend = backend(&[("/a", Node::File(7)), ("/d", Node::Dir), ("/p", Node::Fifo)]);
    let stat = |path| block_on(backend.stat(&at(path), &Options(1)));
    assert_eq!(stat("/a"), Ok(Some(file(7))));
    assert_eq!(stat("/d"), Ok(Some(Stat::Dir)));
    assert_eq!(stat("/p"), Ok(Some(Stat::Special)));
    assert_eq!(stat("/none"), Ok(None));
}

#[test]
fn stat_hands_over_the_path_and_the_options_as_they_are() {
    let backend = backend(&[("/d", Node::Dir)]);
    assert_eq!(
        block_on(backend.stat(&at("d//./"), &Options(5))),
        Ok(Some(Stat::Dir))
    );
    assert_eq!(backend.sandbox().calls(), ["lstat d//./ #5"]);
}

#[test]
fn stat_of_a_link_is_that_of_its_real_path() {
    let backend = backend(&[
        ("/w", Node::Dir),
        ("/w/l", link("../d/a")),
        ("/d", link("real")),
        ("/real", Node::Dir),
        ("/real/a", Node::File(9)),
    ]);
    assert_eq!(
        block_on(backend.stat(&at("/w/l"), &Options(2))),
        Ok(Some(file(9)))
    );
    assert_eq!(
        backend.sandbox().calls(),
        [
            "lstat /w/l #2",
            "lstat /w #2",
            "lstat /w/l #2",
            "readlink -- 'l' in /w #2",
            "lstat /d #2",
            "readlink -- 'd' in / #2",
            "lstat /real #2",
            "lstat /real/a #2",
            "lstat /real/a #2",
        ]
    );
}

#[test]
fn stat_of_a_dangling_link_is_nothing() {
    let backend = backend(&[("/l", link("none")), ("/m", link("l"))]);
    assert_eq!(block_on(backend.stat(&at("/l"), &Options(1))), Ok(None));
    assert_eq!(block_on(backend.stat(&at("/m"), &Options(1))), Ok(None));
}

#[test]
fn stat_of_a_loop_fails() {
    let backend = backend(&[("/a", link("b")), ("/b", link("a"))]);
    let error = block_on(backend.stat(&at("/a"), &Options(1))).unwrap_err();
    assert_eq!(error.to_string(), "ELOOP: too many links in /a.");
}

#[test]
fn stat_ends_where_the_provider_calls_a_real_path_a_link() {
    let backend = backend(&[("/", link("x"))]);
    let error = block_on(backend.stat(&at("/"), &Options(1))).unwrap_err();
    assert_eq!(error.to_string(), "ELOOP: too many links in /.");
}

#[test]
fn case_19_stat_names_an_unknown_type() {
    let backend = backend(&[("/a", Node::Odd), ("/l", link("a"))]);
    for path in ["/a", "/l"] {
        let error = block_on(backend.stat(&at(path), &Options(1))).unwrap_err();
        let unknown = "lstat of the sandbox gave an unknown type for /a: odd";
        assert_eq!(error.to_string(), unknown);
    }
}

#[test]
fn stat_without_lstat_asks_for_the_path_and_reads_it() {
    let backend = backend(&[("/a", Node::File(7)), ("/d", Node::Dir), ("/l", link("a"))]);
    backend.sandbox().without_lstat();
    let stat = |path| block_on(backend.stat(&at(path), &Options(3)));
    assert_eq!(stat("/a/"), Ok(Some(file(7))));
    assert_eq!(
        backend.sandbox().calls(),
        ["exists /a/ #3", "readBytes /a/ #3"]
    );
    assert_eq!(stat("/l"), Ok(Some(file(7))));
    assert_eq!(stat("/none"), Ok(None));
}

#[test]
fn stat_without_lstat_takes_what_cannot_be_read_for_a_folder() {
    let backend = backend(&[("/d", Node::Dir), ("/odd", Node::Odd)]);
    backend.sandbox().without_lstat();
    for path in ["/d", "/odd"] {
        assert_eq!(
            block_on(backend.stat(&at(path), &Options(3))),
            Ok(Some(Stat::Dir))
        );
    }
}

#[test]
fn stat_fails_with_the_error_of_the_provider() {
    let backend = backend(&[("/a", Node::File(1)), ("/l", link("a"))]);
    let stat = |path| block_on(backend.stat(&at(path), &Options(1)));
    let fault = backend.sandbox().fail("readlink -- 'l' in / #1");
    assert_eq!(stat("/l"), Err(Error::Provider(fault)));
    let fault = backend.sandbox().fail("lstat /a #1");
    assert_eq!(stat("/a"), Err(Error::Provider(fault)));
    backend.sandbox().without_lstat();
    let fault = backend.sandbox().fail("exists /a #1");
    assert_eq!(stat("/a"), Err(Error::Provider(fault)));
}

#[test]
fn remove_takes_a_file_and_hands_the_path_over_as_it_is() {
    let backend = backend(&[("/a", Node::File(1)), ("/p", Node::Fifo)]);
    assert_eq!(block_on(backend.remove(&at("//a"), &Options(4))), Ok(()));
    assert_eq!(backend.sandbox().calls(), ["lstat //a #4", "remove //a #4"]);
    assert_eq!(block_on(backend.remove(&at("/p"), &Options(4))), Ok(()));
    assert_eq!(backend.sandbox().tree().names("/"), [""; 0]);
}

#[test]
fn remove_takes_the_link_and_leaves_its_file() {
    let backend = backend(&[("/a", Node::File(1)), ("/l", link("a"))]);
    assert_eq!(block_on(backend.remove(&at("/l"), &Options(4))), Ok(()));
    assert_eq!(backend.sandbox().tree().names("/"), ["a"]);
}

#[test]
fn remove_refuses_folders_and_what_is_not_there() {
    let backend = backend(&[
        ("/d", Node::Dir),
        ("/l", link("d")),
        ("/dangling", link("x")),
    ]);
    for path in ["/d", "/l", "/dangling", "/none", "d/"] {
        let error = block_on(backend.remove(&at(path), &Options(4))).unwrap_err();
        assert_eq!(
            error,
            WorkspaceError::NotAFile {
                path: path.to_owned()
            }
            .into()
        );
        let calls = backend.sandbox().calls();
        assert!(
            calls.iter().all(|call| !call.starts_with("remove")),
            "{calls:?}"
        );
    }
}

#[test]
fn remove_fails_with_the_error_of_the_provider() {
    let backend = backend(&[("/a", Node::File(1))]);
    let fault = backend.sandbox().fail("remove /a #1");
    assert_eq!(
        block_on(backend.remove(&at("/a"), &Options(1))),
        Err(Error::Provider(fault))
    );
    let fault = backend.sandbox().fail("lstat /a #1");
    assert_eq!(
        block_on(backend.remove(&at("/a"), &Options(1))),
        Err(Error::Provider(fault))
    );
}
