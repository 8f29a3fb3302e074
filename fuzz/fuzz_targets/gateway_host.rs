//! `cargo fuzz run --features libfuzzer gateway_host`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| outfall_fuzz::gateway_host(data));
