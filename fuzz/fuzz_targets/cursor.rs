//! `cargo fuzz run --features libfuzzer cursor`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::cursor(data));
