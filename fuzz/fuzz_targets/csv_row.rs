//! `cargo fuzz run --features libfuzzer csv_row`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::csv_row(data));
