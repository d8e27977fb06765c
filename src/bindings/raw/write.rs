//! Results: from Rust to JavaScript.

use std::ffi::c_char;
use std::ptr;

use napi::sys;

use super::{Call, Failure, Value, expect_node};

impl Call {
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
