//! Everything that a stranger can send to Outfall or put into its files, as functions of any bytes.
//!
//! Each function panics when something that must hold does not. `cargo fuzz` looks for bytes that
//! make it panic (`fuzz_targets/`); `cargo test` replays the bytes that were kept (`corpus/`) and
//! random changes of them.

#![expect(clippy::expect_used, reason = "a target that cannot go on has found something")]

mod files;
mod requests;

pub use files::{csv_file, csv_row, key_file, manifest};
pub use requests::{accept, cursor, gateway_host, query_string, text_query};

/// A target: the folder of its corpus, and what it does with any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 9] = [
    ("accept", accept),
    ("csv_file", csv_file),
    ("csv_row", csv_row),
    ("cursor", cursor),
    ("gateway_host", gateway_host),
    ("key_file", key_file),
    ("manifest", manifest),
    ("query_string", query_string),
    ("text_query", text_query),
];
