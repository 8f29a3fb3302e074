//! A page by value. Bounds on the value are a part of its order, so only that part is searched.
//!
//! A deep offset leaps near its place: the prefixes of the order count the matches before each 32nd
//! part, and a binary search over them takes six intersections. Walking there took 3 ms for the 100
//! 000th match of a word that a third of a million releases have.

use std::ops::Range;

use outfall_request::{SearchError, SortOrder};

use super::selection::{Begin, Wanted, select_in_order};
use super::value_keys::{ValueKeys, joined};
use crate::search::lower::{Lowering, Matches};
use crate::search::sets::DocSet;
use crate::search::values::ValueFilter;

/// Up to this offset walking is as fast as leaping.
const NEAR: usize = 1 << 11;

/// At most `take` of `matches`, in the order by value.
pub(crate) fn by_value(
    lowering: &Lowering<'_>,
    matches: &Matches,
    begin: &Begin<'_>,
    direction: SortOrder,
    take: usize,
) -> Result<Vec<u32>, SearchError> {
    let (kind, rows) = (lowering.kind, &matches.rows);
    let comparison = ValueFilter::of(lowering.request);
    let values = ValueKeys { kind, order: kind.order(comparison.compared), direction };
    let keys = match &lowering.within {
        Some(ordinals) => values.keys(ordinals),
        None => 0..u64::MAX,
    };
    let wanted = match begin {
        Begin::After(cursor) => {
            let start = keys.start.max(values.threshold(&comparison, cursor));
            Wanted { keys: start..keys.end, skip: 0, take }
        }
        Begin::Skip(skip) if *skip > NEAR => {
            let skip = skip + before_bounds(lowering, &values, matches)?;
            let (place, before) = leap(lowering, &values, &comparison, rows, skip)?;
            Wanted { keys: joined(place, 0)..keys.end, skip: skip - before, take }
        }
        Begin::Skip(skip) => Wanted { keys, skip: *skip, take },
    };
    select_in_order(rows, kind.len(), &values, wanted, &lowering.deadline)
}

/// How many of the rows of `matches` come before the first value within the bounds.
fn before_bounds(
    lowering: &Lowering<'_>,
    values: &ValueKeys<'_>,
    matches: &Matches,
) -> Result<usize, SearchError> {
    let before = match (&matches.places, values.direction) {
        (None, _) => return Ok(0),
        (Some(places), SortOrder::Asc) => 0..places.start,
        (Some(places), SortOrder::Desc) => places.end..values.order.valued(),
    };
    lowering.count_at(&before, &matches.rows, None)
}

/// A place with at most `skip` matches before it, and the number of those matches.
fn leap(
    lowering: &Lowering<'_>,
    values: &ValueKeys<'_>,
    comparison: &ValueFilter,
    matches: &DocSet,
    skip: usize,
) -> Result<(usize, usize), SearchError> {
    let ValueKeys { kind, order, direction } = values;
    let prefixes = kind.prefixes(comparison.compared);
    let distinct = order.distinct();
    let last = prefixes.bits.len() - 1;
    let in_prefix = |step: usize| -> Result<usize, SearchError> {
        lowering.pass()?;
        Ok(matches.count_common(&prefixes.bits[step]))
    };
    let among = |start: usize, end: usize| -> Result<usize, SearchError> {
        // All documents may share one value, so the deadline is checked.
        let mut count = 0;
        for document in &order.documents[start..end] {
            lowering.deadline.spend(1)?;
            count += usize::from(matches.contains(*document));
        }
        Ok(count)
    };
    let place_of = |step: usize| (step * prefixes.step).min(order.valued());
    match direction {
        SortOrder::Asc => {
            // The last step with at most `skip` matches before it.
            let step = first_from(1..last + 1, |step| Ok(in_prefix(step)? > skip))? - 1;
            let (place, before) = (place_of(step), in_prefix(step)?);
            if place == order.valued() {
                return Ok((distinct, before));
            }
            // Documents of one value stay together, so the walk begins with the first of them.
            let ordinal = order.starts.partition_point(|start| *start as usize <= place) - 1;
            Ok((ordinal, before - among(order.starts[ordinal] as usize, place)?))
        }
        SortOrder::Desc => {
            // The first step with at most `skip` matches from it on.
            let valued = in_prefix(last)?;
            let step = first_from(0..last, |step| Ok(valued - in_prefix(step)? <= skip))?;
            let (place, before) = (place_of(step), valued - in_prefix(step)?);
            let ordinal = order.starts.partition_point(|start| (*start as usize) < place);
            Ok((distinct - ordinal, before - among(place, order.starts[ordinal] as usize)?))
        }
    }
}

/// The first number of `range` from which on `holds`; its end if there is none.
fn first_from(
    mut range: Range<usize>,
    holds: impl Fn(usize) -> Result<bool, SearchError>,
) -> Result<usize, SearchError> {
    while !range.is_empty() {
        let middle = range.start + range.len() / 2;
        if holds(middle)? { range.end = middle } else { range.start = middle + 1 }
    }
    Ok(range.start)
}
