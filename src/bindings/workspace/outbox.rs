//! What operations ask of JavaScript.

use std::collections::VecDeque;

use crate::workspace::Page;

/// The kinds of request. The numbers are those of `js/workspace/kinds.js`.
pub mod kind {
    /// `fs.lstat`. Here and below, `+ SOURCE_…` says of which path.
    pub const LSTAT: u32 = 0;
    /// `fs.exists`.
    pub const EXISTS: u32 = 3;
    /// `fs.readBytes`.
    pub const READ_BYTES: u32 = 6;
    /// The caller's path.
    pub const SOURCE_CALLER: u32 = 0;
    /// The payload.
    pub const SOURCE_TEXT: u32 = 1;
    /// That of the entry with the detail as index.
    pub const SOURCE_ENTRY: u32 = 2;
    /// `fs.list` of the caller's path.
    pub const LIST: u32 = 9;
    /// `fs.remove` of the caller's path.
    pub const REMOVE: u32 = 10;
    /// `process.exec` of the payload.
    pub const EXEC: u32 = 11;
    /// The same, in the folder of the second payload, with the caller's signal.
    pub const EXEC_IN: u32 = 12;
    /// `destroy`.
    pub const DESTROY: u32 = 13;
    /// To kill the job with the detail as number.
    pub const KILL: u32 = 14;
    /// The operation ends with `undefined`.
    pub const END_UNDEFINED: u32 = 15;
    /// With a file of the size that was found last.
    pub const END_FILE: u32 = 16;
    /// With a file of size 0.
    pub const END_SPECIAL: u32 = 17;
    /// With a folder.
    pub const END_DIR: u32 = 18;
    /// With the payload, a text.
    pub const END_TEXT: u32 = 19;
    /// With whether the detail isn't 0.
    pub const END_BOOLEAN: u32 = 20;
    /// With the entries; the payload has a byte for each, which says whether it is a link.
    pub const END_LISTING: u32 = 21;
    /// With the payload, a page.
    pub const END_PAGE: u32 = 22;
    /// With an error of the message that is the payload.
    pub const END_FAILURE: u32 = 23;
    /// With the provider's error that has the detail as number.
    pub const END_ERROR: u32 = 24;
    /// The provider's error that has the detail as number isn't needed any more.
    pub const FORGET_ERROR: u32 = 25;
}

/// What doesn't fit in a number.
pub enum Payload {
    Text(String),
    Bytes(Vec<u8>),
    Page(Box<Page>),
}

/// A request, with what doesn't fit in its numbers.
pub struct Request {
    /// Its kind, operation, slot and detail.
    pub numbers: [u32; 4],
    pub payloads: Vec<Payload>,
}

impl Request {
    /// One without payloads.
    pub const fn of(numbers: [u32; 4]) -> Self {
        Self {
            numbers,
            payloads: Vec::new(),
        }
    }
}

#[derive(Default)]
pub struct Outbox(VecDeque<Request>);

impl Outbox {
    pub fn push(&mut self, request: Request) {
        self.0.push_back(request);
    }

    pub fn next(&mut self) -> Option<Request> {
        self.0.pop_front()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
