//! A generation as a server uses it: opened once, and never changed in the cluster.

use std::collections::BTreeMap;

use outfall_records::{DatasetInfo, PerKind, RecordKind};
use outfall_request::Facet;
use serde::{Deserialize, Serialize};

use crate::lists::Lists;
use crate::mapping::Measure;

/// What is known of the index of a kind without asking the cluster; kept in its `_meta`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KindFacts {
    /// How many values each facet has that has keys of its own.
    pub(crate) values: BTreeMap<String, u64>,
    /// The limbs of each measure that occur.
    pub(crate) limbs: BTreeMap<String, Vec<usize>>,
}

/// What `_meta` of the index of a kind says once it is published.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Meta {
    /// The form of the index.
    pub(crate) format: u32,
    /// `loading`, then `whole`.
    pub(crate) state: String,
    /// The identity and the contents of the whole generation.
    #[serde(default)]
    pub(crate) dataset: DatasetInfo,
    /// When it was published, in seconds since 1970.
    #[serde(default)]
    pub(crate) published: u64,
    /// The documents of the lists of this kind.
    #[serde(default)]
    pub(crate) list_parts: u64,
    #[serde(default)]
    pub(crate) facts: KindFacts,
}

impl Meta {
    /// The state of an index that is whole.
    pub(crate) const WHOLE: &str = "whole";
}

/// The index of a kind.
#[derive(Debug)]
pub(crate) struct OpenedKind {
    pub(crate) record_kind: RecordKind,
    /// The concrete index: an alias could be switched between two requests for one answer.
    pub(crate) index: String,
    pub(crate) lists: Lists,
    pub(crate) facts: KindFacts,
    /// How many reporting years there are.
    pub(crate) years: u64,
}

/// A generation.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) generation: String,
    pub(crate) dataset: DatasetInfo,
    pub(crate) kinds: PerKind<OpenedKind>,
}

impl OpenedKind {
    /// The most values that a facet has.
    pub(crate) fn values(&self, facet: Facet) -> u64 {
        match facet {
            Facet::Province => outfall_records::Province::ALL.len() as u64,
            Facet::Medium => outfall_records::Medium::ALL.len() as u64,
            Facet::Units => outfall_records::Unit::ALL.len() as u64,
            Facet::Year => self.years,
            Facet::NaicsCode | Facet::Substance | Facet::Facility | Facet::Company => {
                self.facts.values.get(facet.name()).copied().unwrap_or(0)
            }
        }
    }

    /// The limbs of a measure that some record has.
    pub(crate) fn limbs(&self, measure: Measure) -> &[usize] {
        self.facts.limbs.get(measure.name()).map_or(&[], Vec::as_slice)
    }
}
