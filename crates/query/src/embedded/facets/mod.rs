//! Counts and sums of all matches by value.
//!
//! Matches are tallied by what their rows hold already: the number of their site, of their
//! substance, of their year. There are far fewer of these than of records, and their tallies roll
//! up to provinces, industries, companies and facilities. When most records match, the others are
//! tallied and taken from the totals.

mod amounts;
mod shown;
mod tallies;
mod values;

use std::cmp::Reverse;

use outfall_layout::Kind;

use self::amounts::{Amounts, Part};
use self::tallies::{Tallies, Tally};
use self::values::Values;
use super::rows::RowSet;
use crate::{Facet, FacetEntry, FacetTable, Facets};

/// What facets need of one kind, derived once when it is opened.
#[derive(Debug)]
pub(crate) struct FacetIndex {
    amounts: Amounts,
    /// The values of each facet of the kind.
    values: Vec<(Facet, Values)>,
    /// The tallies of all documents by each part that the kind has.
    totals: Vec<(Part, Tallies)>,
}

impl FacetIndex {
    pub(crate) fn of(kind: &Kind) -> Self {
        let amounts = Amounts::of(kind);
        let all = RowSet::Range(0..kind.len() as u32);
        let total = |part: &Part| (*part, amounts.tally(kind, *part, &all));
        let totals = Part::of_kind(kind.entity).iter().map(total).collect();
        Self { values: values::of_kind(kind), totals, amounts }
    }

    /// The table of each facet wanted, over all `matches`.
    pub(crate) fn tables(&self, kind: &Kind, matches: &RowSet, facets: &Facets) -> Vec<FacetTable> {
        let mut by_part: Vec<(Part, Tallies)> = Vec::new();
        let mut tables = Vec::with_capacity(facets.wanted.len());
        for facet in &facets.wanted {
            let Some((_, values)) = self.values.iter().find(|(of, _)| of == facet) else {
                continue;
            };
            let part = Part::of(*facet);
            if by_part.iter().all(|(known, _)| *known != part) {
                by_part.extend(self.tallies(kind, part, matches).map(|tallies| (part, tallies)));
            }
            let tallies = by_part.iter().find(|(known, _)| *known == part);
            let rolled_up = tallies.map(|(_, tallies)| roll_up(tallies, values));
            let largest = rolled_up.map(|it| largest(it, facets.limit as usize));
            let entries = self.entries(kind, part, values, matches, largest.unwrap_or_default());
            tables.push(FacetTable { facet: *facet, entries });
        }
        tables
    }

    /// The tallies of `matches` by a part; `None` when the kind does not have it.
    fn tallies(&self, kind: &Kind, part: Part, matches: &RowSet) -> Option<Tallies> {
        let (_, totals) = self.totals.iter().find(|(of, _)| *of == part)?;
        let count = matches.count();
        if count == kind.len() {
            return Some(totals.clone());
        }
        if count <= kind.len() / 2 {
            return Some(self.amounts.tally(kind, part, matches));
        }
        let mut tallies = totals.clone();
        let rest = matches.clone().not(kind.len());
        tallies.subtract(&self.amounts.tally(kind, part, &rest));
        Some(tallies)
    }

    fn entries(
        &self,
        kind: &Kind,
        part: Part,
        values: &Values,
        matches: &RowSet,
        tallies: Vec<(usize, Tally)>,
    ) -> Vec<FacetEntry> {
        let entry = |(slot, tally): &(usize, Tally)| FacetEntry {
            value: values.get(*slot).cloned(),
            count: tally.count(),
            sum: tally.sum(kind.entity),
        };
        let mut entries: Vec<FacetEntry> = tallies.iter().map(entry).collect();
        for wide in self.amounts.wide_among(matches) {
            let slot = values.slot_of(self.amounts.number(kind, part, wide.document));
            if let Some(place) = tallies.iter().position(|(of, _)| *of == slot) {
                entries[place].sum.add(wide.value, wide.unit);
            }
        }
        entries
    }
}

/// The tallies of the values that the parts have.
fn roll_up(tallies: &Tallies, values: &Values) -> Vec<(usize, Tally)> {
    let mut rolled_up = Tallies::new(values.slots(), tallies.iter().count());
    tallies.iter().for_each(|(number, tally)| rolled_up.add(values.slot_of(number), &tally));
    rolled_up.iter().collect()
}

/// The `limit` of the largest counts; slots are in the order of the values.
fn largest(mut tallies: Vec<(usize, Tally)>, limit: usize) -> Vec<(usize, Tally)> {
    let order = |(slot, tally): &(usize, Tally)| (Reverse(tally.count()), *slot);
    if limit < tallies.len() {
        tallies.select_nth_unstable_by_key(limit, order);
        tallies.truncate(limit);
    }
    tallies.sort_unstable_by_key(order);
    tallies
}
