//! The sources and the contents of one published index.

use std::collections::BTreeMap;
use std::time::SystemTime;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The identity and the contents of one published index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DatasetInfo {
    /// Made from records and sources: changes whenever an answer could change, and is the same in
    /// every build of the same files. Safe inside a quoted `ETag`.
    pub build_id: String,
    /// When it was published, if known; not part of its identity, and not stored.
    #[serde(skip)]
    pub published: Option<SystemTime>,
    /// The official files that it was built from, in the order given.
    pub sources: Vec<SourceInfo>,
    /// Its records, by the name of the kind.
    pub kinds: BTreeMap<String, KindInfo>,
}

/// One official file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Source")]
pub struct SourceInfo {
    /// The file's own name, without its folder.
    pub name: String,
    /// The kind, by its header: `npri-releases`, `npri-locations`, `ghgrp`, `cesi`.
    #[schemars(extend("enum" = ["npri-releases", "npri-locations", "ghgrp", "cesi"]))]
    pub kind: String,
    /// The edition, by its header, as a text for people.
    pub vintage: String,
    /// Bytes on disk, before decompression.
    pub bytes: u64,
    /// SHA-256 of those bytes, in hexadecimal.
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    pub sha256: String,
    /// SHA-256 of the unpacked bytes; the same unless the file is packed.
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    pub unpacked_sha256: String,
    /// Rows read, header not counted.
    pub rows: u64,
    /// Rows that became part of a record.
    pub accepted: u64,
    /// Rows that did not, by the code of the reason.
    pub rejected: BTreeMap<String, u64>,
}

/// The records of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Kind")]
pub struct KindInfo {
    /// The number of records.
    pub records: u64,
    /// Records by reporting year.
    pub years: BTreeMap<u16, u64>,
    /// Records by province code; those of no province under the empty text.
    pub provinces: BTreeMap<String, u64>,
}
