//! The index of one kind, as it is written and as a reader holds it in memory.

mod amounts;
mod coordinates;
mod head;
mod labels;
mod opened;
mod postings;
mod read;
mod sample;
mod sets;
mod streamed;
mod write;

pub use amounts::Amounts;
pub use labels::{Label, Labelled, Labels};
pub use opened::{Kind, YearBlock};
pub use postings::Postings;
pub(crate) use sample::Sample;
pub use sets::{StoredBitmap, StoredSets};
pub(crate) use streamed::StreamedKind;
pub use write::{EncodedKind, encode};

/// The file of everything but the full-text index and the stored sets.
pub(crate) const TABLES: &str = "tables.bin";
/// The file of the stored sets of documents.
const SETS: &str = "sets.bin";
/// The folder of the index of texts.
const TEXTS: &str = "texts";
