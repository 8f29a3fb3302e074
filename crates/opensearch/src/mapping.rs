//! The settings and fields of the indexes of a generation. The loader writes these fields, and the
//! translation of a request reads them.

use outfall_records::RecordKind;
use outfall_request::{Facet, Page};
use serde_json::{Value, json};

use crate::limbs::LIMBS;

/// The version of the index format; a server reads only indexes of its own version.
pub(crate) const FORMAT: u32 = 2;

/// Tokens between two texts of one field. A `q` has 512 characters at most, so no phrase reaches
/// from one text into the next.
const GAP: u32 = 600;
/// Characters of a token that are indexed as one; a longer one is too long for the engine too,
/// which then refuses the record.
const LONGEST_TOKEN: u32 = 40_000;

/// The copies and parts of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Parts that each kind of record is spread over.
    pub shards: u16,
    /// Further copies of each part.
    pub replicas: u16,
}

impl Default for Layout {
    fn default() -> Self {
        Self { shards: 1, replicas: 1 }
    }
}

/// The amounts that are summed and ordered separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Masses in kilograms; of emissions, tonnes CO2e.
    Mass,
    /// Grams of toxic equivalent.
    Teq,
}

impl Measure {
    pub(crate) const ALL: [Self; 2] = [Self::Mass, Self::Teq];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mass => "mass",
            Self::Teq => "teq",
        }
    }

    /// The field of a limb.
    pub(crate) fn limb(self, limb: usize) -> String {
        format!("sum.{}.l{limb}", self.name())
    }
}

/// The field that a facet counts.
pub(crate) const fn facet_field(facet: Facet) -> &'static str {
    match facet {
        Facet::Province => "province",
        Facet::Year => "year",
        Facet::NaicsCode => "facet.naics_code",
        Facet::Substance => "facet.substance",
        Facet::Medium => "medium",
        Facet::Facility => "facet.facility",
        Facet::Company => "facet.company",
        Facet::Units => "units",
    }
}

/// The index of the records of a kind, which `alias` may write to until it is published.
pub(crate) fn of_records(layout: Layout, alias: &str) -> Value {
    let tokens = || json!({"type": "text", "analyzer": "tokens", "norms": false, "position_increment_gap": GAP});
    let found = || json!({"type": "keyword", "doc_values": false});
    let both = || json!({"type": "keyword"});
    // A refresh prepares the field for counting, so that the first search after a switch need not.
    let counted = || json!({"type": "keyword", "index": false, "eager_global_ordinals": true});
    let limbs = |measure: Measure| {
        let limb = |limb| (format!("l{limb}"), json!({"type": "long", "index": false}));
        (measure.name().to_owned(), json!({"properties": Value::from_iter((0..LIMBS).map(limb))}))
    };
    json!({
        "aliases": {alias: {}},
        "settings": {"index": {
            "number_of_shards": layout.shards,
            // They are added once the index is full.
            "number_of_replicas": 0,
            "refresh_interval": "-1",
            "codec": "best_compression",
            // The deepest page, and one more record to tell whether it is the last.
            "max_result_window": Page::MAX_OFFSET + Page::MAX_LIMIT + 1,
            "sort.field": ["year", "id"],
            "sort.order": ["desc", "asc"],
            "requests.cache.enable": false,
            // Tokens are made by `records`; the engine only takes them apart again.
            "analysis": {
                "tokenizer": {"ws": {"type": "whitespace", "max_token_length": LONGEST_TOKEN}},
                "analyzer": {"tokens": {"type": "custom", "tokenizer": "ws"}},
            },
        }},
        "mappings": {
            "dynamic": "strict",
            "_routing": {"required": true},
            "_source": {"includes": ["json"]},
            "_meta": {"format": FORMAT, "state": "loading"},
            "properties": {
                "id": both(),
                "year": {"type": "short"},
                "text": tokens(),
                "text_class": found(),
                "name": tokens(),
                "name_class": found(),
                "substance_name": tokens(),
                "substance_class": found(),
                "company": tokens(),
                "city": found(),
                "province": both(),
                "medium": both(),
                "units": both(),
                "facility": found(),
                "naics": found(),
                "substance": found(),
                "place": {"type": "integer"},
                "order": {"properties": {"reported": both(), "mass": both(), "teq": both()}},
                "sum": {"properties": Value::from_iter(Measure::ALL.map(limbs))},
                "facet": {"properties": {
                    "naics_code": counted(),
                    "substance": counted(),
                    "facility": counted(),
                    "company": counted(),
                }},
                "json": {"type": "keyword", "index": false, "doc_values": false},
            },
        },
    })
}

/// The index of the lists of a generation.
pub(crate) fn of_lists() -> Value {
    json!({
        "settings": {"index": {
            "number_of_shards": 1,
            "number_of_replicas": 0,
            "refresh_interval": "-1",
        }},
        "mappings": {
            "dynamic": "strict",
            "properties": {
                "part": {"type": "keyword"},
                "json": {"type": "keyword", "index": false, "doc_values": false},
            },
        },
    })
}

/// Whether the records of a kind have an amount of a measure.
pub(crate) fn measures(record_kind: RecordKind) -> &'static [Measure] {
    if record_kind.has_units() { &Measure::ALL } else { &[Measure::Mass] }
}
