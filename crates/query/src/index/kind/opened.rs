//! The index of one kind as a reader holds it in memory.

use std::cmp::Ordering;
use std::io::Write;
use std::ops::Range;

use outfall_records::{Medium, RecordKind};
use outfall_request::Coordinates;
use tantivy::Searcher;
use tantivy::directory::OwnedBytes;

use super::amounts::Amounts;
use super::labels::{Labelled, Labels};
use super::postings::Postings;
use super::sets::StoredSets;
use crate::index::Strings;
use crate::index::bytes::Numbers;
use crate::index::engine::TextFields;
use crate::index::order::{IdOrder, ValueMeasure, ValueOrder};
use crate::index::record::{StoredRecord, Template};

/// The index of one kind in memory. Documents are numbered in canonical order.
#[derive(Debug)]
pub struct Kind {
    /// The kind.
    pub record_kind: RecordKind,
    /// The years, newest first; together they hold all documents.
    pub years: Vec<YearBlock>,
    /// The steps of assembling a body.
    pub template: Template,
    /// The id of each site.
    pub site_ids: Strings,
    /// The fragments of each site, one after the other.
    pub site_fragments: Strings,
    /// The id of each substance.
    pub substance_ids: Strings,
    /// The fragments of each substance, one after the other.
    pub substance_fragments: Strings,
    /// The fragments of each medium in [`Medium::ALL`].
    pub medium_fragments: Strings,
    /// The JSON of a breakdown's row up to its quantity, by category.
    pub categories: Strings,
    /// Estimation methods as JSON texts.
    pub methods: Strings,
    /// Where each site is, if it shows both coordinates.
    pub coordinates: Vec<Option<Coordinates>>,
    /// The site of each document.
    pub site_of: Numbers<u32>,
    /// The substance of each document; empty for emissions.
    pub substance_of: Numbers<u16>,
    /// The place in [`Medium::ALL`] of the medium of each document; empty for emissions.
    pub medium_of: Numbers<u8>,
    /// The order by id.
    pub ids: IdOrder,
    /// What each document adds to a sum.
    pub amounts: Amounts,
    /// The documents of each dimension: sites, substances, sets of media, years.
    pub postings: Postings,
    /// The dimensions that show each text.
    pub described: Postings,
    /// The sets of documents that are stored whole.
    pub sets: StoredSets,
    /// The index of texts.
    pub texts: Searcher,
    /// Its fields.
    pub fields: TextFields,
    /// The words that `q` finds, as they are spelled.
    pub words: Strings,
    /// The names of cities.
    pub cities: Strings,
    pub(super) labels: Vec<Labels>,
    pub(super) orders: Vec<ValueOrder>,
    pub(super) row_ends: Numbers<u32>,
    pub(super) row_bytes: OwnedBytes,
}

/// Room for nearly every `record_id`, in bytes.
const LONGEST_ID: usize = 48;

/// The documents of a reporting year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YearBlock {
    /// The year.
    pub year: u16,
    /// Its documents.
    pub documents: Range<u32>,
}

impl Kind {
    /// The number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.row_ends.len()
    }

    /// Whether there are no documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.row_ends.is_empty()
    }

    /// A document's own values.
    ///
    /// # Panics
    /// If there is no such document.
    #[must_use]
    #[expect(clippy::expect_used, reason = "every row was read when the index was opened")]
    pub fn record(&self, document: u32) -> StoredRecord<'_> {
        let document = document as usize;
        let start = document.checked_sub(1).map_or(0, |before| self.row_ends[before] as usize);
        let row = &self.row_bytes[start..self.row_ends[document] as usize];
        StoredRecord::decode(self.record_kind, row).expect("a row")
    }

    /// The bytes of every document's own values.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        let bytes = self.row_bytes.as_slice();
        self.row_ends.iter().scan(0, |start, end| {
            let row = &bytes[*start..*end as usize];
            *start = *end as usize;
            Some(row)
        })
    }

    /// The `record_id` of a document.
    ///
    /// # Panics
    /// If there is no such document.
    #[must_use]
    #[expect(clippy::expect_used, reason = "every part of it is a text")]
    pub fn record_id(&self, document: u32) -> String {
        let mut id = Vec::with_capacity(LONGEST_ID);
        self.write_record_id(document, &mut id);
        String::from_utf8(id).expect("a text")
    }

    /// Compares the `record_id` of a document with `other`, in byte order.
    ///
    /// # Panics
    /// If there is no such document.
    #[must_use]
    pub fn compare_record_id(&self, document: u32, other: &str) -> Ordering {
        let mut id = Vec::with_capacity(LONGEST_ID);
        self.write_record_id(document, &mut id);
        id.as_slice().cmp(other.as_bytes())
    }

    /// Appends the `record_id` of a document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn write_record_id(&self, document: u32, id: &mut Vec<u8>) {
        let place = document as usize;
        id.extend_from_slice(self.site_ids.bytes(self.site_of[place] as usize));
        // Writing to a `Vec` never fails.
        let _ = write!(id, ":{}", self.year_of(document));
        if self.record_kind.has_substances() {
            let substance = self.substance_ids.bytes(usize::from(self.substance_of[place]));
            let medium = Medium::ALL[usize::from(self.medium_of[place])].slug();
            for part in [substance, medium.as_bytes()] {
                id.push(b':');
                id.extend_from_slice(part);
            }
        }
    }

    /// The order by a value; the one by the reported value if the kind does not have it.
    #[must_use]
    pub fn order(&self, compared: ValueMeasure) -> &ValueOrder {
        let place = ValueMeasure::of(self.record_kind).iter().position(|other| *other == compared);
        &self.orders[place.unwrap_or(0)]
    }

    /// The values that sites or substances show; none if the kind has no such dimensions.
    #[must_use]
    pub fn labels(&self, labelled: Labelled) -> Labels {
        let place = Labelled::of(self.record_kind).iter().position(|other| *other == labelled);
        place.map_or_else(Labels::default, |place| self.labels[place].clone())
    }

    /// The year of a document.
    #[must_use]
    pub fn year_of(&self, document: u32) -> u16 {
        let block = self.years.partition_point(|block| block.documents.end <= document);
        self.years.get(block).map_or(0, |block| block.year)
    }
}
