//! Counts and sums of all matches by value.
//!
//! Matches are tallied by numbers that the index already has: those of their site, substance and
//! year. There are far fewer of these than of records, and their tallies roll up to provinces,
//! industries, companies and facilities. When most records match, the others are tallied and
//! subtracted from the totals.

mod amounts;
mod crossed;
mod listing;
mod parts;
mod places;
mod tallies;
mod values;

use std::borrow::Cow;

use outfall_request::{
    Facet, FacetDetails, FacetEntry, FacetTable, FacetTables, FacetValue, SearchError,
    SearchRequest,
};

use self::amounts::Amounts;
use self::listing::{ListedEntry, Listing, Order, WideSlot};
use self::parts::Part;
use self::places::{FacilitySites, Places};
use self::tallies::Tallies;
use self::values::FacetValues;
use crate::index::{Kind, WideQuantity};
use crate::search::deadline::Deadline;
use crate::search::sets::DocSet;

/// The data that facets need of one kind, derived once when it is opened.
#[derive(Debug)]
pub(crate) struct FacetIndex {
    amounts: Amounts,
    columns: Vec<FacetColumn>,
    facilities: FacilitySites,
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
        let facilities = FacetValues::of(kind, Facet::Facility);
        let facilities = FacilitySites::of(facilities.by_part(), facilities.slots());
        Self { columns: columns.collect(), amounts, facilities }
    }

    /// The facets that a request asks for, over all `matches`.
    pub(crate) fn tables(
        &self,
        kind: &Kind,
        matches: &DocSet,
        request: &SearchRequest,
        deadline: &Deadline,
    ) -> Result<FacetTables, SearchError> {
        let wanted = request.facets.wanted.iter();
        let columns: Vec<&FacetColumn> = wanted.filter_map(|facet| self.column(*facet)).collect();
        let substances = match request.facets.counts_substances(kind.record_kind) {
            true => self.column(Facet::Substance),
            false => None,
        };
        let counted: Vec<&FacetColumn> = columns.iter().copied().chain(substances).collect();
        let tallied = self.tallied(kind, matches, &counted, deadline)?;
        let wide: Vec<&WideQuantity> = self.amounts.wide_among(matches).collect();
        let mut tables = Vec::with_capacity(columns.len());
        for column in columns {
            let wide = wide.iter().map(|wide| (self.slot(kind, column, wide.document), *wide));
            let wide: Vec<WideSlot<'_>> = wide.collect();
            let slots = tallied.slots(column);
            let listing = order(request, column.facet).list(&slots, 0..u32::MAX, &wide);
            let info = listing.info;
            let is_match = |document| matches.contains(document);
            let entries = self.entries(kind, column, listing, is_match, deadline)?;
            tables.push(FacetTable { facet: column.facet, entries, info });
        }
        let crossed = match request.facets.crossed {
            Some(crossed) => self.crossed(kind, matches, (crossed, request), deadline)?,
            None => None,
        };
        let substances = substances.map(|column| tallied.slots(column).filled() as u64);
        Ok(FacetTables { tables, crossed, substances })
    }

    fn column(&self, facet: Facet) -> Option<&FacetColumn> {
        self.columns.iter().find(|column| column.facet == facet)
    }

    /// The slot of a document's value.
    fn slot(&self, kind: &Kind, column: &FacetColumn, document: u32) -> u32 {
        let number = self.amounts.number_of(kind, Part::of(column.facet), document);
        column.values.by_part()[number as usize]
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
        if count == kind.len() || parts.is_empty() {
            return Ok(Tallied::All);
        }
        if count <= kind.len() / 2 {
            return Ok(Tallied::Matches(self.amounts.tally(kind, &parts, matches, deadline)?));
        }
        let rest = matches.clone().not(kind.len());
        Ok(Tallied::Rest(self.amounts.tally(kind, &parts, &rest, deadline)?))
    }

    /// The listed entries of a facet, which is counted over the documents for which `is_counted`
    /// holds.
    fn entries(
        &self,
        kind: &Kind,
        column: &FacetColumn,
        listing: Listing,
        is_counted: impl Fn(u32) -> bool,
        deadline: &Deadline,
    ) -> Result<Vec<FacetEntry>, SearchError> {
        let mut places = Places::default();
        let mut entries = Vec::with_capacity(listing.entries.len());
        for listed in &listing.entries {
            let mut value = column.values.get(listed.slot);
            if column.facet == Facet::Facility {
                deadline.spend(listed.count as usize)?;
                let newest = self.facilities.newest(kind, listed.slot, &is_counted);
                let newest = newest.ok_or_else(|| {
                    SearchError::Engine("a counted facility has no record".to_owned())
                })?;
                let place = places.of(kind, kind.site_of[newest as usize])?;
                value = value.map(|value| value.with(FacetDetails::Facility(place)));
            }
            entries.push(entry(value, listed));
        }
        Ok(entries)
    }
}

fn entry(value: Option<FacetValue>, listed: &ListedEntry) -> FacetEntry {
    FacetEntry { value, count: listed.count, sum: listed.sum }
}

/// How the entries of one facet of a request are listed.
fn order(request: &SearchRequest, facet: Facet) -> Order<'_> {
    let (sort, limit) = (request.facets.sort_of(facet), request.facets.limit_of(facet));
    Order { request, sort, limit }
}

/// The tallies of a facet's values, from those of the part that determines them.
fn roll_up(by_part: &[(Part, Tallies)], facet: Facet, values: &FacetValues) -> Tallies {
    let tallies = || by_part.iter().filter(|(part, _)| *part == Part::of(facet));
    let filled = tallies().map(|(_, tallies)| tallies.most_filled()).sum();
    let mut slots = Tallies::new(values.slots(), filled);
    let slot_of = values.by_part();
    for (_, tallies) in tallies() {
        tallies.for_each(|number, tally| slots.add(slot_of[number as usize], tally));
    }
    slots
}
