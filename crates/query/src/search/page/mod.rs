//! One page of the matches, in the order of the request.

mod by_value;
mod relevance;
mod selection;
mod value_keys;

use std::ops::Range;

use outfall_request::{Cursor, CursorKey, SearchError, SearchRequest, SortKey, SortOrder, Start};

use self::by_value::by_value;
use self::relevance::Relevance;
use self::selection::Begin;
use crate::index::{Kind, YearBlock, numbered};
use crate::search::lower::{Lowering, Matches};
use crate::search::sets::DocSet;
use crate::search::values::ValueFilter;

/// The documents of a page.
pub(crate) struct Selected {
    pub(crate) documents: Vec<u32>,
    /// The sort key and number of the last document, if matches remain after it.
    pub(crate) end: Option<(CursorKey, u32)>,
}

/// The documents of the page that `lowering` asks for, among its `matches`.
pub(crate) fn select(lowering: &Lowering<'_>, matches: &Matches) -> Result<Selected, SearchError> {
    let SearchRequest { page, sort, .. } = lowering.request;
    if page.limit == 0 {
        return Ok(Selected { documents: Vec::new(), end: None });
    }
    let begin = match &page.start {
        Start::Offset(offset) => Begin::Skip(*offset as usize),
        Start::After(cursor) => Begin::After(cursor),
    };
    let kind = lowering.kind;
    // One more than asked for, to see whether any remain.
    let take = page.limit as usize + 1;
    let relevance = match sort.by {
        SortKey::Relevance => Some(Relevance::new(lowering)?),
        SortKey::Year | SortKey::Value => None,
    };
    let mut documents = match (&relevance, sort.by, sort.order) {
        (Some(relevance), _, order) => {
            relevance.select(lowering, &matches.rows, &begin, order, take)?
        }
        (None, SortKey::Value, order) => by_value(lowering, matches, &begin, order, take)?,
        (None, _, SortOrder::Desc) => newest_first(kind, &matches.rows, &begin, take),
        (None, _, SortOrder::Asc) => oldest_first(kind, &matches.rows, &begin, take),
    };
    let has_more = documents.len() == take;
    documents.truncate(take - 1);
    let key = |document| match &relevance {
        Some(relevance) => CursorKey::Relevance(relevance.of(document)),
        None if sort.by == SortKey::Value => {
            CursorKey::Value(ValueFilter::of(lowering.request).value(kind, document))
        }
        None => CursorKey::Year(kind.year_of(document)),
    };
    let end = documents.last().filter(|_| has_more).map(|last| (key(*last), *last));
    Ok(Selected { documents, end })
}

fn newest_first(kind: &Kind, matches: &DocSet, begin: &Begin<'_>, wanted: usize) -> Vec<u32> {
    let all = 0..numbered(kind.len());
    let start = match begin {
        Begin::Skip(offset) => matches.select_in(all.clone(), *offset),
        Begin::After(cursor) => Some(first_after(kind, cursor)),
    };
    start.map_or_else(Vec::new, |start| matches.iter_in(start..all.end).take(wanted).collect())
}

/// Takes the years from the oldest on; the order within a year stays the same.
fn oldest_first(kind: &Kind, matches: &DocSet, begin: &Begin<'_>, wanted: usize) -> Vec<u32> {
    let mut skip = match begin {
        Begin::Skip(offset) => *offset,
        Begin::After(_) => 0,
    };
    let mut documents = Vec::new();
    for block in kind.years.iter().rev() {
        let mut range = block.documents.clone();
        if let Begin::After(cursor) = begin {
            match cursor.key() {
                CursorKey::Year(year) if year > block.year => continue,
                CursorKey::Year(year) if year == block.year => {
                    range.start = first_after(kind, cursor)
                }
                _ => {}
            }
        }
        let count = matches.count_in(range.clone());
        if skip >= count {
            skip -= count;
            continue;
        }
        if let Some(start) = matches.select_in(range.clone(), skip) {
            let rest = wanted - documents.len();
            documents.extend(matches.iter_in(start..range.end).take(rest));
        }
        skip = 0;
        if documents.len() == wanted {
            break;
        }
    }
    documents
}

/// The first document after a cursor's in canonical order.
fn first_after(kind: &Kind, cursor: &Cursor) -> u32 {
    let CursorKey::Year(year) = cursor.key() else {
        return 0;
    };
    let block = kind.years.partition_point(|block| block.year > year);
    match kind.years.get(block) {
        Some(YearBlock { year: same, documents }) if *same == year => {
            let is_before =
                |document: u32| kind.compare_record_id(document, cursor.record_id()).is_le();
            partition_point(documents.clone(), is_before)
        }
        Some(older) => older.documents.start,
        None => numbered(kind.len()),
    }
}

/// The first number of `range` that does not pass.
fn partition_point(range: Range<u32>, passes: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if passes(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
