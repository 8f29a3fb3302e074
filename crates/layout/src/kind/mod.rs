//! The index of one kind: what is written of it, and what a reader holds of it in memory.

mod read;
mod write;

pub use read::{Kind, Postings, YearBlock};
pub use write::{EncodedKind, encode};

/// The file of everything but the full-text indexes.
const TABLES: &str = "tables.bin";
/// The folder of the index of descriptions.
const DESCRIPTIONS: &str = "descriptions";
/// The folder of the index of rows.
const ROWS: &str = "rows";
