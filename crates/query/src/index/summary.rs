//! What the manifest of a generation says about an index.

use std::collections::BTreeMap;

use outfall_records::DatasetInfo;
use outfall_store::Described;
use serde::{Deserialize, Serialize};

use crate::index::Contents;

/// What is served of a generation, and what its kinds must come to when they are opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexSummary {
    /// What is served of it.
    pub dataset: DatasetInfo,
    /// What each kind must come to, by its name.
    pub contents: BTreeMap<String, Contents>,
}

impl Described for IndexSummary {
    const LAYOUT_VERSION: u32 = 4;
}

/// The manifest of an index.
pub type Manifest = outfall_store::Manifest<IndexSummary>;
