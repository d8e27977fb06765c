//! Runs the operations of one workspace, on the thread that calls.
//!
//! Nothing here is woken from elsewhere: an operation wakes when its answer is settled, which is
//! also when [`Executor::run`] is called.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use slab::Slab;

type Ready = Arc<Mutex<VecDeque<usize>>>;

#[derive(Default)]
pub struct Executor {
    tasks: Slab<Task>,
    /// The keys of the tasks that can go on.
    ready: Ready,
}

struct Task {
    future: Pin<Box<dyn Future<Output = ()>>>,
    waker: Waker,
}

/// Wakers must be able to go to other threads, so this one holds a key only.
struct Key {
    task: usize,
    ready: Ready,
}

impl Wake for Key {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        push(&self.ready, self.task);
    }
}

impl Executor {
    /// Adds an operation, which [`run`](Self::run) starts.
    pub fn spawn(&mut self, future: impl Future<Output = ()> + 'static) {
        let entry = self.tasks.vacant_entry();
        let task = entry.key();
        let waker = Waker::from(Arc::new(Key {
            task,
            ready: Arc::clone(&self.ready),
        }));
        entry.insert(Task {
            future: Box::pin(future),
            waker,
        });
        push(&self.ready, task);
    }

    /// Runs each operation that can go on until it waits or ends.
    pub fn run(&mut self) {
        while let Some(key) = pop(&self.ready) {
            // A task that was woken twice may have ended meanwhile.
            let Some(task) = self.tasks.get_mut(key) else {
                continue;
            };
            let mut context = Context::from_waker(&task.waker);
            if let Poll::Ready(()) = task.future.as_mut().poll(&mut context) {
                drop(self.tasks.remove(key));
            }
        }
    }
}

fn push(ready: &Ready, task: usize) {
    ready
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push_back(task);
}

fn pop(ready: &Ready) -> Option<usize> {
    ready
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .pop_front()
}
