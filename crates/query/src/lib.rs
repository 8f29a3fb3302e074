//! The embedded engine: what the index of a kind is, writing it, opening it and searching it.
//!
//! The only crate that names tantivy. `index` is what is written and opened, `search` translates a
//! request (`q`, ranges, terms) into look-ups and sets of documents.

mod index;
mod search;

pub use index::*;
pub use search::EmbeddedBackend;
