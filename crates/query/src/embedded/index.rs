//! What is derived once when a kind is opened, so that no search has to.
//!
//! The first documents of each value order have a bitset at every 32nd part, so that a range of
//! values is a difference of two, mended at its ends, and a deep page by value begins near its
//! place. To write them and read them back would cost more than to make them. Facets have the
//! tallies of all documents.

use std::ops::{Deref, Range};

use outfall_layout::{Compared, Kind, Numbers, ValueOrder};
use outfall_records::Unit;

use super::bits::Bits;
use super::deadline::Deadline;
use super::facets::FacetIndex;
use super::rows::{DENSE_SHARE, RowSet};
use crate::SearchError;

/// The index of one kind, and what was derived of it.
#[derive(Debug)]
pub(crate) struct KindIndex {
    kind: Kind,
    /// The documents of each unit, in the order of [`Unit::ALL`]; empty for emissions.
    units: Vec<(Unit, Bits)>,
    /// For each value order of the kind, in the order of [`Compared::of`].
    prefixes: Vec<Prefixes>,
    facets: FacetIndex,
}

impl Deref for KindIndex {
    type Target = Kind;

    fn deref(&self) -> &Kind {
        &self.kind
    }
}

impl KindIndex {
    pub(crate) fn new(kind: Kind) -> Self {
        let orders = Compared::of(kind.entity).iter().map(|compared| kind.order(*compared));
        let prefixes = orders.map(|order| Prefixes::of(order, kind.len())).collect();
        let units = kind.sets.units().map(|(unit, set)| (unit, Bits::stored(set))).collect();
        Self { units, prefixes, facets: FacetIndex::of(&kind), kind }
    }

    /// The documents of each unit.
    pub(crate) fn units(&self) -> &[(Unit, Bits)] {
        &self.units
    }

    /// What counts and sums by value are made of.
    pub(crate) const fn facets(&self) -> &FacetIndex {
        &self.facets
    }

    /// The first documents of a value order.
    pub(crate) fn prefixes(&self, compared: Compared) -> &Prefixes {
        let at = Compared::of(self.kind.entity).iter().position(|it| *it == compared).unwrap_or(0);
        &self.prefixes[at]
    }

    /// The documents whose values have these ordinals.
    pub(crate) fn with_values(
        &self,
        compared: Compared,
        ordinals: Range<usize>,
        deadline: &Deadline,
    ) -> Result<RowSet, SearchError> {
        let order = self.kind.order(compared);
        if ordinals.is_empty() {
            return Ok(RowSet::NONE);
        }
        let places = order.starts[ordinals.start] as usize..order.starts[ordinals.end] as usize;
        let documents = &order.documents[places.clone()];
        if documents.len() < self.kind.len() / DENSE_SHARE / 4 {
            // Sorting looks at each of them some times.
            deadline.spend(documents.len().saturating_mul(16))?;
            let mut list = documents.to_vec();
            list.sort_unstable();
            return Ok(RowSet::List(list));
        }
        Ok(RowSet::Bits(self.prefixes(compared).between(order, places, deadline)?))
    }
}

/// The documents at the beginning of an order.
#[derive(Debug)]
pub(crate) struct Prefixes {
    /// The first documents of the order, one step more in each.
    pub(crate) bits: Vec<Bits>,
    pub(crate) step: usize,
}

/// How many prefixes an order has.
const PREFIXES: usize = 32;

impl Prefixes {
    /// An order that few documents have a value in needs no steps between its ends.
    fn of(order: &ValueOrder, len: usize) -> Self {
        let steps = if order.valued() < len / PREFIXES { 1 } else { PREFIXES };
        let step = order.valued().div_ceil(steps).max(1);
        let width = len.div_ceil(u64::BITS as usize);
        let valued = &order.documents[..order.valued()];
        let count = valued.chunks(step).len() + 1;
        // One list after the other, each of which begins as the one before it.
        let mut words = Numbers::zeroed(width * count);
        for (prefix, documents) in (1..).zip(valued.chunks(step)) {
            words.copy_within((prefix - 1) * width..prefix * width, prefix * width);
            let own = &mut words[prefix * width..];
            for document in documents {
                own[*document as usize / 64] |= 1 << (document % 64);
            }
        }
        let words = words.shared();
        let of = |prefix: usize| {
            let own = words.part(prefix * width..(prefix + 1) * width);
            Bits::shared(own, (prefix * step).min(valued.len()))
        };
        let bits = (0..count).map(of).collect();
        Self { bits, step }
    }

    /// The documents at these places of the order.
    fn between(
        &self,
        order: &ValueOrder,
        places: Range<usize>,
        deadline: &Deadline,
    ) -> Result<Bits, SearchError> {
        let nearest = |place: usize| (place + self.step / 2) / self.step;
        let end_of = |prefix: usize| (prefix * self.step).min(order.valued());
        let first = nearest(places.start).min(self.bits.len() - 1);
        let last = nearest(places.end).min(self.bits.len() - 1);
        let mut bits = self.bits[last].clone().and_not(&self.bits[first]);
        // The prefixes end at whole steps; what is between them and the places is mended. A range
        // between two steps has both ends at one of them, so what is put in goes first.
        for missing in [places.start..end_of(first), end_of(last)..places.end] {
            for documents in batches(order, missing) {
                deadline.spend(documents.len())?;
                bits.insert(documents.iter().copied());
            }
        }
        for strange in [end_of(first)..places.start, places.end..end_of(last)] {
            for documents in batches(order, strange) {
                deadline.spend(documents.len())?;
                bits.remove(documents.iter().copied());
            }
        }
        Ok(bits)
    }
}

/// How many documents are put into a set between two looks at the deadline.
const BATCH: usize = 1 << 12;

/// The documents at these places of an order, if it is not a range that ends before it begins.
fn batches(order: &ValueOrder, places: Range<usize>) -> impl Iterator<Item = &[u32]> {
    order.documents.get(places).unwrap_or_default().chunks(BATCH)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use proptest::prelude::*;

    /// An order in which the first documents have a value of their own each.
    fn order(documents: &[u32], valued: u32) -> ValueOrder {
        let starts: Vec<u32> = (0..=valued).collect();
        ValueOrder {
            documents: Numbers::copied(documents),
            starts: Numbers::copied(&starts),
            ordinals: Numbers::default(),
        }
    }

    proptest! {
        #[test]
        fn what_is_between_two_places_is_found_from_the_nearest_prefixes(
            len in 1..400_usize,
            unvalued in 0..100_usize,
            ends in (0..500_usize, 0..500_usize),
        ) {
            let documents: Vec<u32> = (0..(len + unvalued) as u32).rev().collect();
            let order = order(&documents, len as u32);
            let prefixes = Prefixes::of(&order, len + unvalued);
            let (start, end) = (ends.0.min(ends.1).min(len), ends.0.max(ends.1).min(len));
            let found = prefixes.between(&order, start..end, &Deadline::new(None)).unwrap();
            let mut expected = order.documents[start..end].to_vec();
            expected.sort_unstable();
            prop_assert_eq!(found.iter_in(0..(len + unvalued) as u32).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn mending_looks_at_the_clock() {
        let documents: Vec<u32> = (0..4_000).collect();
        let order = order(&documents, 4_000);
        let passed = Deadline::new(Instant::now().checked_sub(Duration::from_millis(1)));
        let found = Prefixes::of(&order, 4_000).between(&order, 10..3_990, &passed);
        assert!(matches!(found, Err(SearchError::TimedOut)));
    }
}
