//! What is derived once when a kind is opened, so that no search has to.
//!
//! The first documents of each value order have a bitset at every 32nd part, so that a range of
//! values is a difference of two, mended at its ends, and a deep page by value begins near its
//! place. To write them and read them back would cost more than to make them. Facets have the
//! tallies of all documents.

use std::ops::{Deref, Range};

use outfall_layout::{Compared, DocumentSet, Kind, Numbers, ValueOrder};
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
    units: Units,
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
        Self { units: Units::of(&kind), prefixes, facets: FacetIndex::of(&kind), kind }
    }

    /// The units of releases.
    pub(crate) const fn units(&self) -> &Units {
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

    /// Those of `rows` whose values have these ordinals.
    pub(crate) fn with_values(
        &self,
        rows: RowSet,
        compared: Compared,
        ordinals: &Range<usize>,
        deadline: &Deadline,
    ) -> Result<RowSet, SearchError> {
        let order = self.kind.order(compared);
        if let RowSet::List(mut list) = rows {
            list.retain(|it| ordinals.contains(&(order.ordinals[*it as usize] as usize)));
            return Ok(RowSet::List(list));
        }
        let places = order.places(ordinals);
        let documents = &order.documents[places.clone()];
        if documents.len() < self.kind.len() / DENSE_SHARE / 4 {
            // Sorting looks at each of them some times.
            deadline.spend(documents.len().saturating_mul(16))?;
            let kept = documents.iter().copied().filter(|document| rows.contains(*document));
            let mut list: Vec<u32> = kept.collect();
            list.sort_unstable();
            return Ok(RowSet::List(list));
        }
        let between = self.prefixes(compared).between(order, places, deadline)?;
        Ok(rows.and(RowSet::Bits(between), self.kind.len()))
    }

    /// How many of `rows` have these places of a value order.
    pub(crate) fn count_at_places(
        &self,
        compared: Compared,
        places: Range<usize>,
        rows: &RowSet,
        deadline: &Deadline,
    ) -> Result<usize, SearchError> {
        if rows.is_all(self.kind.len()) {
            return Ok(places.len());
        }
        let (prefixes, order) = (self.prefixes(compared), self.kind.order(compared));
        if places.len() < prefixes.step {
            return count_members(order, places, rows, deadline);
        }
        let before = |end| prefixes.count_before(order, end, rows, deadline);
        Ok(before(places.end)? - before(places.start)?)
    }
}

/// The units of releases; emissions have none.
#[derive(Debug)]
pub(crate) struct Units {
    /// The unit of most documents.
    pub(crate) commonest: Option<Unit>,
    /// The other units that documents have.
    pub(crate) others: Vec<UnitIndex>,
}

/// Where the documents of one unit are.
#[derive(Debug)]
pub(crate) struct UnitIndex {
    pub(crate) unit: Unit,
    pub(crate) documents: Bits,
    /// Their places in the order by published value, ascending.
    places: Vec<u32>,
}

impl Units {
    fn of(kind: &Kind) -> Self {
        let commonest = kind.sets.units().max_by_key(|(_, set)| set.count).map(|(unit, _)| unit);
        let is_other = |unit, set: &DocumentSet| Some(unit) != commonest && set.count > 0;
        let others = kind.sets.units().filter(|(unit, set)| is_other(*unit, set));
        let others = others.map(|(unit, set)| UnitIndex::of(kind, unit, Bits::stored(set)));
        Self { commonest, others: others.collect() }
    }
}

impl UnitIndex {
    fn of(kind: &Kind, unit: Unit, documents: Bits) -> Self {
        let order = &kind.order(Compared::Reported).documents;
        let mut places = Vec::with_capacity(documents.count());
        let all = (0..).zip(order.iter());
        places.extend(all.filter(|(_, it)| documents.contains(**it)).map(|(place, _)| place));
        Self { unit, documents, places }
    }

    /// How many of its documents have these places.
    pub(crate) fn count_at(&self, places: &Range<usize>) -> usize {
        let before = |end: usize| self.places.partition_point(|place| (*place as usize) < end);
        before(places.end) - before(places.start)
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

    /// The prefix that ends nearest to a place, and where it ends.
    fn nearest(&self, order: &ValueOrder, place: usize) -> (&Bits, usize) {
        let prefix = ((place + self.step / 2) / self.step).min(self.bits.len() - 1);
        (&self.bits[prefix], (prefix * self.step).min(order.valued()))
    }

    /// How many of `rows` have a place before `end`.
    fn count_before(
        &self,
        order: &ValueOrder,
        end: usize,
        rows: &RowSet,
        deadline: &Deadline,
    ) -> Result<usize, SearchError> {
        let (prefix, prefix_end) = self.nearest(order, end);
        let len = order.documents.len();
        let count = match prefix_end {
            0 => 0,
            all if all == len => rows.count(),
            _ => {
                deadline.spend(len / 512 + 1)?;
                rows.count_common(prefix)
            }
        };
        let missing = count_members(order, prefix_end..end, rows, deadline)?;
        let strange = count_members(order, end..prefix_end, rows, deadline)?;
        Ok(count + missing - strange)
    }

    /// The documents at these places of the order.
    fn between(
        &self,
        order: &ValueOrder,
        places: Range<usize>,
        deadline: &Deadline,
    ) -> Result<Bits, SearchError> {
        let (first, first_end) = self.nearest(order, places.start);
        let (last, last_end) = self.nearest(order, places.end);
        let mut bits = last.clone().and_not(first);
        // The prefixes end at whole steps; what is between them and the places is mended. A range
        // between two steps has both ends at one of them, so what is put in goes first.
        for missing in [places.start..first_end, last_end..places.end] {
            for documents in batches(order, missing) {
                deadline.spend(documents.len())?;
                bits.insert(documents.iter().copied());
            }
        }
        for strange in [first_end..places.start, places.end..last_end] {
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

/// How many of `rows` have these places of an order.
fn count_members(
    order: &ValueOrder,
    places: Range<usize>,
    rows: &RowSet,
    deadline: &Deadline,
) -> Result<usize, SearchError> {
    let mut count = 0;
    for documents in batches(order, places) {
        deadline.spend(documents.len())?;
        count += documents.iter().filter(|document| rows.contains(**document)).count();
    }
    Ok(count)
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
        fn places_are_looked_for_from_the_nearest_prefixes(
            len in 1..400_usize,
            unvalued in 0..100_usize,
            ends in (0..500_usize, 0..500_usize),
        ) {
            let documents: Vec<u32> = (0..(len + unvalued) as u32).rev().collect();
            let order = order(&documents, len as u32);
            let prefixes = Prefixes::of(&order, len + unvalued);
            let (start, end) = (ends.0.min(ends.1).min(len), ends.0.max(ends.1).min(len));
            let half = 0..(len + unvalued) as u32 / 2;
            let even = Bits::of((0..(len + unvalued) as u32).step_by(2), len + unvalued);
            for rows in [RowSet::Range(half), RowSet::Bits(even)] {
                let expected = documents[..end].iter().filter(|it| rows.contains(**it)).count();
                let found = prefixes.count_before(&order, end, &rows, &Deadline::new(None));
                prop_assert_eq!(found.unwrap(), expected);
            }
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
