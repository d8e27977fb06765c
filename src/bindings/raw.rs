//! The bare Node-API, for the calls that are made once a batch.
//!
//! Rules that the callers of this module keep:
//!
//! 1. A native function never runs JavaScript. So nothing can call into an instance while one of
//!    its functions runs, and a buffer that was borrowed from JavaScript stays where it is.
//! 2. No panic leaves a function: it becomes a JavaScript error, and its instance is never used
//!    again, since what it held may be half done.
//! 3. Values live for the call only. Nothing keeps a pointer into JavaScript's memory, but for the
//!    one array of [`SharedIntegers`], which is held.
//! 4. An instance is an *external* value that JavaScript passes as the first argument: to unwrap
//!    an object costs as much as the rest of a short call. Node-API can't tell one external from
//!    another, so `js/` keeps them in private fields and hands them to these functions only.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use napi::sys;

use crate::journal::{JournalError, Units, Utf8Encoder};

/// A function over an instance of `T`.
pub type Method<T> = fn(&mut T, &Call) -> Result<Value, Failure>;
/// A JavaScript value, valid during the present call. Null stands for `undefined`.
pub type Value = sys::napi_value;

/// What Node-API calls.
pub type Callback = unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> Value;

/// Why a method throws.
pub enum Failure {
    /// A fault in the input.
    Journal(JournalError),
    /// A wrong argument: only faulty glue code can make one.
    Argument(&'static str),
    /// Node-API refused; it may have thrown already.
    Node(&'static str),
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// What an instance holds in buffers, about.
const INSTANCE_BYTES: i64 = 48 * 1024;
/// The most arguments that a method takes.
const MOST_ARGUMENTS: usize = 6;

/// A call from JavaScript.
pub struct Call {
    env: sys::napi_env,
    arguments: [Value; MOST_ARGUMENTS],
    shared: *mut SharedIntegers,
}

/// An `Int32Array` that an environment shares with its native classes, since to pass one with each
/// call costs as much as the call.
pub struct SharedIntegers {
    data: *mut i32,
    length: usize,
    /// Keeps the array alive, and with it the memory at `data`.
    reference: sys::napi_ref,
}

/// What a native object holds.
struct Instance<T> {
    state: T,
    /// A panic left `state` half done.
    broken: bool,
}

impl Call {
    /// The environment of the call.
    pub fn env(&self) -> sys::napi_env {
        self.env
    }

    fn argument(&self, at: usize) -> Value {
        self.arguments.get(at).copied().unwrap_or(ptr::null_mut())
    }

    /// Argument `at` as a number.
    pub fn number(&self, at: usize) -> Result<f64, Failure> {
        let mut number = 0.0;
        // SAFETY: `env` and the argument belong to this call.
        let status =
            unsafe { sys::napi_get_value_double(self.env, self.argument(at), &raw mut number) };
        expect_ok(status, number, "a number was expected")
    }

    /// Argument `at` as a boolean.
    pub fn boolean(&self, at: usize) -> Result<bool, Failure> {
        let mut boolean = false;
        // SAFETY: `env` and the argument belong to this call.
        let status =
            unsafe { sys::napi_get_value_bool(self.env, self.argument(at), &raw mut boolean) };
        expect_ok(status, boolean, "a boolean was expected")
    }

    /// Argument `at`, a string, copied to `scratch` as UTF-16.
    pub fn utf16<'s>(&self, at: usize, scratch: &'s mut Vec<u16>) -> Result<&'s [u16], Failure> {
        self.copy_string(at, scratch, sys::napi_get_value_string_utf16)
    }

    /// Argument `at`, a string, copied to `scratch`. `wide` says whether it may have characters
    /// above U+00FF, which would lose their upper byte in the narrow form.
    pub fn units<'s>(
        &self,
        at: usize,
        wide: bool,
        scratch: &'s mut StringScratch,
    ) -> Result<Units<'s>, Failure> {
        if wide {
            return self.utf16(at, &mut scratch.utf16).map(Units::Utf16);
        }
        self.copy_string(at, &mut scratch.latin1, read_latin1)
            .map(Units::Latin1)
    }

    fn copy_string<'s, C>(
        &self,
        at: usize,
        scratch: &'s mut Vec<C>,
        read: unsafe fn(sys::napi_env, Value, *mut C, usize, *mut usize) -> sys::napi_status,
    ) -> Result<&'s [C], Failure> {
        let string = self.argument(at);
        let mut length = 0;
        scratch.clear();
        loop {
            let room = scratch.capacity();
            if room > 1 {
                // SAFETY: the buffer has room for `room` units, the terminator among them.
                let status = unsafe {
                    read(
                        self.env,
                        string,
                        scratch.as_mut_ptr(),
                        room,
                        &raw mut length,
                    )
                };
                expect_ok(status, (), "a string was expected")?;
                // A buffer that has served before has room as a rule, and one call does.
                if length + 1 < room {
                    break;
                }
            }
            // The string may have been cut short. Without a buffer, only its length is written.
            // SAFETY: `env` and the argument belong to this call.
            let status = unsafe { read(self.env, string, ptr::null_mut(), 0, &raw mut length) };
            expect_ok(status, (), "a string was expected")?;
            scratch.reserve(length + 2);
        }
        // SAFETY: `length` units were written, within the capacity.
        unsafe { scratch.set_len(length) };
        Ok(scratch)
    }

    /// Argument `at`, a string. A lone surrogate becomes U+FFFD.
    pub fn text(&self, at: usize) -> Result<String, Failure> {
        let mut units = Vec::new();
        let units = self.utf16(at, &mut units)?;
        let mut bytes = Vec::new();
        let mut encoder = Utf8Encoder::new();
        encoder.encode(units, &mut bytes);
        encoder.flush(&mut bytes);
        Ok(String::from_utf8(bytes).unwrap_or_default())
    }

    /// Argument `at`: a string, or `None` where it isn't given.
    pub fn optional_text(&self, at: usize) -> Result<Option<String>, Failure> {
        let mut kind = 0;
        // SAFETY: `env` and the argument belong to this call.
        let status = unsafe { sys::napi_typeof(self.env, self.argument(at), &raw mut kind) };
        if status == sys::Status::napi_ok && kind == sys::ValueType::napi_undefined {
            return Ok(None);
        }
        self.text(at).map(Some)
    }

    /// Argument `at`, a `Uint8Array`.
    pub fn bytes(&self, at: usize) -> Result<&[u8], Failure> {
        let (data, length) = self.byte_array(at)?;
        if length == 0 {
            return Ok(&[]);
        }
        // SAFETY: Node-API gave the place and length of the live elements; by rule 1 nothing moves
        // or detaches them during the call.
        Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) })
    }

    /// The integers that the environment shares with its native classes.
    #[expect(
        clippy::mut_from_ref,
        reason = "the memory is JavaScript's; each method asks for it once"
    )]
    pub fn shared_integers(&self) -> &mut [i32] {
        // SAFETY: `define_class` gave the pointer, which lives as long as the environment. The
        // array is held, has off-heap memory that only a detaching could free, and never leaves
        // this package, whose code doesn't detach it. By rule 1 this is the only borrow.
        unsafe {
            let shared = &*self.shared;
            std::slice::from_raw_parts_mut(shared.data, shared.length)
        }
    }

    fn byte_array(&self, at: usize) -> Result<(*mut c_void, usize), Failure> {
        let mut kind = 0;
        let mut length = 0;
        let mut data = ptr::null_mut();
        // SAFETY: `env` and the argument belong to this call; what isn't asked for may be null.
        let status = unsafe {
            sys::napi_get_typedarray_info(
                self.env,
                self.argument(at),
                &raw mut kind,
                &raw mut length,
                &raw mut data,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        let is_bytes = status == sys::Status::napi_ok && kind == sys::TypedarrayType::uint8_array;
        if !is_bytes || (data.is_null() && length > 0) {
            return Err(Failure::Argument("a Uint8Array was expected"));
        }
        Ok((data, length))
    }

    /// A JavaScript number.
    pub fn new_number(&self, number: f64) -> Result<Value, Failure> {
        let mut value = ptr::null_mut();
        // SAFETY: `env` belongs to this call.
        let status = unsafe { sys::napi_create_double(self.env, number, &raw mut value) };
        expect_node(status, value, "no number could be made")
    }

    /// `undefined`, where null won't do.
    pub fn undefined(&self) -> Result<Value, Failure> {
        let mut value = ptr::null_mut();
        // SAFETY: `env` belongs to this call.
        let status = unsafe { sys::napi_get_undefined(self.env, &raw mut value) };
        expect_node(status, value, "there is no undefined")
    }

    /// An array of values.
    pub fn new_array(&self, values: &[Value]) -> Result<Value, Failure> {
        let mut array = ptr::null_mut();
        // SAFETY: `env` belongs to this call.
        let status =
            unsafe { sys::napi_create_array_with_length(self.env, values.len(), &raw mut array) };
        expect_node(status, (), "no array could be made")?;
        for (at, value) in (0..).zip(values) {
            // SAFETY: the array and the value belong to this call.
            let status = unsafe { sys::napi_set_element(self.env, array, at, *value) };
            expect_node(status, (), "an array could not be filled")?;
        }
        Ok(array)
    }

    /// A string.
    pub fn new_text(&self, text: &str) -> Result<Value, Failure> {
        if text.is_ascii() {
            return self.new_latin1(text.as_bytes());
        }
        let mut value = ptr::null_mut();
        // SAFETY: the text is copied during the call.
        let status = unsafe {
            sys::napi_create_string_utf8(
                self.env,
                text.as_ptr().cast(),
                text.len() as isize,
                &raw mut value,
            )
        };
        expect_node(status, value, "no string could be made")
    }

    /// A string of one-byte characters.
    pub fn new_latin1(&self, bytes: &[u8]) -> Result<Value, Failure> {
        let mut value = ptr::null_mut();
        // SAFETY: the bytes are copied during the call.
        let status = unsafe {
            sys::napi_create_string_latin1(
                self.env,
                bytes.as_ptr().cast::<c_char>(),
                bytes.len() as isize,
                &raw mut value,
            )
        };
        expect_node(status, value, "no string could be made")
    }

    /// A string of UTF-16.
    pub fn new_utf16(&self, units: &[u16]) -> Result<Value, Failure> {
        let mut value = ptr::null_mut();
        // SAFETY: the units are copied during the call.
        let status = unsafe {
            sys::napi_create_string_utf16(
                self.env,
                units.as_ptr(),
                units.len() as isize,
                &raw mut value,
            )
        };
        expect_node(status, value, "no string could be made")
    }

    /// A `Uint8Array` over an `ArrayBuffer` of its own.
    pub fn new_bytes(&self, bytes: &[u8]) -> Result<Value, Failure> {
        let mut data = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        // SAFETY: `env` belongs to this call.
        let status = unsafe {
            sys::napi_create_arraybuffer(self.env, bytes.len(), &raw mut data, &raw mut buffer)
        };
        expect_node(status, (), "no ArrayBuffer could be made")?;
        if !bytes.is_empty() {
            // SAFETY: the new buffer has `bytes.len()` bytes, and nothing else knows of it.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast::<u8>(), bytes.len()) };
        }
        let mut array = ptr::null_mut();
        // SAFETY: the view covers the buffer.
        let status = unsafe {
            sys::napi_create_typedarray(
                self.env,
                sys::TypedarrayType::uint8_array,
                bytes.len(),
                buffer,
                0,
                &raw mut array,
            )
        };
        expect_node(status, array, "no Uint8Array could be made")
    }
}

/// Buffers for strings that are read.
#[derive(Default)]
pub struct StringScratch {
    /// For UTF-16.
    pub utf16: Vec<u16>,
    /// For one byte a character.
    pub latin1: Vec<u8>,
}

/// Node-API takes the buffer of one-byte strings as C characters.
unsafe fn read_latin1(
    env: sys::napi_env,
    value: Value,
    buffer: *mut u8,
    size: usize,
    length: *mut usize,
) -> sys::napi_status {
    // SAFETY: as the caller promises; the two pointer types have the same layout.
    unsafe { sys::napi_get_value_string_latin1(env, value, buffer.cast(), size, length) }
}

fn expect_ok<T>(status: sys::napi_status, value: T, message: &'static str) -> Result<T, Failure> {
    match status {
        sys::Status::napi_ok => Ok(value),
        _ => Err(Failure::Argument(message)),
    }
}

fn expect_node<T>(status: sys::napi_status, value: T, message: &'static str) -> Result<T, Failure> {
    match status {
        sys::Status::napi_ok => Ok(value),
        _ => Err(Failure::Node(message)),
    }
}

/// Makes a new instance: an external value that frees it when it is collected.
pub fn construct<T>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
    make: fn(&Call) -> Result<T, Failure>,
) -> Value {
    guarded(env, || {
        let call = read_call(env, info)?;
        let instance = Box::into_raw(Box::new(Instance {
            state: make(&call)?,
            broken: false,
        }));
        let mut value = ptr::null_mut();
        // SAFETY: the value takes the instance over and `drop_instance` frees it, once.
        let status = unsafe {
            sys::napi_create_external(
                env,
                instance.cast(),
                Some(drop_instance::<T>),
                ptr::null_mut(),
                &raw mut value,
            )
        };
        if status != sys::Status::napi_ok {
            // SAFETY: Node-API did not take it.
            drop(unsafe { Box::from_raw(instance) });
            return Err(Failure::Node("no native object could be made"));
        }
        account(env, INSTANCE_BYTES);
        Ok(value)
    })
}

/// Calls a function over the instance that is the first argument.
pub fn dispatch<T>(env: sys::napi_env, info: sys::napi_callback_info, method: Method<T>) -> Value {
    guarded(env, || {
        let call = read_call(env, info)?;
        let mut pointer = ptr::null_mut();
        // SAFETY: `env` and the argument belong to this call.
        let status =
            unsafe { sys::napi_get_value_external(env, call.argument(0), &raw mut pointer) };
        if status != sys::Status::napi_ok || pointer.is_null() {
            return Err(Failure::Argument("a native object was expected"));
        }
        // SAFETY: by rule 4 it is an `Instance<T>`, and by rule 1 this is the only reference to it.
        let instance = unsafe { &mut *pointer.cast::<Instance<T>>() };
        if instance.broken {
            return Err(Failure::Node("an earlier call has failed inside"));
        }
        instance.broken = true;
        let result = method(&mut instance.state, &call);
        instance.broken = false;
        result
    })
}

/// A C callback that dispatches to a function over an instance.
macro_rules! callback {
    ($method:path) => {{
        unsafe extern "C" fn callback(
            env: napi::sys::napi_env,
            info: napi::sys::napi_callback_info,
        ) -> $crate::bindings::raw::Value {
            $crate::bindings::raw::dispatch(env, info, $method)
        }
        callback
    }};
}
pub(super) use callback;

/// Defines functions on `exports`, and the integers that they share with JavaScript.
pub fn define_functions(
    env: sys::napi_env,
    exports: Value,
    functions: &[(&CStr, Callback)],
    integers: (&CStr, usize),
) -> Result<(), Failure> {
    let shared = share_integers(env, exports, integers.0, integers.1)?;
    let data = Box::into_raw(Box::new(shared)).cast::<c_void>();
    let properties: Vec<_> = functions
        .iter()
        .map(|(name, function)| sys::napi_property_descriptor {
            utf8name: name.as_ptr(),
            name: ptr::null_mut(),
            method: Some(*function),
            getter: None,
            setter: None,
            value: ptr::null_mut(),
            attributes: sys::PropertyAttributes::enumerable,
            data,
        })
        .collect();
    // SAFETY: the names end in NUL, and all but `data` is copied during the calls. `data` is freed
    // when the environment ends, and no JavaScript runs behind that.
    let status = unsafe {
        sys::napi_add_env_cleanup_hook(env, Some(drop_shared), data);
        sys::napi_define_properties(env, exports, properties.len(), properties.as_ptr())
    };
    expect_node(status, (), "the native functions could not be defined")
}

fn share_integers(
    env: sys::napi_env,
    exports: Value,
    name: &CStr,
    length: usize,
) -> Result<SharedIntegers, Failure> {
    let mut data = ptr::null_mut();
    let mut buffer = ptr::null_mut();
    let mut array = ptr::null_mut();
    let mut reference = ptr::null_mut();
    // SAFETY: `env` and `exports` belong to the loading of the addon; the view covers the buffer,
    // whose memory starts out as zeros.
    let made = unsafe {
        let bytes = length * size_of::<i32>();
        sys::napi_create_arraybuffer(env, bytes, &raw mut data, &raw mut buffer)
            == sys::Status::napi_ok
            && sys::napi_create_typedarray(
                env,
                sys::TypedarrayType::int32_array,
                length,
                buffer,
                0,
                &raw mut array,
            ) == sys::Status::napi_ok
            && sys::napi_create_reference(env, array, 1, &raw mut reference) == sys::Status::napi_ok
            && sys::napi_set_named_property(env, exports, name.as_ptr(), array)
                == sys::Status::napi_ok
    };
    if made && !data.is_null() {
        return Ok(SharedIntegers {
            data: data.cast(),
            length,
            reference,
        });
    }
    Err(Failure::Node("no array could be shared"))
}

unsafe extern "C" fn drop_shared(data: *mut c_void) {
    // SAFETY: `define_class` made it, and Node-API calls this once. The reference goes with the
    // environment.
    let shared = unsafe { Box::from_raw(data.cast::<SharedIntegers>()) };
    debug_assert!(!shared.reference.is_null());
}

/// Runs `body`, and throws what it fails with, a panic included.
fn guarded(env: sys::napi_env, body: impl FnOnce() -> Result<Value, Failure>) -> Value {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(failure)) => failure,
        Err(_) => Failure::Node("a panic in native code, which is a bug"),
    };
    throw(env, &failure);
    ptr::null_mut()
}

fn read_call(env: sys::napi_env, info: sys::napi_callback_info) -> Result<Call, Failure> {
    let mut call = Call {
        env,
        arguments: [ptr::null_mut(); MOST_ARGUMENTS],
        shared: ptr::null_mut(),
    };
    let mut count = MOST_ARGUMENTS;
    // SAFETY: at most `count` arguments are written; those not given become `undefined`.
    let status = unsafe {
        sys::napi_get_cb_info(
            env,
            info,
            &raw mut count,
            call.arguments.as_mut_ptr(),
            ptr::null_mut(),
            (&raw mut call.shared).cast(),
        )
    };
    expect_node(status, call, "the call could not be read")
}

/// Tells the collector of memory that it can't see, so that it comes in time.
fn account(env: sys::napi_env, bytes: i64) {
    let mut total = 0;
    // SAFETY: `env` is alive.
    unsafe { sys::napi_adjust_external_memory(env, bytes, &raw mut total) };
}

unsafe extern "C" fn drop_instance<T>(env: sys::napi_env, data: *mut c_void, _: *mut c_void) {
    account(env, -INSTANCE_BYTES);
    // SAFETY: `construct` made it, and Node-API calls this once.
    let instance = unsafe { Box::from_raw(data.cast::<Instance<T>>()) };
    // A panic must not reach Node; what could not be dropped is leaked.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(instance)));
}

/// Throws an error whose `code` and numbers `js/errors.js` makes the public error of.
fn throw(env: sys::napi_env, failure: &Failure) {
    let mut pending = false;
    // SAFETY: `env` belongs to the present call.
    unsafe { sys::napi_is_exception_pending(env, &raw mut pending) };
    if pending {
        return;
    }
    let (code, message) = match failure {
        Failure::Journal(error) => (journal_code(error), error.to_string()),
        Failure::Argument(message) => ("ARGUMENT", (*message).to_owned()),
        Failure::Node(message) => ("NODE", (*message).to_owned()),
    };
    let Some(error) = new_error(env, code, &message) else {
        return;
    };
    if let Failure::Journal(journal) = failure {
        set_numbers(env, error, journal);
    }
    // SAFETY: `error` was just made in this scope.
    unsafe { sys::napi_throw(env, error) };
}

fn journal_code(error: &JournalError) -> &'static str {
    match error {
        JournalError::InvalidCharacter { .. } => "INVALID_CHARACTER",
        JournalError::MisplacedPadding { .. } => "MISPLACED_PADDING",
        JournalError::MidQuantum { .. } => "MID_QUANTUM",
        JournalError::LineTooLong { .. } => "LINE_TOO_LONG",
        JournalError::OutOfMemory { .. } => "OUT_OF_MEMORY",
    }
}

fn set_numbers(env: sys::napi_env, error: Value, journal: &JournalError) {
    let numbers: &[(&CStr, f64)] = match *journal {
        JournalError::InvalidCharacter { unit, index } => {
            &[(c"unit", f64::from(unit)), (c"index", index as f64)]
        }
        JournalError::MisplacedPadding { index } => &[(c"index", index as f64)],
        JournalError::MidQuantum { pending } => &[(c"pending", pending as f64)],
        JournalError::LineTooLong { bytes } | JournalError::OutOfMemory { bytes } => {
            &[(c"bytes", bytes as f64)]
        }
    };
    for (name, number) in numbers {
        let mut value = ptr::null_mut();
        // SAFETY: `error` is an object of this scope, and the name ends in NUL.
        unsafe {
            sys::napi_create_double(env, *number, &raw mut value);
            sys::napi_set_named_property(env, error, name.as_ptr(), value);
        }
    }
}

fn new_error(env: sys::napi_env, code: &str, message: &str) -> Option<Value> {
    let text = |text: &str| {
        let mut value = ptr::null_mut();
        // SAFETY: the text is copied during the call.
        let status = unsafe {
            sys::napi_create_string_utf8(
                env,
                text.as_ptr().cast(),
                text.len() as isize,
                &raw mut value,
            )
        };
        (status == sys::Status::napi_ok).then_some(value)
    };
    let mut error = ptr::null_mut();
    // SAFETY: both strings belong to this scope.
    let status =
        unsafe { sys::napi_create_error(env, text(code)?, text(message)?, &raw mut error) };
    (status == sys::Status::napi_ok).then_some(error)
}
