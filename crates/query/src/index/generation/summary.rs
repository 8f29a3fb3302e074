//! The description of an index in the manifest of its generation.

use std::collections::BTreeMap;

use outfall_records::DatasetInfo;
use outfall_store::Described;
use serde::{Deserialize, Serialize};

use super::Contents;

/// The description of a generation's data, and the contents that its kinds must have when opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexSummary {
    /// The description of its data.
    pub dataset: DatasetInfo,
    /// The contents that each kind must have, by its name.
    pub contents: BTreeMap<String, Contents>,
    /// The generation that it was compared with, if it has a list of what changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes_since: Option<String>,
}

impl Described for IndexSummary {
    const LAYOUT_VERSION: u32 = 9;
}

/// The manifest of an index.
pub type Manifest = outfall_store::Manifest<IndexSummary>;
