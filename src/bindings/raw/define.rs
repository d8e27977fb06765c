//! Functions on the exports, and the memory that they share with JavaScript.

use std::ffi::{CStr, c_void};
use std::ptr;

use napi::sys;

use super::{Callback, Failure, Value, expect_node};

/// An `Int32Array` that an environment shares with its native functions, since to pass one with each
/// call costs as much as the call.
pub struct SharedIntegers {
    pub(super) data: *mut i32,
    pub(super) length: usize,
    /// Keeps the array alive, and with it the memory at `data`.
    reference: sys::napi_ref,
}

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
    // SAFETY: `define_functions` made it, and Node-API calls this once. The reference goes with the
    // environment.
    let shared = unsafe { Box::from_raw(data.cast::<SharedIntegers>()) };
    debug_assert!(!shared.reference.is_null());
}
