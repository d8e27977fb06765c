//! Tells the linker what a Node addon needs.

fn main() {
    #[cfg(feature = "napi")]
    napi_build::setup();
    // A worker that ends closes the library, and the last one would unload it while strings that
    // it made, or thread-local memory, still point into it.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,-z,nodelete");
    }
}
