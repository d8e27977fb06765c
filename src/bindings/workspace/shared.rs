//! What the operations of a workspace share: their requests, and the slots that wait for answers.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use slab::Slab;

use super::outbox::{Outbox, Payload, Request, kind};
use crate::workspace::JobKey;

/// What the operations of a workspace share.
#[derive(Default)]
pub struct Shared {
    pub outbox: RefCell<Outbox>,
    /// The jobs that run, by JavaScript's numbers for them.
    pub job_keys: RefCell<HashMap<u32, JobKey>>,
    slots: RefCell<Slab<Slot>>,
}

/// Where the answer to a request arrives.
enum Slot {
    Waiting(Option<Waker>),
    Answered(Answer),
    /// Nobody waits any more. The number must not be used again before the answer has come.
    Abandoned,
}

/// An answer of the provider, as `settle` takes it: a tag, and for some a detail.
pub enum Answer {
    /// Nothing, or `false`.
    Nothing,
    /// A file; JavaScript keeps its size.
    File,
    Dir,
    /// A link, and the text of the caller's path where that was asked for.
    Symlink(Option<String>),
    Other,
    /// None of these, in words; and the path as for a link.
    Unknown(String, Option<String>),
    /// Bytes, whose length JavaScript keeps; `true`; or an end without a value.
    Something,
    /// So many entries, which JavaScript keeps, and whether `fs.lstat` is there now.
    Count(usize, bool),
    /// Exit code 0, and stdout where it is a text.
    Success(Option<String>),
    /// Another exit code, and stderr where it is a text.
    Failure(Option<String>),
    /// The provider has failed.
    Error(ProviderError),
    /// In place of the answer to the first `fs.lstat`: there is no such function.
    NoLstat,
}

/// The tags. The numbers are those of `js/workspace/answers.js`.
impl Answer {
    pub const NOTHING: u32 = 0;
    pub const FILE: u32 = 1;
    pub const DIR: u32 = 2;
    pub const SYMLINK: u32 = 3;
    pub const OTHER: u32 = 4;
    pub const UNKNOWN: u32 = 5;
    pub const SOMETHING: u32 = 6;
    pub const COUNT: u32 = 7;
    pub const SUCCESS: u32 = 8;
    pub const FAILURE: u32 = 9;
    pub const ERROR: u32 = 10;
    /// As `COUNT`, and `fs.lstat` is there.
    pub const COUNT_AND_LSTAT: u32 = 11;
    pub const NO_LSTAT: u32 = 12;
}

/// An error of the provider, kept by JavaScript under a number for as long as a clone of this is
/// alive.
#[derive(Clone)]
pub struct ProviderError(Rc<KeptError>);

struct KeptError {
    id: u32,
    shared: Weak<Shared>,
}

impl ProviderError {
    pub fn new(id: u32, shared: &Rc<Shared>) -> Self {
        let shared = Rc::downgrade(shared);
        Self(Rc::new(KeptError { id, shared }))
    }
}

impl ProviderError {
    /// JavaScript's number for it.
    pub fn id(&self) -> u32 {
        self.0.id
    }
}

impl Drop for KeptError {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade()
            && let Ok(mut outbox) = shared.outbox.try_borrow_mut()
        {
            outbox.push(Request::of([kind::FORGET_ERROR, 0, 0, self.id]));
        }
    }
}

/// An operation of JavaScript's: the path and options that it was called with, under a number.
pub struct Operation {
    pub id: u32,
    /// The text of the path, once it was asked for.
    pub path: OnceCell<String>,
    /// Whether `fs.lstat` was there when JavaScript looked it up for this operation.
    pub has_lstat: Cell<bool>,
    /// The answer to the first `fs.lstat` of the caller's path, until it is asked for.
    pub first_lstat: Cell<Option<Answer>>,
}

impl Operation {
    pub fn new(id: u32, has_lstat: bool) -> Self {
        Self {
            id,
            path: OnceCell::new(),
            has_lstat: Cell::new(has_lstat),
            first_lstat: Cell::new(None),
        }
    }

    /// Keeps the text of the path; the first one counts.
    pub fn set_path(&self, text: String) {
        let _ = self.path.set(text);
    }
}

impl Shared {
    /// Gives the answer to a request to the operation that waits for it.
    pub fn settle(&self, slot: usize, answer: Answer) {
        let mut slots = self.slots.borrow_mut();
        match slots.get_mut(slot) {
            Some(place @ Slot::Waiting(_)) => {
                if let Slot::Waiting(Some(waker)) = std::mem::replace(place, Slot::Answered(answer))
                {
                    waker.wake();
                }
            }
            Some(Slot::Abandoned) => {
                slots.remove(slot);
            }
            Some(Slot::Answered(_)) | None => {}
        }
    }

    pub fn request<const N: usize>(
        self: &Rc<Self>,
        numbers: [u32; 3],
        texts: [&str; N],
    ) -> Waiting {
        let [kind, operation, detail] = numbers;
        let slot = self.slots.borrow_mut().insert(Slot::Waiting(None));
        let payloads = texts.map(|text| Payload::Text(text.to_owned()));
        self.outbox.borrow_mut().push(Request {
            numbers: [kind, operation, slot as u32, detail],
            payloads: payloads.into_iter().collect(),
        });
        let shared = Rc::clone(self);
        Waiting { shared, slot }
    }

    pub fn end(&self, kind: u32, operation: &Operation, detail: u32) {
        let numbers = [kind, operation.id, 0, detail];
        self.outbox.borrow_mut().push(Request::of(numbers));
    }

    pub fn end_with(&self, kind: u32, operation: &Operation, payload: Payload) {
        self.outbox.borrow_mut().push(Request {
            numbers: [kind, operation.id, 0, 0],
            payloads: vec![payload],
        });
    }
}

/// Waits for the answer to a request.
pub struct Waiting {
    shared: Rc<Shared>,
    slot: usize,
}

impl Future for Waiting {
    type Output = Answer;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Answer> {
        let mut slots = self.shared.slots.borrow_mut();
        match slots.get_mut(self.slot) {
            Some(Slot::Waiting(waker)) => {
                *waker = Some(context.waker().clone());
                return Poll::Pending;
            }
            Some(Slot::Answered(_)) => {}
            Some(Slot::Abandoned) | None => return Poll::Pending,
        }
        match slots.get_mut(self.slot) {
            Some(place) => match std::mem::replace(place, Slot::Answered(Answer::Nothing)) {
                Slot::Answered(answer) => Poll::Ready(answer),
                Slot::Waiting(_) | Slot::Abandoned => Poll::Pending,
            },
            None => Poll::Pending,
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut slots = self.shared.slots.borrow_mut();
        match slots.get_mut(self.slot) {
            Some(place @ Slot::Waiting(_)) => *place = Slot::Abandoned,
            Some(Slot::Answered(_)) => {
                slots.remove(self.slot);
            }
            Some(Slot::Abandoned) | None => {}
        }
    }
}
