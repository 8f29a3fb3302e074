//! One page of the matches, in the order of the request.

use std::ops::Range;

use outfall_layout::{Kind, YearBlock};

use super::comparison::Comparison;
use super::lower::Lowering;
use super::relevance::Relevance;
use super::rows::RowSet;
use super::value_keys::{ValueKeys, joined};
use crate::cursor::CursorKey;
use crate::{Cursor, SearchError, SortKey, SortOrder, Start};

/// The documents of a page.
pub(crate) struct Selected {
    pub(crate) documents: Vec<u32>,
    /// Whether matches remain after them.
    pub(crate) has_more: bool,
}

/// Where the matches of a page begin.
enum Begin<'a> {
    After(&'a Cursor),
    Skip(usize),
}

/// Below this share of all documents, sorting the matches costs less than walking the order.
const NARROW_SHARE: usize = 16;

/// The documents of the page that `lowering` asks for, among its `matches`.
pub(crate) fn select(lowering: &Lowering<'_>, matches: &RowSet) -> Result<Selected, SearchError> {
    let request = lowering.request;
    let begin = match &request.page.start {
        Start::Offset(offset) => Begin::Skip(*offset as usize),
        Start::After(cursor) => Begin::After(cursor),
    };
    // One more than asked for tells whether any remain.
    let wanted = request.page.limit as usize + 1;
    let mut documents = match (request.sort.by, request.sort.order) {
        (SortKey::Year, SortOrder::Desc) => newest_first(lowering.kind, matches, &begin, wanted),
        (SortKey::Year, SortOrder::Asc) => oldest_first(lowering.kind, matches, &begin, wanted),
        (SortKey::Value, order) => by_value(lowering, matches, &begin, order, wanted),
        (SortKey::Relevance, order) => by_relevance(lowering, matches, &begin, order, wanted)?,
    };
    let has_more = documents.len() == wanted;
    documents.truncate(wanted - 1);
    Ok(Selected { documents, has_more })
}

/// The key that a cursor after `document` holds.
pub(crate) fn cursor_key(lowering: &Lowering<'_>, document: u32) -> Result<CursorKey, SearchError> {
    let kind = lowering.kind;
    Ok(match lowering.request.sort.by {
        SortKey::Year => CursorKey::Year(kind.year_of(document)),
        SortKey::Value => CursorKey::Value(Comparison::of(lowering.request).value(kind, document)),
        SortKey::Relevance => CursorKey::Relevance(Relevance::new(lowering)?.of(document)),
    })
}

fn newest_first(kind: &Kind, matches: &RowSet, begin: &Begin<'_>, wanted: usize) -> Vec<u32> {
    let all = 0..kind.len() as u32;
    let start = match begin {
        Begin::Skip(offset) => matches.select_in(all.clone(), *offset),
        Begin::After(cursor) => Some(first_after(kind, cursor)),
    };
    start.map_or_else(Vec::new, |start| matches.iter_in(start..all.end).take(wanted).collect())
}

/// Years in the opposite direction, each from its first record on.
fn oldest_first(kind: &Kind, matches: &RowSet, begin: &Begin<'_>, wanted: usize) -> Vec<u32> {
    let mut skip = match begin {
        Begin::Skip(offset) => *offset,
        Begin::After(_) => 0,
    };
    let mut documents = Vec::new();
    for block in kind.years.iter().rev() {
        let mut range = block.documents.clone();
        if let Begin::After(cursor) = begin {
            match cursor.key {
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
    let CursorKey::Year(year) = cursor.key else {
        return 0;
    };
    let block = kind.years.partition_point(|block| block.year > year);
    match kind.years.get(block) {
        Some(YearBlock { year: same, documents }) if *same == year => {
            let is_before = |document: u32| kind.record_id(document) <= cursor.record_id;
            partition_point(documents.clone(), is_before)
        }
        Some(older) => older.documents.start,
        None => kind.len() as u32,
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

fn by_value(
    lowering: &Lowering<'_>,
    matches: &RowSet,
    begin: &Begin<'_>,
    direction: SortOrder,
    wanted: usize,
) -> Vec<u32> {
    let kind = lowering.kind;
    let comparison = Comparison::of(lowering.request);
    let order = kind.order(comparison.compared);
    let values = ValueKeys { kind, order, direction };
    let threshold = match begin {
        Begin::Skip(_) => 0,
        Begin::After(cursor) => values.threshold(&comparison, cursor),
    };
    let skip = match begin {
        Begin::Skip(offset) => *offset,
        Begin::After(_) => 0,
    };
    if matches.count() < kind.len() / NARROW_SHARE {
        let keys = matches.iter_in(0..kind.len() as u32).map(|it| (values.key(it), it));
        return smallest(keys.filter(|(key, _)| *key >= threshold).collect(), skip, wanted);
    }
    let walk = values.walk_from(threshold);
    walk.filter(|document| matches.contains(*document)).skip(skip).take(wanted).collect()
}

/// The documents of the keys after the `skip` smallest, in order.
fn smallest(mut keyed: Vec<(u64, u32)>, skip: usize, wanted: usize) -> Vec<u32> {
    let end = skip.saturating_add(wanted);
    if end < keyed.len() {
        keyed.select_nth_unstable(end);
        keyed.truncate(end);
    }
    keyed.sort_unstable();
    keyed.into_iter().skip(skip).map(|(_, document)| document).collect()
}

fn by_relevance(
    lowering: &Lowering<'_>,
    matches: &RowSet,
    begin: &Begin<'_>,
    direction: SortOrder,
    wanted: usize,
) -> Result<Vec<u32>, SearchError> {
    let kind = lowering.kind;
    let relevance = Relevance::new(lowering)?;
    let most = relevance.named.len() as u32;
    let place = |relevance: u32| match direction {
        SortOrder::Asc => relevance,
        SortOrder::Desc => most.saturating_sub(relevance),
    };
    let key = |document: u32| {
        joined(place(relevance.of(document)) as usize, kind.ids.ranks[document as usize])
    };
    let (threshold, skip) = match begin {
        Begin::Skip(offset) => (0, *offset),
        Begin::After(cursor) => {
            let before = match cursor.key {
                CursorKey::Relevance(relevance) => relevance,
                _ => 0,
            };
            let is_before = |document: &u32| kind.record_id(*document) <= cursor.record_id;
            let rank = kind.ids.documents.partition_point(is_before) as u32;
            (joined(place(before) as usize, rank), 0)
        }
    };
    let keys = matches.iter_in(0..kind.len() as u32).map(|document| (key(document), document));
    Ok(smallest(keys.filter(|(key, _)| *key >= threshold).collect(), skip, wanted))
}
