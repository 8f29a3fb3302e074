//! Counts and sums of all matches by value.
//!
//! Matches are tallied by numbers that the index already has: those of their site, substance and
//! year. There are far fewer of these than of records, and their tallies roll up to provinces,
//! industries, companies and facilities. When most records match, the others are tallied and
//! subtracted from the totals.

mod amounts;
mod tallies;
mod values;

use std::borrow::Cow;

use outfall_request::{Facet, FacetEntry, FacetTable, Facets, SearchError};

use self::amounts::{Amounts, Part};
use self::tallies::{Tallies, Tally};
use self::values::FacetValues;
use crate::index::{Kind, WideQuantity};
use crate::search::deadline::Deadline;
use crate::search::sets::DocSet;

/// The data that facets need of one kind, derived once when it is opened.
#[derive(Debug)]
pub(crate) struct FacetIndex {
    amounts: Amounts,
    columns: Vec<FacetColumn>,
}

/// One facet of the kind.
#[derive(Debug)]
struct FacetColumn {
    facet: Facet,
    values: FacetValues,
    /// The tallies of all documents by slot.
    totals: Tallies,
}

/// The tallies by part from which those of the matches follow.
enum Tallied {
    /// Nothing: everything matches.
    All,
    /// The matches.
    Matches(Vec<(Part, Tallies)>),
    /// The documents that do not match.
    Rest(Vec<(Part, Tallies)>),
}

impl Tallied {
    /// The tallies of the matches by the slots of one facet.
    fn slots<'a>(&self, column: &'a FacetColumn) -> Cow<'a, Tallies> {
        match self {
            Self::All => Cow::Borrowed(&column.totals),
            Self::Matches(by_part) => Cow::Owned(roll_up(by_part, column.facet, &column.values)),
            Self::Rest(by_part) => {
                let rest = roll_up(by_part, column.facet, &column.values);
                Cow::Owned(column.totals.without(&rest))
            }
        }
    }
}

impl FacetIndex {
    pub(crate) fn of(kind: &Kind) -> Self {
        let amounts = Amounts::of(kind);
        let all = DocSet::Range(0..kind.len() as u32);
        let no_deadline = Deadline::new(None);
        let totals = amounts.tally(kind, Part::of_kind(kind.record_kind), &all, &no_deadline);
        // Without a deadline it never runs out.
        let totals = totals.unwrap_or_default();
        let columns = Facet::of(kind.record_kind).map(|facet| {
            let values = FacetValues::of(kind, facet);
            let totals = roll_up(&totals, facet, &values);
            FacetColumn { facet, values, totals }
        });
        Self { columns: columns.collect(), amounts }
    }

    /// The table of each facet wanted, over all `matches`.
    pub(crate) fn tables(
        &self,
        kind: &Kind,
        matches: &DocSet,
        facets: &Facets,
        deadline: &Deadline,
    ) -> Result<Vec<FacetTable>, SearchError> {
        let columns = facets.wanted.iter();
        let columns =
            columns.filter_map(|facet| self.columns.iter().find(|column| column.facet == *facet));
        let columns: Vec<&FacetColumn> = columns.collect();
        let tallied = self.tallied(kind, matches, &columns, deadline)?;
        let wide: Vec<&WideQuantity> = self.amounts.wide_among(matches).collect();
        let table = |column: &&FacetColumn| {
            let slots = tallied.slots(column).largest(facets.limit as usize);
            let entries = self.entries(kind, column, &slots, &wide);
            FacetTable { facet: column.facet, entries }
        };
        Ok(columns.iter().map(table).collect())
    }

    /// Tallies either the matches or the rest, whichever is fewer, once for each part.
    fn tallied(
        &self,
        kind: &Kind,
        matches: &DocSet,
        columns: &[&FacetColumn],
        deadline: &Deadline,
    ) -> Result<Tallied, SearchError> {
        let mut parts: Vec<Part> = Vec::new();
        for column in columns {
            if !parts.contains(&Part::of(column.facet)) {
                parts.push(Part::of(column.facet));
            }
        }
        let count = matches.count();
        if count == kind.len() {
            return Ok(Tallied::All);
        }
        if count <= kind.len() / 2 {
            return Ok(Tallied::Matches(self.amounts.tally(kind, &parts, matches, deadline)?));
        }
        let rest = matches.clone().not(kind.len());
        Ok(Tallied::Rest(self.amounts.tally(kind, &parts, &rest, deadline)?))
    }

    fn entries(
        &self,
        kind: &Kind,
        column: &FacetColumn,
        slots: &[(usize, Tally)],
        wide: &[&WideQuantity],
    ) -> Vec<FacetEntry> {
        let entry = |(slot, tally): &(usize, Tally)| FacetEntry {
            value: column.values.get(*slot),
            count: tally.count(),
            sum: tally.sum(kind.record_kind),
        };
        let mut entries: Vec<FacetEntry> = slots.iter().map(entry).collect();
        for wide in wide {
            let part = self.amounts.number(kind, Part::of(column.facet), wide.document);
            let slot = column.values.by_part()[part] as usize;
            if let Some(place) = slots.iter().position(|(of, _)| *of == slot) {
                entries[place].sum.add(wide.value, wide.unit);
            }
        }
        entries
    }
}

/// The tallies of a facet's values, from those of the part that determines them.
fn roll_up(by_part: &[(Part, Tallies)], facet: Facet, values: &FacetValues) -> Tallies {
    let tallies = || by_part.iter().filter(|(part, _)| *part == Part::of(facet));
    let filled = tallies().map(|(_, tallies)| tallies.most_filled()).sum();
    let mut slots = Tallies::new(values.slots(), filled);
    let slot_of = values.by_part();
    for (_, tallies) in tallies() {
        tallies.for_each(|number, tally| slots.add(slot_of[number] as usize, tally));
    }
    slots
}
