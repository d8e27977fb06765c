//! Tells the linker what a Node addon needs.

fn main() {
    #[cfg(feature = "napi")]
    napi_build::setup();
}
