//! The order by value as a numeric key for each document, and the place of a cursor among the keys.

use std::ops::Range;

use outfall_request::{Cursor, CursorKey, SearchError, SortOrder};

use super::selection::Order;
use crate::index::{ValueOrder, numbered};
use crate::search::index::KindIndex;
use crate::search::values::ValueFilter;

/// Keys that order documents by value and then by id: the smaller comes first.
pub(crate) struct ValueKeys<'a> {
    pub(crate) kind: &'a KindIndex,
    pub(crate) order: &'a ValueOrder,
    pub(crate) direction: SortOrder,
}

impl ValueKeys<'_> {
    fn distinct(&self) -> usize {
        self.order.distinct()
    }

    /// The keys of all documents whose values have these ordinals.
    pub(crate) fn keys(&self, ordinals: &Range<usize>) -> Range<u64> {
        let (first, end) = match self.direction {
            SortOrder::Asc => (ordinals.start, ordinals.end),
            SortOrder::Desc => (self.distinct() - ordinals.end, self.distinct() - ordinals.start),
        };
        joined(first, 0)..joined(end, 0)
    }

    /// The place of an ordinal in the direction of the sort.
    fn place(&self, ordinal: usize) -> usize {
        match self.direction {
            SortOrder::Asc => ordinal,
            SortOrder::Desc => self.distinct() - 1 - ordinal,
        }
    }

    /// The smallest key after a cursor, whether or not its record still exists.
    pub(crate) fn threshold(&self, comparison: &ValueFilter, cursor: &Cursor) -> u64 {
        let documents = &self.kind.ids.documents;
        let is_before =
            |document: &u32| self.kind.compare_record_id(*document, cursor.record_id()).is_le();
        let rank = numbered(documents.partition_point(is_before));
        let value = match &cursor.key() {
            CursorKey::Value(value) => value.and_then(|value| comparison.ordered(value)),
            _ => None,
        };
        let Some(value) = value else {
            return joined(self.distinct(), rank);
        };
        let least = comparison.first_at_least(self.kind, self.order, value);
        let above = comparison.first_above(self.kind, self.order, value);
        match (above > least, self.direction) {
            (true, _) => joined(self.place(least), rank),
            (false, SortOrder::Asc) => joined(least, 0),
            (false, SortOrder::Desc) => joined(self.distinct() - least, 0),
        }
    }

    /// The documents of a place, by id; those without a value come after the last one.
    fn group(&self, place: usize) -> &[u32] {
        let ValueOrder { documents, starts, .. } = self.order;
        if place == self.distinct() {
            return &documents[self.order.valued()..];
        }
        // `place` is its own inverse.
        let ordinal = self.place(place);
        &documents[starts[ordinal] as usize..starts[ordinal + 1] as usize]
    }
}

impl Order for ValueKeys<'_> {
    fn key(&self, document: u32) -> u64 {
        self.least_key(document) | u64::from(self.kind.ids.ranks[document as usize])
    }

    fn least_key(&self, document: u32) -> u64 {
        let place = match self.order.ordinals[document as usize] {
            ValueOrder::NO_VALUE => self.distinct(),
            ordinal => self.place(ordinal as usize),
        };
        joined(place, 0)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a key is a place and a rank of 32 bits")]
    fn walk(
        &self,
        keys: Range<u64>,
        mut visit: impl FnMut(u32) -> Result<bool, SearchError>,
    ) -> Result<(), SearchError> {
        let (first, rank) = ((keys.start >> 32) as usize, keys.start as u32);
        // Bounds end between two places.
        let end = (self.distinct() + 1).min((keys.end >> 32) as usize);
        for place in first..end {
            let group = self.group(place);
            let is_before = |document: &u32| self.kind.ids.ranks[*document as usize] < rank;
            let start = match place == first && rank > 0 {
                true => group.partition_point(is_before),
                false => 0,
            };
            for document in &group[start..] {
                if !visit(*document)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// A place and a rank as one number that orders by both.
pub(crate) const fn joined(place: usize, rank: u32) -> u64 {
    (place as u64) << 32 | rank as u64
}
