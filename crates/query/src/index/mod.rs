//! One published index: its files, its records before they are written, and its contents in memory
//! while it is served.

mod codec;
mod contents;
mod directory;
mod engine;
mod error;
mod fragments;
mod generation;
mod kind;
mod numbers;
mod order;
mod row;
mod schema;
mod staging;
mod strings;
mod summary;
mod tokenizer;
mod value;

pub use contents::Contents;
pub use error::IndexError;
pub use fragments::{Template, TemplateStep};
pub use generation::Generation;
pub use kind::{
    EncodedKind, Kind, Label, Labelled, Labels, Postings, Quantities, Quantity, StoredBitmap,
    StoredSets, WideQuantity, YearBlock, encode,
};
pub use numbers::{Number, Numbers, NumbersMut};
pub use order::{IdOrder, ValueMeasure, ValueOrder};
pub use row::{StoredEmission, StoredRecord, StoredRelease};
pub use schema::{TextFields, UnitFields};
pub use staging::{Staging, roll_back};
pub use strings::Strings;
pub use summary::{IndexSummary, Manifest};
pub use tokenizer::RecordTokenizer;
