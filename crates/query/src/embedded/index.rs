//! What is derived once when a kind is opened, so that no search has to.
//!
//! The first documents of each value order have a bitset at every 64th part, so that a range of
//! values is a difference of two, mended at its ends, and a deep page by value begins near its
//! place. To write them and read them back would cost more than to make them. Facets have the
//! published number of each document as an integer, and the tallies of all.

use std::ops::{Deref, Range};

use outfall_layout::{Compared, Kind, ValueOrder};
use outfall_records::Unit;

use super::bits::Bits;
use super::facets::FacetIndex;
use super::rows::{DENSE_SHARE, RowSet};

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
    pub(crate) fn with_values(&self, compared: Compared, ordinals: Range<usize>) -> RowSet {
        let order = self.kind.order(compared);
        if ordinals.is_empty() {
            return RowSet::NONE;
        }
        let places = order.starts[ordinals.start] as usize..order.starts[ordinals.end] as usize;
        let documents = &order.documents[places.clone()];
        if documents.len() < self.kind.len() / DENSE_SHARE / 4 {
            let mut list = documents.to_vec();
            list.sort_unstable();
            return RowSet::List(list);
        }
        RowSet::Bits(self.prefixes(compared).between(order, places))
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
const PREFIXES: usize = 64;

impl Prefixes {
    /// An order that few documents have a value in needs no steps between its ends.
    fn of(order: &ValueOrder, len: usize) -> Self {
        let steps = if order.valued() < len / PREFIXES { 1 } else { PREFIXES };
        let step = order.valued().div_ceil(steps).max(1);
        let mut bits = vec![Bits::none(len)];
        let mut prefix = Bits::none(len);
        for documents in order.documents[..order.valued()].chunks(step) {
            prefix.insert(documents.iter().copied());
            bits.push(prefix.clone());
        }
        Self { bits, step }
    }

    /// The documents at these places of the order.
    fn between(&self, order: &ValueOrder, places: Range<usize>) -> Bits {
        let (first, last) = (places.start / self.step, places.end / self.step);
        let mut bits = self.bits[last].clone().and_not(&self.bits[first]);
        let documents = |places: Range<usize>| order.documents[places].iter().copied();
        // The prefixes end at whole steps; what is between them and the places is mended.
        bits.insert(documents(last * self.step..places.end));
        bits.remove(documents(first * self.step..places.start));
        bits
    }
}
