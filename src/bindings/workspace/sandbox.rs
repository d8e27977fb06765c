//! The sandbox as JavaScript has it: each call to the provider is a request, and a slot waits for
//! its answer. JavaScript's values (paths, options, sizes, entries, errors) stay with JavaScript,
//! under the number of their operation.

use std::borrow::Cow;
use std::rc::Rc;

use super::outbox::{Payload, Request, kind};
use super::shared::{Answer, Operation, ProviderError, Shared, Waiting};
use crate::workspace::{
    Error, ExecOptions, ExecOutput, Listing, Lstat, Page, PathArg, Sandbox, Stat,
};

pub struct JsSandbox {
    shared: Rc<Shared>,
}

impl JsSandbox {
    pub fn new(shared: Rc<Shared>) -> Self {
        Self { shared }
    }

    fn ask_of_path(&self, base: u32, path: PathArg<'_, Self>, options: &Operation) -> Waiting {
        let id = options.id;
        match path {
            PathArg::Caller(_) => self.shared.request([base + kind::SOURCE_CALLER, id, 0], []),
            PathArg::Text(text) => self
                .shared
                .request([base + kind::SOURCE_TEXT, id, 0], [text]),
            PathArg::Entry(_, index) => self
                .shared
                .request([base + kind::SOURCE_ENTRY, id, index as u32], []),
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
                .end(kind::END_BOOLEAN, operation, u32::from(killed)),
            Err(error) => self.end_error(operation, error),
        }
    }

    fn end_error(&self, operation: &Operation, error: Error<ProviderError>) {
        match error {
            Error::Provider(error) => {
                self.shared.end(kind::END_ERROR, operation, error.id());
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

/// From here on the caller's path is needed as a text.
fn keep_path(path: PathArg<'_, JsSandbox>, text: Option<String>) {
    if let (PathArg::Caller(operation), Some(text)) = (path, text) {
        operation.set_path(text);
    }
}

impl Sandbox for JsSandbox {
    type Error = ProviderError;
    type Path = Operation;
    type Options = Operation;
    /// JavaScript keeps the size that was found last.
    type Size = ();
    /// JavaScript keeps the function with the operation.
    type LstatFn = ();
    type Bytes = Answer;
    type Entries = Entries;
    type Job = u32;

    fn path_text<'a>(&self, path: &'a Operation) -> Result<Cow<'a, str>, ProviderError> {
        Ok(Cow::Borrowed(path.path.get().map_or("", String::as_str)))
    }

    fn lstat_fn(&self, options: &Operation) -> Result<Option<()>, ProviderError> {
        Ok(options.has_lstat.get().then_some(()))
    }

    async fn lstat(
        &self,
        (): &(),
        path: PathArg<'_, Self>,
        options: &Operation,
    ) -> Result<Option<Lstat<()>>, ProviderError> {
        let first = match path {
            PathArg::Caller(operation) => operation.first_lstat.take(),
            PathArg::Text(_) | PathArg::Entry(..) => None,
        };
        let answer = match first {
            Some(answer) => answer,
            None => self.ask_of_path(kind::LSTAT, path, options).await,
        };
        match answer {
            Answer::Nothing => Ok(None),
            Answer::File => Ok(Some(Lstat::File { size: () })),
            Answer::Dir => Ok(Some(Lstat::Dir)),
            Answer::Other => Ok(Some(Lstat::Other)),
            Answer::Symlink(text) => {
                keep_path(path, text);
                Ok(Some(Lstat::Symlink))
            }
            Answer::Unknown(kind, text) => {
                keep_path(path, text);
                Ok(Some(Lstat::Unknown { kind }))
            }
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
        match self.shared.request([kind::LIST, options.id, 0], []).await {
            Answer::Count(count, has_lstat) => {
                options.has_lstat.set(has_lstat);
                Ok(Entries { count })
            }
            Answer::Error(error) => Err(error),
            _ => unexpected(),
        }
    }

    async fn remove(&self, _: &Operation, options: &Operation) -> Result<(), ProviderError> {
        match self.shared.request([kind::REMOVE, options.id, 0], []).await {
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
            None => self.shared.request([kind::EXEC, 0, 0], [command]),
            Some(options) => {
                let operation = options.signal_of.id;
                self.shared
                    .request([kind::EXEC_IN, operation, 0], [command, options.cwd])
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
        match self.shared.request([kind::DESTROY, 0, 0], []).await {
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
        let request = Request::of([kind::KILL, 0, 0, *job]);
        self.shared.outbox.borrow_mut().push(request);
    }
}
