//! `cargo fuzz run --features libfuzzer text_query`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::text_query(data));
