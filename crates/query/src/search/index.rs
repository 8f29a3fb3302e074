//! What is derived once when a kind is opened, so that no search has to: the prefixes of its value
//! orders, the places of its units, and the tallies of all documents for facets.

use std::ops::{Deref, Range};

use crate::index::{Kind, ValueMeasure};

use super::deadline::Deadline;
use super::doc_set::{DENSE_SHARE, DocSet};
use super::facets::FacetIndex;
use super::prefixes::Prefixes;
use super::units::{UnitIndex, Units};
use outfall_request::SearchError;

/// The index of one kind, and what was derived of it.
#[derive(Debug)]
pub(crate) struct KindIndex {
    kind: Kind,
    units: Units,
    /// For each value order of the kind, in the order of [`ValueMeasure::of`].
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
        let orders = ValueMeasure::of(kind.entity).iter().map(|compared| kind.order(*compared));
        let prefixes: Vec<_> =
            orders.map(|order| Prefixes::of(order, kind.len(), &kind.years)).collect();
        // Every kind has the order by published value, the first one.
        let units = Units::of(&kind, &prefixes[0]);
        Self { units, prefixes, facets: FacetIndex::of(&kind), kind }
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
    pub(crate) fn prefixes(&self, compared: ValueMeasure) -> &Prefixes {
        let at =
            ValueMeasure::of(self.kind.entity).iter().position(|it| *it == compared).unwrap_or(0);
        &self.prefixes[at]
    }

    /// Those of `rows` whose values have these ordinals.
    pub(crate) fn with_values(
        &self,
        rows: DocSet,
        compared: ValueMeasure,
        ordinals: &Range<usize>,
        deadline: &Deadline,
    ) -> Result<DocSet, SearchError> {
        let order = self.kind.order(compared);
        if let DocSet::List(mut list) = rows {
            list.retain(|it| ordinals.contains(&(order.ordinals[*it as usize] as usize)));
            return Ok(DocSet::List(list));
        }
        let places = order.places(ordinals);
        let documents = &order.documents[places.clone()];
        if documents.len() < self.kind.len() / DENSE_SHARE / 4 {
            // Sorting looks at each of them some times.
            deadline.spend(documents.len().saturating_mul(16))?;
            let kept = documents.iter().copied().filter(|document| rows.contains(*document));
            let mut list: Vec<u32> = kept.collect();
            list.sort_unstable();
            return Ok(DocSet::List(list));
        }
        let between = self.prefixes(compared).between(order, places, deadline)?;
        Ok(rows.and(DocSet::Bits(between), self.kind.len()))
    }

    /// How many of `rows` have these places of a value order; in one unit if that is given, which
    /// only published values may be asked for.
    pub(crate) fn count_at_places(
        &self,
        compared: ValueMeasure,
        places: &Range<usize>,
        rows: &DocSet,
        unit: Option<&UnitIndex>,
        deadline: &Deadline,
    ) -> Result<usize, SearchError> {
        let len = self.kind.len();
        let all = || unit.map_or(places.len(), |unit| unit.at(places).len());
        match rows {
            rows if rows.is_all(len) => Ok(all()),
            DocSet::Range(none) if none.is_empty() => Ok(0),
            // Most documents are neighbours: what is before and after them is less to count.
            DocSet::Range(range) if range.len() > len / 2 => {
                let mut count = all();
                for other in [0..range.start, range.end..len as u32] {
                    let other = DocSet::Range(other);
                    count -= self.count_at_places(compared, places, &other, unit, deadline)?;
                }
                Ok(count)
            }
            rows => {
                let order = self.kind.order(compared);
                self.prefixes(compared).count_at(order, places, rows, unit, deadline)
            }
        }
    }
}
