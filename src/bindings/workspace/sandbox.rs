//! The sandbox as JavaScript has it: each call to the provider is a request, and a slot waits for
//! its answer. JavaScript's values (paths, options, sizes, entries, errors) stay with JavaScript,
//! under the number of their operation.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use slab::Slab;

use super::outbox::{Outbox, Payload, kind};
use crate::workspace::{
    Error, ExecOptions, ExecOutput, JobKey, Listing, Lstat, Page, PathArg, Sandbox, Stat,
};

/// What the operations of a workspace share.
#[derive(Default)]
pub struct Shared {
    pub outbox: RefCell<Outbox>,
    /// Whether `fs.lstat` was there when an operation was last started.
    pub has_lstat: Cell<bool>,
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
    /// None of these, in words.
    Unknown(String),
    /// Bytes, whose length JavaScript keeps; `true`; or an end without a value.
    Something,
    /// So many entries, which JavaScript keeps.
    Count(usize),
    /// Exit code 0, and stdout where it is a text.
    Success(Option<String>),
    /// Another exit code, and stderr where it is a text.
    Failure(Option<String>),
    /// The provider has failed.
    Error(ProviderError),
}

/// The tags. The numbers are those of `js/workspace/operations.js`.
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
}

/// An error of the provider, kept by JavaScript under a number for as long as a clone of this is
/// alive.
#[derive(Clone)]
pub struct ProviderError(Rc<KeptError>);

struct KeptError {
    id: u32,
    shared: std::rc::Weak<Shared>,
}

impl ProviderError {
    pub fn new(id: u32, shared: &Rc<Shared>) -> Self {
        let shared = Rc::downgrade(shared);
        Self(Rc::new(KeptError { id, shared }))
    }
}

impl Drop for KeptError {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade()
            && let Ok(mut outbox) = shared.outbox.try_borrow_mut()
        {
            outbox.push(kind::FORGET_ERROR, 0, 0, self.id as usize);
        }
    }
}

/// An operation of JavaScript's: the path and options that it was called with, under a number.
pub struct Operation {
    id: u32,
    /// The text of the path, once it was asked for.
    path: OnceCell<String>,
}

impl Operation {
    pub fn new(id: u32) -> Self {
        Self {
            id,
            path: OnceCell::new(),
        }
    }

    /// Keeps the text of the path; the first one counts.
    pub fn set_path(&self, text: String) {
        let _ = self.path.set(text);
    }
}

pub struct JsSandbox {
    shared: Rc<Shared>,
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

    fn request(self: &Rc<Self>, kind: u32, operation: u32, detail: usize) -> Waiting {
        let slot = self.slots.borrow_mut().insert(Slot::Waiting(None));
        self.outbox.borrow_mut().push(kind, operation, slot, detail);
        let shared = Rc::clone(self);
        Waiting { shared, slot }
    }

    fn add_text(&self, text: &str) {
        self.outbox
            .borrow_mut()
            .push_payload(Payload::Text(text.to_owned()));
    }

    fn end(&self, kind: u32, operation: &Operation, detail: usize) {
        self.outbox.borrow_mut().push(kind, operation.id, 0, detail);
    }

    fn end_with(&self, kind: u32, operation: &Operation, payload: Payload) {
        self.end(kind, operation, 0);
        self.outbox.borrow_mut().push_payload(payload);
    }
}

/// Waits for the answer to a request.
struct Waiting {
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

impl JsSandbox {
    pub fn new(shared: Rc<Shared>) -> Self {
        Self { shared }
    }

    fn ask_of_path(&self, base: u32, path: PathArg<'_, Self>, options: &Operation) -> Waiting {
        match path {
            PathArg::Caller(_) => self
                .shared
                .request(base + kind::SOURCE_CALLER, options.id, 0),
            PathArg::Text(text) => {
                let waiting = self.shared.request(base + kind::SOURCE_TEXT, options.id, 0);
                self.shared.add_text(text);
                waiting
            }
            PathArg::Entry(_, index) => {
                self.shared
                    .request(base + kind::SOURCE_ENTRY, options.id, index)
            }
        }
    }

    pub fn end_stat(
        &self,
        operation: &Operation,
        result: Result<Option<Stat<()>>, Error<ProviderError>>,
    ) {
        let kind = match result {
            Ok(None) => kind::END_UNDEFINED,
            Ok(Some(Stat::File { size: () })) => kind::END_FILE,
            Ok(Some(Stat::Special)) => kind::END_SPECIAL,
            Ok(Some(Stat::Dir)) => kind::END_DIR,
            Err(error) => return self.end_error(operation, error),
        };
        self.shared.end(kind, operation, 0);
    }

    pub fn end_realpath(
        &self,
        operation: &Operation,
        result: Result<Option<String>, Error<ProviderError>>,
    ) {
        match result {
            Ok(None) => self.shared.end(kind::END_UNDEFINED, operation, 0),
            Ok(Some(text)) => {
                self.shared
                    .end_with(kind::END_TEXT, operation, Payload::Text(text));
            }
            Err(error) => self.end_error(operation, error),
        }
    }

    pub fn end_nothing(&self, operation: &Operation, result: Result<(), Error<ProviderError>>) {
        match result {
            Ok(()) => self.shared.end(kind::END_UNDEFINED, operation, 0),
            Err(error) => self.end_error(operation, error),
        }
    }

    pub fn end_readdir(
        &self,
        operation: &Operation,
        result: Result<Listing<Entries>, Error<ProviderError>>,
    ) {
        match result {
            Ok(listing) => {
                let links = listing.is_link.into_iter().map(u8::from).collect();
                self.shared
                    .end_with(kind::END_LISTING, operation, Payload::Bytes(links));
            }
            Err(error) => self.end_error(operation, error),
        }
    }

    pub fn end_read_lines(
        &self,
        operation: &Operation,
        result: Result<Page, Error<ProviderError>>,
    ) {
        match result {
            Ok(page) => {
                self.shared
                    .end_with(kind::END_PAGE, operation, Payload::Page(Box::new(page)));
            }
            Err(error) => self.end_error(operation, error),
        }
    }

    pub fn end_kill_job(&self, operation: &Operation, result: Result<bool, Error<ProviderError>>) {
        match result {
            Ok(killed) => self
                .shared
                .end(kind::END_BOOLEAN, operation, usize::from(killed)),
            Err(error) => self.end_error(operation, error),
        }
    }

    fn end_error(&self, operation: &Operation, error: Error<ProviderError>) {
        match error {
            Error::Provider(error) => {
                self.shared
                    .end(kind::END_ERROR, operation, error.0.id as usize);
            }
            Error::Workspace(error) => {
                let message = Payload::Text(error.to_string());
                self.shared.end_with(kind::END_FAILURE, operation, message);
            }
        }
    }
}

/// The entries of a folder, which JavaScript keeps.
pub struct Entries {
    count: usize,
}

/// JavaScript has given an answer of a kind that its request doesn't have: a bug in the glue.
fn unexpected<T>() -> Result<T, ProviderError> {
    panic!("an answer of another kind")
}

impl Sandbox for JsSandbox {
    type Error = ProviderError;
    type Path = Operation;
    type Options = Operation;
    /// JavaScript keeps the size that was found last.
    type Size = ();
    /// JavaScript looks it up when the operation starts.
    type LstatFn = ();
    type Bytes = Answer;
    type Entries = Entries;
    type Job = u32;

    fn path_text<'a>(&self, path: &'a Operation) -> Result<Cow<'a, str>, ProviderError> {
        Ok(Cow::Borrowed(path.path.get().map_or("", String::as_str)))
    }

    fn lstat_fn(&self) -> Result<Option<()>, ProviderError> {
        Ok(self.shared.has_lstat.get().then_some(()))
    }

    async fn lstat(
        &self,
        (): &(),
        path: PathArg<'_, Self>,
        options: &Operation,
    ) -> Result<Option<Lstat<()>>, ProviderError> {
        match self.ask_of_path(kind::LSTAT, path, options).await {
            Answer::Nothing => Ok(None),
            Answer::File => Ok(Some(Lstat::File { size: () })),
            Answer::Dir => Ok(Some(Lstat::Dir)),
            Answer::Other => Ok(Some(Lstat::Other)),
            Answer::Symlink(text) => {
                if let (PathArg::Caller(operation), Some(text)) = (path, text) {
                    operation.set_path(text);
                }
                Ok(Some(Lstat::Symlink))
            }
            Answer::Unknown(kind) => Ok(Some(Lstat::Unknown { kind })),
            Answer::Error(error) => Err(error),
            _ => unexpected(),
        }
    }

    async fn exists(
        &self,
        path: PathArg<'_, Self>,
        options: &Operation,
    ) -> Result<bool, ProviderError> {
        match self.ask_of_path(kind::EXISTS, path, options).await {
            Answer::Nothing => Ok(false),
            Answer::Something => Ok(true),
            Answer::Error(error) => Err(error),
            _ => unexpected(),
        }
    }

    async fn read_bytes(
        &self,
        path: PathArg<'_, Self>,
        options: &Operation,
    ) -> Result<Answer, ProviderError> {
        match self.ask_of_path(kind::READ_BYTES, path, options).await {
            Answer::Error(error) => Err(error),
            answer => Ok(answer),
        }
    }

    async fn list(&self, _: &Operation, options: &Operation) -> Result<Entries, ProviderError> {
        match self.shared.request(kind::LIST, options.id, 0).await {
            Answer::Count(count) => Ok(Entries { count }),
            Answer::Error(error) => Err(error),
            _ => unexpected(),
        }
    }

    async fn remove(&self, _: &Operation, options: &Operation) -> Result<(), ProviderError> {
        match self.shared.request(kind::REMOVE, options.id, 0).await {
            Answer::Something => Ok(()),
            Answer::Error(error) => Err(error),
            _ => unexpected(),
        }
    }

    async fn exec(
        &self,
        command: &str,
        options: Option<ExecOptions<'_, Self>>,
    ) -> Result<ExecOutput, ProviderError> {
        let waiting = match options {
            None => {
                let waiting = self.shared.request(kind::EXEC, 0, 0);
                self.shared.add_text(command);
                waiting
            }
            Some(options) => {
                let operation = options.signal_of.id;
                let waiting = self.shared.request(kind::EXEC_IN, operation, 0);
                self.shared.add_text(command);
                self.shared.add_text(options.cwd);
                waiting
            }
        };
        match waiting.await {
            Answer::Success(stdout) => Ok(ExecOutput::Success { stdout }),
            Answer::Failure(stderr) => Ok(ExecOutput::Failure { stderr }),
            Answer::Error(error) => Err(error),
            _ => unexpected(),
        }
    }

    async fn destroy(&self) -> Result<(), ProviderError> {
        match self.shared.request(kind::DESTROY, 0, 0).await {
            Answer::Something => Ok(()),
            Answer::Error(error) => Err(error),
            _ => unexpected(),
        }
    }

    fn byte_length(&self, bytes: &Answer) -> Result<Option<()>, ProviderError> {
        Ok(matches!(bytes, Answer::Something).then_some(()))
    }

    fn entry_count(&self, entries: &Entries) -> Result<usize, ProviderError> {
        Ok(entries.count)
    }

    fn kill(&self, job: &u32) {
        self.shared
            .outbox
            .borrow_mut()
            .push(kind::KILL, 0, 0, *job as usize);
    }
}
