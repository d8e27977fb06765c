//! `close`.

use std::pin::pin;
use std::task::Context;

use ai_sandbox_native::workspace::{Backend, CloseReason, Error, Ownership};
use futures::executor::block_on;
use futures::future::join;
use futures::task::noop_waker;

use crate::memory::Memory;

fn backend(ownership: Ownership) -> Backend<Memory> {
    Backend::new(Memory::default(), ownership)
}

#[test]
fn moved_leaves_the_jobs_and_the_sandbox() {
    let backend = backend(Ownership::Owned);
    backend.job_started("a");
    assert_eq!(block_on(backend.close(CloseReason::Moved)), Ok(()));
    assert_eq!(backend.sandbox().calls(), [""; 0]);
}

#[test]
fn the_running_jobs_are_killed_in_the_order_of_their_start() {
    let backend = backend(Ownership::Borrowed);
    let keys = ["a", "b", "c"].map(|job| backend.job_started(job));
    backend.job_ended(keys[1]);
    assert_eq!(block_on(backend.close(CloseReason::Closed)), Ok(()));
    assert_eq!(backend.sandbox().calls(), ["kill a", "kill c"]);
}

#[test]
fn an_owned_sandbox_is_destroyed_once() {
    let backend = backend(Ownership::Owned);
    backend.job_started("a");
    assert_eq!(block_on(backend.close(CloseReason::Closed)), Ok(()));
    assert_eq!(backend.sandbox().calls(), ["kill a", "destroy"]);
    assert_eq!(block_on(backend.close(CloseReason::Closed)), Ok(()));
    assert_eq!(backend.sandbox().calls(), ["kill a"]);
}

#[test]
fn every_close_waits_for_the_one_destroy() {
    let backend = backend(Ownership::Owned);
    let gate = backend.sandbox().hold("destroy");
    let waker = noop_waker();
    let mut context = Context::from_waker(&waker);
    let mut first = pin!(backend.close(CloseReason::Closed));
    let mut second = pin!(backend.close(CloseReason::Closed));
    assert!(first.as_mut().poll(&mut context).is_pending());
    assert!(second.as_mut().poll(&mut context).is_pending());
    gate.send(()).unwrap();
    assert!(second.as_mut().poll(&mut context).is_pending());
    assert_eq!(block_on(join(first, second)), (Ok(()), Ok(())));
    assert_eq!(backend.sandbox().calls(), ["destroy"]);
}

#[test]
fn every_close_fails_with_the_same_error() {
    let backend = backend(Ownership::Owned);
    let fault = backend.sandbox().fail("destroy");
    for _ in 0..2 {
        let result = block_on(backend.close(CloseReason::Closed));
        assert_eq!(result, Err(Error::Provider(fault.clone())));
    }
    assert_eq!(backend.sandbox().calls(), ["destroy"]);
}
