//! What one published index is on disk, and in memory before it is written and while it is served.

mod codec;
mod contents;
mod directory;
mod engine;
mod error;
mod fragments;
mod generation;
mod identity;
mod kind;
mod manifest;
mod numbers;
mod order;
mod outline;
mod plain_file;
mod row;
mod schema;
mod staging;
mod strings;
mod tables;
mod tokenizer;
mod value;

pub use contents::Contents;
pub use error::LayoutError;
pub use fragments::{OwnField, Piece, Slot, Template};
pub use generation::Generation;
pub use kind::{
    DocumentSet, EncodedKind, Kind, Label, Labelled, Labels, Postings, Quantities, Quantity,
    StoredSets, WideQuantity, YearBlock, encode,
};
pub use manifest::{Current, FileInfo, Manifest};
pub use numbers::{Number, Numbers, NumbersMut};
pub use order::{Compared, IdOrder, ValueOrder};
pub use plain_file::read_plain_file;
pub use row::{StoredEmission, StoredRelease};
pub use schema::{TextFields, UnitFields};
pub use staging::{Published, Staging, roll_back};
pub use strings::Strings;
pub use tables::{EmissionRow, NO_METHOD, PartRow, ReleaseRow, Rows, Tables};
pub use tokenizer::RecordTokenizer;
