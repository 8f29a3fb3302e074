//! The documents of each unit, and their places in the order by published value.

use std::ops::Range;

use outfall_records::Unit;

use super::prefixes::Prefixes;
use super::year_counts::YearCounts;
use crate::index::{Kind, StoredBitmap, ValueMeasure};
use crate::search::sets::Bits;

/// The units of releases; emissions have none.
#[derive(Debug)]
pub(crate) struct Units {
    /// The unit of most documents.
    pub(crate) commonest: Option<Unit>,
    /// The other units that documents have.
    pub(crate) others: Vec<UnitIndex>,
}

/// The documents of one unit, and where they are.
#[derive(Debug)]
pub(crate) struct UnitIndex {
    pub(crate) unit: Unit,
    pub(crate) documents: Bits,
    /// Their places in the order by published value, ascending.
    places: Vec<u32>,
    /// How many of them are in each year and prefix of that order.
    pub(crate) in_years: YearCounts,
}

impl Units {
    /// The units of a kind; `prefixes` are those of its order by published value.
    pub(crate) fn of(kind: &Kind, prefixes: &Prefixes) -> Self {
        let commonest = kind.sets.units().max_by_key(|(_, set)| set.count).map(|(unit, _)| unit);
        let is_other = |unit, set: &StoredBitmap| Some(unit) != commonest && set.count > 0;
        let others = kind.sets.units().filter(|(unit, set)| is_other(*unit, set));
        let others =
            others.map(|(unit, set)| UnitIndex::of(kind, prefixes, unit, Bits::stored(set)));
        Self { commonest, others: others.collect() }
    }
}

impl UnitIndex {
    fn of(kind: &Kind, prefixes: &Prefixes, unit: Unit, documents: Bits) -> Self {
        let order = &kind.order(ValueMeasure::Reported).documents;
        let mut places = Vec::with_capacity(documents.count());
        let all = (0..).zip(order.iter());
        let of_unit = all.filter(|(_, document)| documents.contains(**document));
        places.extend(of_unit.map(|(place, _)| place));
        let in_years = YearCounts::of(&prefixes.bits, Some(&documents), &kind.years);
        Self { unit, documents, places, in_years }
    }

    /// Which of `places` hold a document of the unit.
    pub(crate) fn at(&self, places: &Range<usize>) -> &[u32] {
        let before = |end: usize| self.places.partition_point(|place| (*place as usize) < end);
        &self.places[before(places.start)..before(places.end)]
    }
}
