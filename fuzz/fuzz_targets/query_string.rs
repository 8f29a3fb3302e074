//! `cargo fuzz run --features libfuzzer query_string`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::query_string(data));
