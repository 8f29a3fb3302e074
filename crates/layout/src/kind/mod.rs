//! The index of one kind: what is written of it, and what a reader holds of it in memory.

mod documents;
mod postings;
mod read;
mod sample;
mod write;

pub use postings::Postings;
pub use read::{Kind, YearBlock};
pub(crate) use sample::Sample;
pub use write::{EncodedKind, encode};

/// The file of everything but the full-text indexes.
const TABLES: &str = "tables.bin";
/// The folder of the index of descriptions.
const DESCRIPTIONS: &str = "descriptions";
/// The folder of the index of rows.
const ROWS: &str = "rows";
