//! Arguments: from JavaScript to Rust.

use std::ffi::c_void;
use std::ptr;

use napi::sys;

use super::{Call, Failure, Value, expect_ok};
use crate::journal::{Units, Utf8Encoder};

impl Call {
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

    /// The integers that the environment shares with its native functions.
    #[expect(
        clippy::mut_from_ref,
        reason = "the memory is JavaScript's; each method asks for it once"
    )]
    pub fn shared_integers(&self) -> &mut [i32] {
        // SAFETY: `define_functions` gave the pointer, which lives as long as the environment. The
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
