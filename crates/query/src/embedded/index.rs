//! What is derived once when a kind is opened, so that no search has to.
//!
//! - Terms and keywords of many documents have a bitset; the union of the lists of their
//!   descriptions, ten thousands of them for a province, would dominate a search.
//! - The documents of each unit have one, so that counting matches by unit is four intersections.
//! - Facets have the published number of each document as an integer, and the tallies of all.
//! - The first documents of each value order have one at every 64th part, so that a range of
//!   values is a difference of two, mended at its ends.

use std::collections::HashMap;
use std::ops::{Deref, Range};

use outfall_layout::{Compared, Kind, StoredRelease, ValueOrder};
use outfall_records::{Entity, Unit};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, TERMINATED, TantivyError};

use super::bits::Bits;
use super::facets::FacetIndex;
use super::rows::{DENSE_SHARE, RowSet};

type DenseTerms = HashMap<Box<[u8]>, Bits>;

/// The index of one kind, and what was derived of it.
#[derive(Debug)]
pub(crate) struct KindIndex {
    kind: Kind,
    /// The documents of terms that many documents have.
    dense: Vec<(Field, DenseTerms)>,
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
    pub(crate) fn new(kind: Kind) -> Result<Self, TantivyError> {
        let orders = Compared::of(kind.entity).iter().map(|compared| kind.order(*compared));
        let prefixes = orders.map(|order| Prefixes::of(order, kind.len())).collect();
        Ok(Self {
            dense: dense_terms(&kind)?,
            units: units(&kind),
            prefixes,
            facets: FacetIndex::of(&kind),
            kind,
        })
    }

    /// The documents of a term, if it is one of those that many have.
    pub(crate) fn dense(&self, field: Field, term: &str) -> Option<RowSet> {
        let (_, terms) = self.dense.iter().find(|(of, _)| *of == field)?;
        terms.get(term.as_bytes()).map(|bits| RowSet::Bits(bits.clone()))
    }

    /// The documents of each unit.
    pub(crate) fn units(&self) -> &[(Unit, Bits)] {
        &self.units
    }

    /// What counts and sums by value are made of.
    pub(crate) const fn facets(&self) -> &FacetIndex {
        &self.facets
    }

    /// The documents whose values have these ordinals.
    pub(crate) fn with_values(&self, compared: Compared, ordinals: Range<usize>) -> RowSet {
        let order = self.kind.order(compared);
        if ordinals.is_empty() {
            return RowSet::NONE;
        }
        let places = order.starts[ordinals.start] as usize..order.starts[ordinals.end] as usize;
        let documents = &order.documents[places.clone()];
        if documents.len() < self.kind.len() / DENSE_SHARE {
            let mut list = documents.to_vec();
            list.sort_unstable();
            return RowSet::List(list);
        }
        let at = Compared::of(self.kind.entity).iter().position(|it| *it == compared).unwrap_or(0);
        RowSet::Bits(self.prefixes[at].between(order, places))
    }
}

/// The documents at the beginning of an order.
#[derive(Debug)]
struct Prefixes {
    /// The first documents of the order, one step more in each.
    bits: Vec<Bits>,
    step: usize,
}

/// How many prefixes an order has.
const PREFIXES: usize = 64;

impl Prefixes {
    fn of(order: &ValueOrder, len: usize) -> Self {
        let step = order.valued().div_ceil(PREFIXES).max(1);
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
        let mut bits = self.bits[last].and_not(&self.bits[first]);
        let documents = |places: Range<usize>| order.documents[places].iter().copied();
        // The prefixes end at whole steps; what is between them and the places is mended.
        bits.insert(documents(last * self.step..places.end));
        bits.remove(documents(first * self.step..places.start));
        bits
    }
}

fn units(kind: &Kind) -> Vec<(Unit, Bits)> {
    if kind.entity == Entity::Emission {
        return Vec::new();
    }
    let mut documents = Unit::ALL.map(|unit| (unit, Vec::new()));
    for document in 0..kind.len() as u32 {
        if let Some(release) = StoredRelease::decode(kind.row(document)) {
            documents[release.unit as usize].1.push(document);
        }
    }
    documents.map(|(unit, documents)| (unit, Bits::of(documents, kind.len()))).to_vec()
}

fn dense_terms(kind: &Kind) -> Result<Vec<(Field, DenseTerms)>, TantivyError> {
    let fields = &kind.fields;
    let fields = [fields.text, fields.name, fields.province, fields.naics, fields.substance];
    fields.into_iter().map(|field| Ok((field, dense_terms_of(kind, field)?))).collect()
}

fn dense_terms_of(kind: &Kind, field: Field) -> Result<DenseTerms, TantivyError> {
    let least = kind.len() / DENSE_SHARE;
    let mut dense = DenseTerms::new();
    for segment in kind.descriptions.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut terms = inverted.terms().stream()?;
        while let Some((term, info)) = terms.next() {
            let mut postings =
                inverted.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            let mut descriptions = Vec::new();
            let mut most = 0;
            while postings.doc() != TERMINATED {
                most += kind.postings.of(postings.doc()).len();
                descriptions.push(postings.doc());
                postings.advance();
            }
            if most < least {
                continue;
            }
            let documents = descriptions.iter().flat_map(|it| kind.postings.of(*it)).copied();
            let bits = Bits::of(documents, kind.len());
            if bits.count() >= least {
                dense.insert(term.into(), bits);
            }
        }
    }
    Ok(dense)
}
