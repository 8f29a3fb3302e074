//! A facet counted inside each entry of another.

use std::ops::Range;

use outfall_request::{
    CrossedEntry, CrossedFacet, CrossedTable, Facet, FacetInfo, SearchError, SearchRequest,
};

use super::batch::Batches;
use super::listing::Listing;
use super::parts::Part;
use super::tallies::Tallies;
use super::{FacetColumn, FacetIndex, order};
use crate::index::{Kind, numbered};
use crate::search::deadline::Deadline;
use crate::search::sets::DocSet;

/// The outer entries as they are tallied.
struct Tallied {
    /// By the slot of the outer facet.
    outer: Tallies,
    /// The inner facet of each outer slot that occurs.
    inner: Vec<(u32, Listing)>,
}

/// What it takes to cross two facets.
struct Crossing<'a> {
    index: &'a FacetIndex,
    kind: &'a Kind,
    request: &'a SearchRequest,
    outer: &'a FacetColumn,
    inner: &'a FacetColumn,
}

impl FacetIndex {
    /// The table of a crossed facet over all `matches`; `None` if the kind does not have its
    /// facets.
    pub(super) fn crossed(
        &self,
        kind: &Kind,
        matches: &DocSet,
        (crossed, request): (CrossedFacet, &SearchRequest),
        deadline: &Deadline,
    ) -> Result<Option<CrossedTable>, SearchError> {
        let columns = (self.column(crossed.outer()), self.column(crossed.inner()));
        let (Some(outer), Some(inner)) = columns else { return Ok(None) };
        let crossing = Crossing { index: self, kind, request, outer, inner };
        let Tallied { outer: tallies, inner: mut listings } = crossing.tally(matches, deadline)?;
        let listed = order(request, crossed.outer()).list(&tallies, 0..u32::MAX);
        let mut info = FacetInfo::default();
        let mut entries = Vec::with_capacity(listed.entries.len());
        for entry in listed.entries {
            let slot = entry.slot;
            let is_in_it =
                |document| matches.contains(document) && self.slot(kind, outer, document) == slot;
            let place = listings.iter().position(|(of, _)| *of == slot);
            let listing = place.map(|place| listings.swap_remove(place).1);
            let mut inside = Vec::new();
            if let Some(listing) = listing {
                info.add(listing.info);
                inside = self.entries(kind, inner, listing, is_in_it, deadline)?;
            }
            let outer = super::entry(outer.values.get(slot), &entry);
            entries.push(CrossedEntry { outer, inner: inside });
        }
        Ok(Some(CrossedTable { crossed, entries, info }))
    }
}

impl Crossing<'_> {
    /// Tallies the matches. Documents are in the order of their years, so by years there is one
    /// outer entry at a time.
    fn tally(&self, matches: &DocSet, deadline: &Deadline) -> Result<Tallied, SearchError> {
        let years = 0..self.kind.years.len();
        let outer = Tallies::new(self.outer.values.slots(), self.outer.values.slots());
        let mut tallied = Tallied { outer, inner: Vec::new() };
        if self.outer.facet != Facet::Year {
            self.tally_years(matches, years, &mut tallied, deadline)?;
            return Ok(tallied);
        }
        for year in years {
            self.tally_years(matches, year..year + 1, &mut tallied, deadline)?;
        }
        Ok(tallied)
    }

    /// Tallies the matches of some years; no outer slot may occur in others too.
    fn tally_years(
        &self,
        matches: &DocSet,
        years: Range<usize>,
        tallied: &mut Tallied,
        deadline: &Deadline,
    ) -> Result<(), SearchError> {
        let Self { kind, .. } = *self;
        let documents = documents_of(kind, years.clone());
        let count = matches.count_in(documents.clone());
        if count == 0 {
            return Ok(());
        }
        deadline.expect(count.saturating_mul(2))?;
        // With one outer slot, its number alone needs no room.
        let slots = numbered(self.inner.values.slots());
        let only = (self.outer.facet == Facet::Year)
            .then(|| self.index.slot(kind, self.outer, documents.start));
        let outers = if only.is_some() { 1 } else { numbered(self.outer.values.slots()) };
        let mut pairs = Tallies::new((outers * slots) as usize, count);
        let mut batches = Batches::default();
        let slot_of = |column: &FacetColumn, number: u32| column.values.by_part()[number as usize];
        let tallying = self.index.tallying(kind);
        let numbers_of = |column: &FacetColumn| tallying.numbers_of(Part::of(column.facet));
        let (outer_numbers, inner_numbers) = (numbers_of(self.outer), numbers_of(self.inner));
        for year in years {
            let slot = |column: &FacetColumn, numbers: Option<&[u32]>, document: u32| {
                slot_of(
                    column,
                    numbers.map_or(numbered(year), |numbers| numbers[document as usize]),
                )
            };
            let documents = kind.years[year].documents.clone();
            tallying.batches(matches, documents, &mut batches, |batch, is_teq| {
                deadline.spend(2 * batch.len())?;
                let pair_of = |document: &u32| {
                    let outer = match only {
                        Some(_) => 0,
                        None => slot(self.outer, outer_numbers, *document),
                    };
                    outer * slots + slot(self.inner, inner_numbers, *document)
                };
                pairs.add_amounts(batch.documents().iter().map(pair_of), batch.amounts(), is_teq);
                Ok(())
            })?;
        }
        for place in 0..outers {
            let outer = only.unwrap_or(place);
            let range = place * slots..(place + 1) * slots;
            let mut is_filled = false;
            pairs.for_each_in(range.clone(), |_, tally| {
                is_filled = true;
                tallied.outer.add_tally(outer, tally);
            });
            if is_filled {
                let listing = order(self.request, self.inner.facet).list(&pairs, range);
                tallied.inner.push((outer, listing));
            }
        }
        Ok(())
    }
}

/// The documents of some years.
fn documents_of(kind: &Kind, years: Range<usize>) -> Range<u32> {
    let blocks = &kind.years[years];
    match (blocks.first(), blocks.last()) {
        (Some(first), Some(last)) => first.documents.start..last.documents.end,
        _ => 0..0,
    }
}
