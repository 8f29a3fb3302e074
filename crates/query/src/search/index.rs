//! Data derived once, when a kind is opened: the prefixes of its value orders, the places of its
//! units, and the tallies of all documents for facets.

use std::ops::{Deref, Range};

use outfall_records::Medium;
use outfall_request::{MediumFilter, SearchError};

use crate::index::{Kind, ValueMeasure, numbered};
use crate::search::deadline::Deadline;
use crate::search::facets::FacetIndex;
use crate::search::places::Places;
use crate::search::sets::{Bits, DENSE_SHARE, DocSet};
use crate::search::values::{Prefixes, UnitIndex, Units};

/// The index of one kind and the data derived from it.
#[derive(Debug)]
pub(crate) struct KindIndex {
    kind: Kind,
    units: Units,
    /// The documents of each medium, in the order of [`Medium::ALL`]; none for emissions.
    media: Vec<Bits>,
    places: Places,
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
        let orders =
            ValueMeasure::of(kind.record_kind).iter().map(|compared| kind.order(*compared));
        let prefixes: Vec<_> =
            orders.map(|order| Prefixes::of(order, kind.len(), &kind.years)).collect();
        // The first order of every kind is the one by published value.
        let units = Units::of(&kind, &prefixes[0]);
        let media = media_of(&kind);
        let places = Places::of(&kind);
        Self { units, media, places, prefixes, facets: FacetIndex::of(&kind), kind }
    }

    pub(crate) const fn places(&self) -> &Places {
        &self.places
    }

    pub(crate) const fn units(&self) -> &Units {
        &self.units
    }

    /// The documents of any of these media.
    pub(crate) fn of_media(&self, media: &[MediumFilter]) -> DocSet {
        let sets = media.iter().filter_map(|medium| self.media.get(medium.0 as usize).cloned());
        sets.reduce(|all, set| all.or(&set)).map_or(DocSet::NONE, DocSet::Bits)
    }

    pub(crate) const fn facets(&self) -> &FacetIndex {
        &self.facets
    }

    /// The prefixes of a value order.
    pub(crate) fn prefixes(&self, compared: ValueMeasure) -> &Prefixes {
        let mut measures = ValueMeasure::of(self.kind.record_kind).iter();
        let place = measures.position(|measure| *measure == compared);
        &self.prefixes[place.unwrap_or(0)]
    }

    /// The members of `rows` whose values have these ordinals.
    pub(crate) fn with_values(
        &self,
        rows: DocSet,
        compared: ValueMeasure,
        ordinals: &Range<usize>,
        deadline: &Deadline,
    ) -> Result<DocSet, SearchError> {
        let order = self.kind.order(compared);
        if let DocSet::List(mut list) = rows {
            let ordinal = |document: u32| order.ordinals[document as usize] as usize;
            list.retain(|document| ordinals.contains(&ordinal(*document)));
            return Ok(DocSet::List(list));
        }
        let places = order.places(ordinals);
        let documents = &order.documents[places.clone()];
        if documents.len() < self.kind.len() / DENSE_SHARE / 4 {
            // Sorting looks at each of them several times.
            deadline.spend(documents.len().saturating_mul(16))?;
            let kept = documents.iter().copied().filter(|document| rows.contains(*document));
            let mut list: Vec<u32> = kept.collect();
            list.sort_unstable();
            return Ok(DocSet::List(list));
        }
        let between = self.prefixes(compared).between(order, places, deadline)?;
        Ok(rows.and(DocSet::Bits(between), self.kind.len()))
    }

    /// How many of `rows` have these places of a value order, in one unit if given. A unit goes
    /// only with the order by published value.
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
            // The range is most of the documents: counting those before and after it is less work.
            DocSet::Range(range) if range.len() > len / 2 => {
                let mut count = all();
                for other in [0..range.start, range.end..numbered(len)] {
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

fn media_of(kind: &Kind) -> Vec<Bits> {
    if !kind.record_kind.has_substances() {
        return Vec::new();
    }
    let of = |medium: Medium| {
        let documents = (0..).zip(kind.medium_of.iter());
        let documents = documents.filter(|(_, of)| **of == medium as u8);
        Bits::of(documents.map(|(document, _)| document), kind.len()).counted()
    };
    Medium::ALL.map(of).to_vec()
}
