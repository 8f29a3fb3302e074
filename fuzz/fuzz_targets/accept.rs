//! `cargo fuzz run --features libfuzzer accept`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::accept(data));
