//! A record as it is stored: its own values in a row, and the JSON that it shares in fragments.

mod fragments;
mod row;

pub(crate) use fragments::{CutRecord, of_category};
pub use fragments::{Template, TemplateStep};
pub use row::{StoredEmission, StoredRecord, StoredRelease};
pub(crate) use row::{encode_emission, encode_release};
