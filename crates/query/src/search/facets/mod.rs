//! Counts and sums of all matches by value.
//!
//! Matches are tallied by their site, their year and their flow, which is substance, medium and
//! unit together. There are far fewer of these than of records, and their tallies roll up to the
//! values of facets. When most records match, the others are tallied and subtracted from the
//! totals.

mod batch;
mod crossed;
mod flows;
mod listing;
mod parts;
mod places;
mod tallies;
mod tallying;
mod values;

use std::borrow::Cow;

use outfall_request::{
    Facet, FacetDetails, FacetEntry, FacetTable, FacetTables, FacetValue, SearchError,
    SearchRequest,
};

use self::flows::Flows;
use self::listing::{ListedEntry, Listing, Order};
use self::parts::Part;
use self::places::{FacilitySites, Places};
use self::tallies::{Tallies, TallySum};
use self::tallying::Tallying;
use self::values::FacetValues;
use crate::index::{Kind, numbered};
use crate::search::deadline::Deadline;
use crate::search::sets::DocSet;

/// The data that facets need of one kind, derived once when it is opened.
#[derive(Debug)]
pub(crate) struct FacetIndex {
    flows: Flows,
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

impl FacetIndex {
    pub(crate) fn of(kind: &Kind) -> Self {
        let flows = Flows::of(kind);
        let all = DocSet::Range(0..numbered(kind.len()));
        let no_deadline = Deadline::new(None);
        let tallying = Tallying { kind, flows: &flows };
        let totals = tallying.tally(Part::of_kind(kind.record_kind), &all, &no_deadline);
        #[expect(clippy::expect_used, reason = "a tally fails at its deadline alone")]
        let totals = totals.expect("no deadline");
        let columns = Facet::of(kind.record_kind).map(|facet| {
            let values = FacetValues::of(kind, &flows, facet);
            let empty = Tallies::new(values.slots(), values.slots());
            let mut slots = [Slots::new(facet, &values, empty)];
            roll_up(&totals, &mut slots, TallySum::add);
            let [Slots { tallies: totals, .. }] = slots;
            FacetColumn { facet, values, totals }
        });
        let facilities = FacetValues::of(kind, &flows, Facet::Facility);
        let facilities = FacilitySites::of(facilities.by_part(), facilities.slots());
        Self { columns: columns.collect(), flows, facilities }
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
        // Without the facet of substances, they are tallied only to be counted.
        let uncounted = substances.filter(|_| !request.facets.wanted.contains(&Facet::Substance));
        let counted: Vec<&FacetColumn> = columns.iter().copied().chain(uncounted).collect();
        let tallied = self.tallied(kind, matches, &counted, deadline)?;
        let mut tables = Vec::with_capacity(columns.len());
        for (column, slots) in columns.iter().zip(&tallied) {
            let listing = order(request, column.facet).list(slots, 0..u32::MAX);
            let info = listing.info;
            let is_match = |document| matches.contains(document);
            let entries = self.entries(kind, column, listing, is_match, deadline)?;
            tables.push(FacetTable { facet: column.facet, entries, info });
        }
        let crossed = match request.facets.crossed {
            Some(crossed) => self.crossed(kind, matches, (crossed, request), deadline)?,
            None => None,
        };
        let mut tallied = counted.iter().zip(&tallied);
        let substances = substances
            .and_then(|_| tallied.find(|(column, _)| column.facet == Facet::Substance))
            .map(|(_, slots)| slots.filled() as u64);
        Ok(FacetTables { tables, crossed, substances })
    }

    fn column(&self, facet: Facet) -> Option<&FacetColumn> {
        self.columns.iter().find(|column| column.facet == facet)
    }

    fn tallying<'a>(&'a self, kind: &'a Kind) -> Tallying<'a> {
        Tallying { kind, flows: &self.flows }
    }

    /// The slot of a document's value.
    fn slot(&self, kind: &Kind, column: &FacetColumn, document: u32) -> u32 {
        let number = self.tallying(kind).number_of(Part::of(column.facet), document);
        column.values.by_part()[number as usize]
    }

    /// The tallies of the matches by the slots of each facet. Either the matches are tallied or the
    /// rest, whichever is fewer, once for each part.
    fn tallied<'a>(
        &self,
        kind: &Kind,
        matches: &DocSet,
        columns: &[&'a FacetColumn],
        deadline: &Deadline,
    ) -> Result<Vec<Cow<'a, Tallies>>, SearchError> {
        let count = matches.count();
        if count == kind.len() || columns.is_empty() {
            return Ok(columns.iter().map(|column| Cow::Borrowed(&column.totals)).collect());
        }
        let mut parts: Vec<Part> = Vec::new();
        for column in columns {
            if !parts.contains(&Part::of(column.facet)) {
                parts.push(Part::of(column.facet));
            }
        }
        let is_rest = count > kind.len() / 2;
        let rest = is_rest.then(|| matches.clone().not(kind.len()));
        let rows = rest.as_ref().unwrap_or(matches);
        let by_part = self.tallying(kind).tally(&parts, rows, deadline)?;
        let slots = |column: &&'a FacetColumn| {
            let FacetColumn { facet, values, totals } = *column;
            let mut of_part = by_part.iter().filter(|(part, _)| *part == Part::of(*facet));
            let filled = of_part.next().map_or(0, |(_, tallies)| tallies.most_filled());
            let tallies = match is_rest {
                true => totals.clone(),
                false => Tallies::new(values.slots(), filled),
            };
            Slots::new(*facet, values, tallies)
        };
        let mut facets: Vec<Slots<'_>> = columns.iter().map(slots).collect();
        match is_rest {
            true => roll_up(&by_part, &mut facets, TallySum::subtract),
            false => roll_up(&by_part, &mut facets, TallySum::add),
        }
        Ok(facets.into_iter().map(|slots| Cow::Owned(slots.tallies)).collect())
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
                deadline.spend(usize::try_from(listed.count).unwrap_or(usize::MAX))?;
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

/// The tallies of a facet's values, while those of the part that determines them are rolled up.
struct Slots<'a> {
    part: Part,
    /// The slot of each number of the part.
    slot_of: &'a [u32],
    tallies: Tallies,
}

impl<'a> Slots<'a> {
    fn new(facet: Facet, values: &'a FacetValues, tallies: Tallies) -> Self {
        Self { part: Part::of(facet), slot_of: values.by_part(), tallies }
    }
}

/// Changes the tallies of facets by each sum of the parts that determine them. A part may have many
/// more numbers than a cache holds, so it is passed over once for all of its facets.
fn roll_up(
    by_part: &[(Part, Tallies)],
    facets: &mut [Slots<'_>],
    change: impl Fn(&mut TallySum, TallySum),
) {
    for (part, tallies) in by_part {
        let mut facets: Vec<&mut Slots<'_>> =
            facets.iter_mut().filter(|slots| slots.part == *part).collect();
        tallies.for_each_sum(|number, is_teq, sum| {
            for slots in &mut facets {
                let slot = slots.slot_of[number as usize];
                change(slots.tallies.at(slot, is_teq), sum);
            }
        });
    }
}
