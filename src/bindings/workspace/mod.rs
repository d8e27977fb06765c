//! The native functions behind `sandboxWorkspaceBackend`, over a *workspace*: a backend of the core,
//! its operations under way, and what they ask of JavaScript.
//!
//! Native code never calls JavaScript. An operation runs until it waits for the provider, and what
//! it asks for is a *request*. The function that ran it (`startStat`, …, `settle`) leaves the
//! requests in the shared array `workspaceRequests`; `js/workspace/operations.js` carries them out
//! and gives each answer to `settle`, which runs what waited for it. So no call can come back into
//! a running one, and a call costs little more than it would in plain JavaScript.
//!
//! The layout of the array is known here and in `js/workspace/operations.js` only:
//!
//! | index | content |
//! | --- | --- |
//! | 0 | how many requests |
//! | 1 | whether more are left, for `moreRequests` |
//! | 2 … | four numbers a request: its kind (see [`outbox`]), operation, slot, detail |

mod executor;
mod outbox;
mod sandbox;
mod shared;

use std::ptr;
use std::rc::Rc;

use napi::sys;

use self::executor::Executor;
use self::outbox::Payload;
use self::sandbox::JsSandbox;
use self::shared::{Answer, Operation, ProviderError, Shared};
use super::raw::{self, Call, Callback, Failure, Footprint, Value, callback};
use crate::workspace::{
    Backend, CloseReason, LineRange, MAX_JOB_OUTPUT_BYTES, OutputTail, Ownership,
};

/// Requests in the shared array at most.
const MOST_REQUESTS: usize = 256;
const HEADER: usize = 2;
const NUMBERS_A_REQUEST: usize = 4;

struct Workspace {
    backend: Rc<Backend<JsSandbox>>,
    shared: Rc<Shared>,
    executor: Executor,
}

impl Footprint for Workspace {
    fn bytes(&self) -> usize {
        0
    }
}

impl Footprint for Tail {
    fn bytes(&self) -> usize {
        self.0.capacity()
    }
}

impl Workspace {
    /// `newWorkspace(owned)`.
    fn new(call: &Call) -> Result<Self, Failure> {
        let ownership = if call.boolean(0)? {
            Ownership::Owned
        } else {
            Ownership::Borrowed
        };
        let shared = Rc::new(Shared::default());
        let sandbox = JsSandbox::new(Rc::clone(&shared));
        Ok(Self {
            backend: Rc::new(Backend::new(sandbox, ownership)),
            shared,
            executor: Executor::default(),
        })
    }

    /// `startStat(workspace, operation, tag, detail?, path?)`, where the last three are the answer to
    /// the first `fs.lstat`, which JavaScript has asked for already. Leaves requests, and returns
    /// their payloads: one as it is where there is one request, else an array of all. So do `settle`,
    /// `moreRequests` and the other functions that start operations.
    fn start_stat(&mut self, call: &Call) -> Result<Value, Failure> {
        let (backend, operation) = self.begin_with_lstat(call)?;
        self.executor.start(async move {
            let result = backend.stat(&operation, &operation).await;
            backend.sandbox().end_stat(&operation, result);
        });
        self.run(call)
    }

    /// `startRealpath(workspace, operation, hasLstat, path)`.
    fn start_realpath(&mut self, call: &Call) -> Result<Value, Failure> {
        let path = call.text(3)?;
        let (backend, operation) = self.begin(call)?;
        self.executor.start(async move {
            let result = backend.realpath(&path, &operation).await;
            backend.sandbox().end_realpath(&operation, result);
        });
        self.run(call)
    }

    /// `startRemove(workspace, operation, tag, detail?, path?, text)`: as for `startStat`, and the path
    /// as messages show it.
    fn start_remove(&mut self, call: &Call) -> Result<Value, Failure> {
        let path = call.text(5)?;
        let (backend, operation) = self.begin_with_lstat(call)?;
        operation.set_path(path);
        self.executor.start(async move {
            let result = backend.remove(&operation, &operation).await;
            backend.sandbox().end_nothing(&operation, result);
        });
        self.run(call)
    }

    /// `startReaddir(workspace, operation, hasLstat)`.
    fn start_readdir(&mut self, call: &Call) -> Result<Value, Failure> {
        let (backend, operation) = self.begin(call)?;
        self.executor.start(async move {
            let result = backend.readdir(&operation, &operation).await;
            backend.sandbox().end_readdir(&operation, result);
        });
        self.run(call)
    }

    /// `startReadLines(workspace, operation, hasLstat, path, offset, limit)`.
    fn start_read_lines(&mut self, call: &Call) -> Result<Value, Failure> {
        let path = call.text(3)?;
        let range = LineRange::new(call.number(4)?, call.number(5)?);
        let (backend, operation) = self.begin(call)?;
        self.executor.start(async move {
            let result = backend.read_lines(&path, range, &operation).await;
            backend.sandbox().end_read_lines(&operation, result);
        });
        self.run(call)
    }

    /// `startJobId(workspace, operation, hasLstat, pid)`.
    fn start_job_id(&mut self, call: &Call) -> Result<Value, Failure> {
        let pid = call.text(3)?;
        let (backend, operation) = self.begin(call)?;
        self.executor.start(async move {
            let id = backend.job_id(&pid).await;
            backend.sandbox().end_realpath(&operation, Ok(Some(id)));
        });
        self.run(call)
    }

    /// `startKillJob(workspace, operation, hasLstat, jobId)`.
    fn start_kill_job(&mut self, call: &Call) -> Result<Value, Failure> {
        let id = call.text(3)?;
        let (backend, operation) = self.begin(call)?;
        self.executor.start(async move {
            let result = backend.kill_job(&id).await;
            backend.sandbox().end_kill_job(&operation, result);
        });
        self.run(call)
    }

    /// `startClose(workspace, operation, hasLstat, moved)`.
    fn start_close(&mut self, call: &Call) -> Result<Value, Failure> {
        let reason = if call.boolean(3)? {
            CloseReason::Moved
        } else {
            CloseReason::Closed
        };
        let (backend, operation) = self.begin(call)?;
        self.executor.start(async move {
            let result = backend.close(reason).await;
            backend.sandbox().end_nothing(&operation, result);
        });
        self.run(call)
    }

    fn begin(&mut self, call: &Call) -> Result<(Rc<Backend<JsSandbox>>, Operation), Failure> {
        let operation = Operation::new(call.number(1)? as u32, call.boolean(2)?);
        Ok((Rc::clone(&self.backend), operation))
    }

    /// The same, with the answer to the first `fs.lstat` in place of whether there is one.
    fn begin_with_lstat(
        &mut self,
        call: &Call,
    ) -> Result<(Rc<Backend<JsSandbox>>, Operation), Failure> {
        let first = match self.answer(call, 2)? {
            Answer::NoLstat => None,
            answer => Some(answer),
        };
        let operation = Operation::new(call.number(1)? as u32, first.is_some());
        operation.first_lstat.set(first);
        Ok((Rc::clone(&self.backend), operation))
    }

    /// `settle(workspace, slot, tag, detail?, path?)`: the answer to a request.
    fn settle(&mut self, call: &Call) -> Result<Value, Failure> {
        let slot = call.number(1)? as usize;
        let answer = self.answer(call, 2)?;
        self.shared.settle(slot, answer);
        self.run(call)
    }

    /// An answer from argument `at` on: its tag, detail and path. What tags there are, and what
    /// belongs to each, says [`Answer`].
    fn answer(&self, call: &Call, at: usize) -> Result<Answer, Failure> {
        let (detail, path) = (at + 1, at + 2);
        Ok(match call.number(at)? as u32 {
            Answer::NOTHING => Answer::Nothing,
            Answer::FILE => Answer::File,
            Answer::DIR => Answer::Dir,
            Answer::SYMLINK => Answer::Symlink(call.optional_text(path)?),
            Answer::OTHER => Answer::Other,
            Answer::UNKNOWN => Answer::Unknown(call.text(detail)?, call.optional_text(path)?),
            Answer::SOMETHING => Answer::Something,
            tag @ (Answer::COUNT | Answer::COUNT_AND_LSTAT) => {
                let has_lstat = tag == Answer::COUNT_AND_LSTAT;
                Answer::Count(call.number(detail)? as usize, has_lstat)
            }
            Answer::SUCCESS => Answer::Success(call.optional_text(detail)?),
            Answer::FAILURE => Answer::Failure(call.optional_text(detail)?),
            Answer::ERROR => {
                let id = call.number(detail)? as u32;
                Answer::Error(ProviderError::new(id, &self.shared))
            }
            Answer::NO_LSTAT => Answer::NoLstat,
            _ => return Err(Failure::Argument("an unknown answer")),
        })
    }

    /// `moreRequests(workspace)`: the requests that had no room in the array.
    fn more_requests(&mut self, call: &Call) -> Result<Value, Failure> {
        self.hand_over(call)
    }

    /// `jobStarted(workspace, job)`: notes a job, by a number of JavaScript's, until it has ended.
    fn job_started(&mut self, call: &Call) -> Result<Value, Failure> {
        let job = call.number(1)? as u32;
        let key = self.backend.job_started(job);
        self.shared.job_keys.borrow_mut().insert(job, key);
        Ok(ptr::null_mut())
    }

    /// `jobEnded(workspace, job)`.
    fn job_ended(&mut self, call: &Call) -> Result<Value, Failure> {
        let job = call.number(1)? as u32;
        if let Some(key) = self.shared.job_keys.borrow_mut().remove(&job) {
            self.backend.job_ended(key);
        }
        Ok(ptr::null_mut())
    }

    /// Runs the operations that can go on.
    fn run(&mut self, call: &Call) -> Result<Value, Failure> {
        self.executor.run();
        self.hand_over(call)
    }

    /// Writes as many requests to the array as it holds. Returns their payloads: all at once, so that
    /// none can be taken for another's.
    fn hand_over(&mut self, call: &Call) -> Result<Value, Failure> {
        let mut outbox = self.shared.outbox.borrow_mut();
        let Some(([count, more], places)) =
            call.shared_integers().split_first_chunk_mut::<HEADER>()
        else {
            return Err(Failure::Argument("the shared array is too short"));
        };
        let (places, _) = places.as_chunks_mut::<NUMBERS_A_REQUEST>();
        let mut payloads = Vec::new();
        let mut written = 0;
        for place in places {
            let Some(request) = outbox.next() else {
                break;
            };
            *place = request.numbers.map(|number| number as i32);
            written += 1;
            payloads.extend(request.payloads);
        }
        *count = written;
        *more = i32::from(!outbox.is_empty());
        if payloads.is_empty() {
            return Ok(ptr::null_mut());
        }
        if written == 1 && payloads.len() == 1 {
            return payload_value(call, payloads.pop());
        }
        let values: Result<Vec<Value>, Failure> = payloads
            .into_iter()
            .map(|payload| payload_value(call, Some(payload)))
            .collect();
        call.new_array(&values?)
    }
}

fn payload_value(call: &Call, payload: Option<Payload>) -> Result<Value, Failure> {
    match payload {
        None => Ok(ptr::null_mut()),
        Some(Payload::Text(text)) => call.new_text(&text),
        Some(Payload::Bytes(bytes)) => call.new_bytes(&bytes),
        Some(Payload::Page(page)) => {
            let total = match page.total {
                Some(total) => call.new_number(total)?,
                None => call.undefined()?,
            };
            let (start, end) = match page.units() {
                Some(units) => (
                    call.new_number(units.start as f64)?,
                    call.new_number(units.end as f64)?,
                ),
                None => (call.undefined()?, call.undefined()?),
            };
            let size = call.new_number(page.size)?;
            call.new_array(&[call.new_bytes(&page.head)?, size, start, end, total])
        }
    }
}

/// The newest output of a job.
struct Tail(OutputTail);

impl Tail {
    /// `newTail()`.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the type that all constructors have"
    )]
    fn new(_: &Call) -> Result<Self, Failure> {
        Ok(Self(OutputTail::new(MAX_JOB_OUTPUT_BYTES)))
    }

    /// `pushTail(tail, chunk)`.
    fn push(&mut self, call: &Call) -> Result<Value, Failure> {
        let mut units = Vec::new();
        self.0.push_utf16(call.utf16(1, &mut units)?);
        Ok(ptr::null_mut())
    }

    /// `tailText(tail)`.
    fn text(&mut self, call: &Call) -> Result<Value, Failure> {
        call.new_text(&self.0.text())
    }
}

/// Defines the functions, and their array `workspaceRequests`, on `exports`.
pub fn define(env: sys::napi_env, exports: sys::napi_value) -> Result<(), Failure> {
    let functions = [
        (c"newWorkspace", new_workspace as Callback),
        (c"startStat", callback!(Workspace::start_stat)),
        (c"startRealpath", callback!(Workspace::start_realpath)),
        (c"startRemove", callback!(Workspace::start_remove)),
        (c"startReaddir", callback!(Workspace::start_readdir)),
        (c"startReadLines", callback!(Workspace::start_read_lines)),
        (c"startJobId", callback!(Workspace::start_job_id)),
        (c"startKillJob", callback!(Workspace::start_kill_job)),
        (c"startClose", callback!(Workspace::start_close)),
        (c"settle", callback!(Workspace::settle)),
        (c"moreRequests", callback!(Workspace::more_requests)),
        (c"jobStarted", callback!(Workspace::job_started)),
        (c"jobEnded", callback!(Workspace::job_ended)),
        (c"newTail", new_tail as Callback),
        (c"pushTail", callback!(Tail::push)),
        (c"tailText", callback!(Tail::text)),
    ];
    let length = HEADER + NUMBERS_A_REQUEST * MOST_REQUESTS;
    raw::define_functions(env, exports, &functions, (c"workspaceRequests", length))
}

unsafe extern "C" fn new_workspace(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    raw::construct(env, info, Workspace::new)
}

unsafe extern "C" fn new_tail(env: sys::napi_env, info: sys::napi_callback_info) -> Value {
    raw::construct(env, info, Tail::new)
}
