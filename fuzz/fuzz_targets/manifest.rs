//! `cargo fuzz run --features libfuzzer manifest`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::manifest(data));
