//! Which documents have which unit, and where these stand in the order of published values.

use std::ops::Range;

use crate::index::{Kind, StoredBitmap, ValueMeasure};
use outfall_records::Unit;

use super::bits::Bits;
use super::prefixes::Prefixes;
use super::year_counts::YearCounts;

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
    /// How they spread over years and that order.
    pub(crate) in_years: YearCounts,
}

impl Units {
    /// The units of a kind, of which `prefixes` are those of its order by published value.
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
        places.extend(all.filter(|(_, it)| documents.contains(**it)).map(|(place, _)| place));
        let in_years = YearCounts::of(&prefixes.bits, Some(&documents), &kind.years);
        Self { unit, documents, places, in_years }
    }

    /// Those of these places that its documents have.
    pub(crate) fn at(&self, places: &Range<usize>) -> &[u32] {
        let before = |end: usize| self.places.partition_point(|place| (*place as usize) < end);
        &self.places[before(places.start)..before(places.end)]
    }
}
