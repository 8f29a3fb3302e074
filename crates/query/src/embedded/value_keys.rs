//! The order by value as numbers: a key for each document, and where a cursor stands among them.

use outfall_layout::ValueOrder;

use super::comparison::Comparison;
use super::index::KindIndex;
use crate::cursor::CursorKey;
use crate::{Cursor, SortOrder};

/// Keys that order documents by value and then by id: the smaller comes first.
pub(crate) struct ValueKeys<'a> {
    pub(crate) kind: &'a KindIndex,
    pub(crate) order: &'a ValueOrder,
    pub(crate) direction: SortOrder,
}

impl ValueKeys<'_> {
    fn distinct(&self) -> usize {
        self.order.starts.len() - 1
    }

    /// The place of an ordinal in the direction of the sort.
    fn place(&self, ordinal: usize) -> usize {
        match self.direction {
            SortOrder::Asc => ordinal,
            SortOrder::Desc => self.distinct() - 1 - ordinal,
        }
    }

    pub(crate) fn key(&self, document: u32) -> u64 {
        let ordinal = self.order.ordinals[document as usize];
        let place = match ordinal {
            ValueOrder::NO_VALUE => self.distinct(),
            _ => self.place(ordinal as usize),
        };
        joined(place, self.kind.ids.ranks[document as usize])
    }

    /// The smallest key of what comes after a cursor, whether its record still exists or not.
    pub(crate) fn threshold(&self, comparison: &Comparison, cursor: &Cursor) -> u64 {
        let documents = &self.kind.ids.documents;
        let is_before = |document: &u32| self.kind.record_id(*document) <= cursor.record_id;
        let rank = documents.partition_point(is_before) as u32;
        let value = match &cursor.key {
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

    /// Every document whose key is at least `threshold`, in the order of the keys.
    pub(crate) fn walk_from(&self, threshold: u64) -> impl Iterator<Item = u32> {
        let (first, rank) = ((threshold >> 32) as usize, threshold as u32);
        (first..=self.distinct()).flat_map(move |place| {
            let group = self.group(place);
            let start = match place == first {
                true => group.partition_point(|it| self.kind.ids.ranks[*it as usize] < rank),
                false => 0,
            };
            group[start..].iter().copied()
        })
    }

    /// The documents of a place, by id; those without a value come after the last one.
    fn group(&self, place: usize) -> &[u32] {
        let ValueOrder { documents, starts, .. } = self.order;
        if place == self.distinct() {
            return &documents[self.order.valued()..];
        }
        // The place of a place is its ordinal, in either direction.
        let ordinal = self.place(place);
        &documents[starts[ordinal] as usize..starts[ordinal + 1] as usize]
    }
}

/// A place and a rank as one number that orders by both.
pub(crate) const fn joined(place: usize, rank: u32) -> u64 {
    (place as u64) << 32 | rank as u64
}
