//! `readdir`.

use std::pin::pin;
use std::task::{Context, Poll};

use ai_sandbox_native::workspace::{Backend, Error};
use futures::executor::block_on;
use futures::task::noop_waker;

use crate::memory::{Memory, Options, at, backend, link};
use crate::tree::Node;

fn folder() -> Backend<Memory> {
    backend(&[
        ("/w", Node::Dir),
        ("/w/dangling", link("none")),
        ("/w/file", Node::File(1)),
        ("/w/link", link("file")),
        ("/w/sub", Node::Dir),
    ])
}

fn many(count: usize) -> Backend<Memory> {
    let paths: Vec<String> = (0..count).map(|index| format!("/w/{index:04}")).collect();
    let node = |index: usize| {
        if index.is_multiple_of(3) {
            link("x")
        } else {
            Node::File(1)
        }
    };
    let nodes = paths
        .iter()
        .enumerate()
        .map(|(index, path)| (path.as_str(), node(index)));
    let backend = backend(&nodes.collect::<Vec<_>>());
    backend.sandbox().tree().add("/w", Node::Dir);
    backend
}

#[test]
fn readdir_tells_links_whatever_they_lead_to() {
    let backend = folder();
    let listing = block_on(backend.readdir(&at("/w/"), &Options(6))).unwrap();
    let names: Vec<_> = listing
        .entries
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(names, ["dangling", "file", "link", "sub"]);
    assert_eq!(listing.is_link, [true, false, true, false]);
    assert_eq!(
        backend.sandbox().calls(),
        [
            "list /w/ #6",
            "lstat /w/dangling #6",
            "lstat /w/file #6",
            "lstat /w/link #6",
            "lstat /w/sub #6"
        ]
    );
}

#[test]
fn readdir_without_lstat_knows_no_links() {
    let backend = folder();
    backend.sandbox().without_lstat();
    let listing = block_on(backend.readdir(&at("/w"), &Options(6))).unwrap();
    assert_eq!(listing.is_link, [false; 4]);
    assert_eq!(backend.sandbox().calls(), ["list /w #6"]);
}

#[test]
fn readdir_of_an_empty_folder_looks_at_nothing() {
    let backend = backend(&[("/w", Node::Dir)]);
    let listing = block_on(backend.readdir(&at("/w"), &Options(6))).unwrap();
    assert!(listing.is_link.is_empty());
    assert_eq!(backend.sandbox().calls(), ["list /w #6"]);
}

#[test]
fn readdir_starts_all_its_lstat_calls_at_once() {
    let backend = many(1000);
    let gates: Vec<_> = (0..1000)
        .map(|index| backend.sandbox().hold(&format!("lstat /w/{index:04} #1")))
        .collect();
    let path = at("/w");
    let mut readdir = pin!(backend.readdir(&path, &Options(1)));
    let waker = noop_waker();
    assert!(
        readdir
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_pending()
    );
    let calls = backend.sandbox().calls();
    assert_eq!(calls.len(), 1001);
    assert_eq!(calls.last().unwrap(), "lstat /w/0999 #1");
    for gate in gates.into_iter().rev() {
        gate.send(()).unwrap();
    }
    let listing = block_on(readdir).unwrap();
    let expected: Vec<bool> = (0..1000_usize)
        .map(|index| index.is_multiple_of(3))
        .collect();
    assert_eq!(listing.is_link, expected);
}

#[test]
fn readdir_fails_at_the_first_failure_while_others_go_on() {
    let backend = many(100);
    let first = backend.sandbox().hold("lstat /w/0000 #1");
    let late = backend.sandbox().hold("lstat /w/0050 #1");
    backend.sandbox().fail("lstat /w/0050 #1");
    let fault = backend.sandbox().fail("lstat /w/0099 #1");
    let path = at("/w");
    let mut readdir = Box::pin(backend.readdir(&path, &Options(1)));
    let waker = noop_waker();
    let poll = readdir.as_mut().poll(&mut Context::from_waker(&waker));
    assert_eq!(poll, Poll::Ready(Err(Error::Provider(fault))));
    assert_eq!(backend.sandbox().calls().len(), 101);
    drop(readdir);
    assert!(first.is_canceled() && late.is_canceled());
}

#[test]
fn readdir_starts_all_its_lstat_calls_though_the_first_fails_at_once() {
    let backend = many(100);
    let fault = backend.sandbox().fail("lstat /w/0000 #1");
    backend.sandbox().fail("lstat /w/0007 #1");
    let readdir = block_on(backend.readdir(&at("/w"), &Options(1)));
    assert_eq!(readdir, Err(Error::Provider(fault)));
    assert_eq!(backend.sandbox().calls().len(), 101);
}

#[test]
fn readdir_fails_with_the_error_of_the_list() {
    let backend = folder();
    let fault = backend.sandbox().fail("list /w #1");
    assert_eq!(
        block_on(backend.readdir(&at("/w"), &Options(1))),
        Err(Error::Provider(fault))
    );
}
