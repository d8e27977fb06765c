//! Promises that another thread fulfils.
//!
//! Each environment has one *thread-safe function* for it, made by its first read. It keeps the event
//! loop alive only while a promise is unfulfilled.
//!
//! Node frees the function with its environment, whoever still wants to call it. So threads reach it
//! through a lock, and the environment takes it away from there first.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use napi::sys;

use crate::bindings::raw::{Failure, Value};

/// Fulfils a promise when it is dropped, on any thread.
pub struct Completion {
    handle: SharedHandle,
    deferred: Deferred,
}

/// `None` once the environment has ended.
type SharedHandle = Arc<Mutex<Option<Handle>>>;

struct Handle(sys::napi_threadsafe_function);
// SAFETY: it is for calls from other threads; all other uses are on the environment's own thread.
unsafe impl Send for Handle {}

struct Deferred(sys::napi_deferred);
// SAFETY: other threads only carry it.
unsafe impl Send for Deferred {}

/// What an environment has. Used on its thread only.
struct Completions {
    env: sys::napi_env,
    handle: SharedHandle,
    pending: Cell<usize>,
}

thread_local! {
    /// One for each environment of the thread: there are several where the addon was loaded by
    /// several contexts.
    static ALL: RefCell<Vec<Rc<Completions>>> = const { RefCell::new(Vec::new()) };
}

impl Completion {
    /// A promise, and what fulfils it.
    pub fn begin(env: sys::napi_env) -> Result<(Self, Value), Failure> {
        let completions = Completions::of(env)?;
        let mut deferred = ptr::null_mut();
        let mut promise = ptr::null_mut();
        // SAFETY: `env` belongs to the present call.
        let status = unsafe { sys::napi_create_promise(env, &raw mut deferred, &raw mut promise) };
        if status != sys::Status::napi_ok {
            return Err(Failure::Node("no promise could be made"));
        }
        completions.add();
        let completion = Self {
            handle: Arc::clone(&completions.handle),
            deferred: Deferred(deferred),
        };
        Ok((completion, promise))
    }
}

impl Drop for Completion {
    fn drop(&mut self) {
        let mut slot = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Handle(function)) = &*slot else {
            return;
        };
        // SAFETY: the function lives as long as it is in the slot, and the slot is locked. The call
        // only queues the pointer, which `settle` gets once.
        let status = unsafe {
            sys::napi_call_threadsafe_function(
                *function,
                self.deferred.0.cast(),
                sys::ThreadsafeFunctionCallMode::nonblocking,
            )
        };
        if status == sys::Status::napi_closing {
            *slot = None;
        }
    }
}

impl Completions {
    fn of(env: sys::napi_env) -> Result<Rc<Self>, Failure> {
        let known = ALL.with_borrow(|all| all.iter().find(|one| one.env == env).cloned());
        if let Some(known) = known {
            return Ok(known);
        }
        let completions = Rc::new(Self {
            env,
            handle: Arc::default(),
            pending: Cell::new(0),
        });
        completions.open()?;
        ALL.with_borrow_mut(|all| all.push(Rc::clone(&completions)));
        Ok(completions)
    }

    /// Makes the function, which holds `self` until `forget`.
    fn open(self: &Rc<Self>) -> Result<(), Failure> {
        const NAME: &[u8] = b"journal-file";
        let context = Rc::into_raw(Rc::clone(self)).cast_mut().cast::<c_void>();
        let mut name = ptr::null_mut();
        let mut function = ptr::null_mut();
        // SAFETY: `env` belongs to the present call. The context lives until the finalizer, the last
        // to be called, has freed it.
        let status = unsafe {
            sys::napi_create_string_latin1(
                self.env,
                NAME.as_ptr().cast(),
                NAME.len() as isize,
                &raw mut name,
            );
            sys::napi_create_threadsafe_function(
                self.env,
                ptr::null_mut(),
                ptr::null_mut(),
                name,
                0,
                1,
                ptr::null_mut(),
                Some(forget),
                context,
                Some(settle),
                &raw mut function,
            )
        };
        if status != sys::Status::napi_ok {
            // SAFETY: Node-API did not take it.
            drop(unsafe { Rc::from_raw(context.cast::<Self>()) });
            return Err(Failure::Node("no thread-safe function could be made"));
        }
        // SAFETY: it was just made, on this thread.
        unsafe { sys::napi_unref_threadsafe_function(self.env, function) };
        self.set_handle(Some(Handle(function)));
        Ok(())
    }

    fn add(&self) {
        self.pending.set(self.pending.get() + 1);
        if self.pending.get() == 1 {
            self.with_function(|function| {
                // SAFETY: this is the thread of the environment, which is alive.
                unsafe { sys::napi_ref_threadsafe_function(self.env, function) }
            });
        }
    }

    fn remove(&self) {
        self.pending.set(self.pending.get().saturating_sub(1));
        if self.pending.get() == 0 {
            self.with_function(|function| {
                // SAFETY: as above.
                unsafe { sys::napi_unref_threadsafe_function(self.env, function) }
            });
        }
    }

    fn with_function(&self, act: impl FnOnce(sys::napi_threadsafe_function) -> sys::napi_status) {
        let slot = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Handle(function)) = &*slot {
            act(*function);
        }
    }

    fn set_handle(&self, handle: Option<Handle>) {
        *self.handle.lock().unwrap_or_else(PoisonError::into_inner) = handle;
    }
}

/// On the environment's thread: fulfils a promise. Without an environment there is nothing left to do.
unsafe extern "C" fn settle(
    env: sys::napi_env,
    _: Value,
    context: *mut c_void,
    deferred: *mut c_void,
) {
    if env.is_null() {
        return;
    }
    // SAFETY: the context lives until `forget`.
    let completions = unsafe { &*context.cast::<Completions>() };
    completions.remove();
    let mut undefined = ptr::null_mut();
    // SAFETY: Node-API gave the environment; the promise is settled once. An environment that may not
    // run JavaScript any more refuses, which is all right.
    unsafe {
        sys::napi_get_undefined(env, &raw mut undefined);
        sys::napi_resolve_deferred(env, deferred.cast(), undefined);
    }
}

/// On the environment's thread, when it ends: the last call with this context.
unsafe extern "C" fn forget(_: sys::napi_env, _: *mut c_void, context: *mut c_void) {
    // SAFETY: `open` made it, and this is called once.
    let completions = unsafe { Rc::from_raw(context.cast::<Completions>()) };
    completions.set_handle(None);
    // The thread may be past its own data already.
    let _ = ALL.try_with(|all| {
        all.borrow_mut()
            .retain(|one| !Rc::ptr_eq(one, &completions));
    });
}
