//! The first documents of a value order as bitsets.
//!
//! There is one for every 32nd or 64th part, so a range of values is the difference of two,
//! corrected at its ends, and a deep page by value begins near its place. Storing them and reading
//! them back would cost more than making them.

use std::ops::Range;

use outfall_request::SearchError;

use super::units::UnitIndex;
use super::year_counts::YearCounts;
use crate::index::{Numbers, ValueOrder, YearBlock};
use crate::search::deadline::Deadline;
use crate::search::sets::{Bits, DocSet};

/// The documents at the beginning of an order.
#[derive(Debug)]
pub(crate) struct Prefixes {
    /// One bitset per prefix, each longer than the one before by `step` documents.
    pub(crate) bits: Vec<Bits>,
    pub(crate) step: usize,
    in_years: YearCounts,
}

/// How many prefixes an order of `len` documents has. The ends of a range are corrected document by
/// document, which among millions takes longer than reading the sets.
const fn prefixes_of(len: usize) -> usize {
    if len < 2_000_000 { 32 } else { 64 }
}

impl Prefixes {
    /// The prefixes of an order. An order in which few documents have a value needs no steps
    /// between its ends.
    pub(crate) fn of(order: &ValueOrder, len: usize, years: &[YearBlock]) -> Self {
        let prefixes = prefixes_of(len);
        let steps = if order.valued() < len / prefixes { 1 } else { prefixes };
        let step = order.valued().div_ceil(steps).max(1);
        let width = len.div_ceil(u64::BITS as usize);
        let valued = &order.documents[..order.valued()];
        let count = valued.chunks(step).len() + 1;
        // The bitsets lie one after the other; each starts as a copy of the one before.
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
        let bits: Vec<Bits> = (0..count).map(of).collect();
        Self { in_years: YearCounts::of(&bits, None, years), bits, step }
    }

    /// The number of the prefix that ends nearest to a place, and where it ends.
    fn nearest(&self, order: &ValueOrder, place: usize) -> (usize, usize) {
        let prefix = ((place + self.step / 2) / self.step).min(self.bits.len() - 1);
        (prefix, (prefix * self.step).min(order.valued()))
    }

    /// How many of `rows` have these places of the order, in one unit if given.
    pub(crate) fn count_at(
        &self,
        order: &ValueOrder,
        places: &Range<usize>,
        rows: &DocSet,
        unit: Option<&UnitIndex>,
        deadline: &Deadline,
    ) -> Result<usize, SearchError> {
        let count = |places| count_members(order, places, rows, unit, deadline);
        let Range { start, end } = *places;
        if places.len() < self.step {
            return count(places.clone());
        }
        let (first, first_end) = self.nearest(order, start);
        let (last, last_end) = self.nearest(order, end);
        let in_years = unit.map_or(&self.in_years, |unit| &unit.in_years);
        let known = match rows {
            DocSet::Range(documents) => in_years.between(first..last, documents),
            _ => None,
        };
        let between = match known {
            Some(known) => known,
            None => {
                deadline.spend(order.documents.len() / 512 + 1)?;
                rows.count_between(
                    &self.bits[first],
                    &self.bits[last],
                    unit.map(|unit| &unit.documents),
                    order.documents.len(),
                )
            }
        };
        let missing = count(start..first_end)? + count(last_end..end)?;
        let strange = count(first_end..start)? + count(end..last_end)?;
        Ok(between + missing - strange)
    }

    /// The documents at these places of the order.
    pub(crate) fn between(
        &self,
        order: &ValueOrder,
        places: Range<usize>,
        deadline: &Deadline,
    ) -> Result<Bits, SearchError> {
        let (first, first_end) = self.nearest(order, places.start);
        let (last, last_end) = self.nearest(order, places.end);
        let mut bits = self.bits[last].clone().and_not(&self.bits[first]);
        // Prefixes end at whole steps; the documents between those and the places are corrected.
        // Both ends of a short range may be nearest to the same prefix, so insertions come first.
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

/// Documents put into a set between two looks at the deadline.
const BATCH: usize = 1 << 12;

/// The documents at these places of an order; none if the range ends before it begins.
fn batches(order: &ValueOrder, places: Range<usize>) -> impl Iterator<Item = &[u32]> {
    order.documents.get(places).unwrap_or_default().chunks(BATCH)
}

/// How many of `rows` have these places of an order, in one unit if given; 0 if the range ends
/// before it begins.
fn count_members(
    order: &ValueOrder,
    places: Range<usize>,
    rows: &DocSet,
    unit: Option<&UnitIndex>,
    deadline: &Deadline,
) -> Result<usize, SearchError> {
    let mut count = 0;
    let Some(unit) = unit else {
        for documents in batches(order, places) {
            deadline.spend(documents.len())?;
            count += rows.count_of(documents.iter().copied());
        }
        return Ok(count);
    };
    if places.is_empty() {
        return Ok(0);
    }
    for places in unit.at(&places).chunks(BATCH) {
        deadline.spend(places.len())?;
        let documents = places.iter().map(|place| order.documents[*place as usize]);
        count += rows.count_of(documents);
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use proptest::prelude::*;

    /// An order in which each of the first `valued` documents has its own value.
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
            let prefixes = Prefixes::of(&order, len + unvalued, &[]);
            let (start, end) = (ends.0.min(ends.1).min(len), ends.0.max(ends.1).min(len));
            let half = 0..(len + unvalued) as u32 / 2;
            let even = Bits::of((0..(len + unvalued) as u32).step_by(2), len + unvalued);
            for rows in [DocSet::Range(half), DocSet::Bits(even)] {
                let is_member = |document: &&u32| rows.contains(**document);
                let members = documents[start..end].iter().filter(is_member);
                let found =
                    prefixes.count_at(&order, &(start..end), &rows, None, &Deadline::new(None));
                prop_assert_eq!(found.unwrap(), members.count());
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
        let found = Prefixes::of(&order, 4_000, &[]).between(&order, 10..3_990, &passed);
        assert!(matches!(found, Err(SearchError::TimedOut)));
    }
}
