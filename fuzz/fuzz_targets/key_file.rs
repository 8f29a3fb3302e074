//! `cargo fuzz run --features libfuzzer key_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::key_file(data));
