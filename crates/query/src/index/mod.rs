//! One published index: its files, its records before they are written, and its contents in memory
//! while it is served.

mod bytes;
mod engine;
mod error;
mod generation;
mod kind;
mod order;
mod record;

pub(crate) use bytes::numbered;
pub use bytes::{Number, Numbers, NumbersMut, Strings};
pub use engine::{RecordTokenizer, TextFields, UnitFields};
pub use error::IndexError;
pub use generation::{
    Contents, Generation, IndexSummary, Manifest, ServedChanges, Staging, kept_edition, roll_back,
    served_changes, served_edition,
};
pub use kind::{
    Amounts, EncodedKind, Kind, Label, Labelled, Labels, Postings, StoredBitmap, StoredSets,
    YearBlock, encode,
};
pub use order::{IdOrder, ValueMeasure, ValueOrder};
pub use record::{StoredEmission, StoredRecord, StoredRelease, Template, TemplateStep};
