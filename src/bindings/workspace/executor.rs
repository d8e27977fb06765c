//! Runs the operations of one workspace, on the thread that calls.
//!
//! Nothing here is woken from elsewhere: an operation wakes when its answer is settled, which is
//! also when [`Executor::run`] is called.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Wake, Waker};

use slab::Slab;

type Ready = Arc<Mutex<VecDeque<usize>>>;

#[derive(Default)]
pub struct Executor {
    tasks: Slab<Pin<Box<dyn Future<Output = ()>>>>,
    /// The waker of each key, made once: keys are used again.
    wakers: Vec<Waker>,
    /// The keys of the tasks that can go on.
    ready: Ready,
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
    /// Runs an operation until it waits or ends. Most end at once, and are never listed.
    pub fn start(&mut self, future: impl Future<Output = ()> + 'static) {
        let entry = self.tasks.vacant_entry();
        let key = entry.key();
        while self.wakers.len() <= key {
            self.wakers.push(Waker::from(Arc::new(Key {
                task: self.wakers.len(),
                ready: Arc::clone(&self.ready),
            })));
        }
        let mut task = Box::pin(future);
        let Some(waker) = self.wakers.get(key) else {
            return;
        };
        if task
            .as_mut()
            .poll(&mut Context::from_waker(waker))
            .is_pending()
        {
            entry.insert(task);
        }
    }

    /// Runs each operation that can go on until it waits or ends.
    pub fn run(&mut self) {
        while let Some(key) = pop(&self.ready) {
            // One that was woken twice may have ended meanwhile.
            let (Some(task), Some(waker)) = (self.tasks.get_mut(key), self.wakers.get(key)) else {
                continue;
            };
            let mut context = Context::from_waker(waker);
            if task.as_mut().poll(&mut context).is_ready() {
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
