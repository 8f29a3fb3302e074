//! Which entries of a facet are listed, and in what order.

use std::cmp::Reverse;
use std::ops::Range;

use outfall_request::{FacetInfo, FacetSort, FacetSum, SearchRequest, ValueUnit};

use super::tallies::{Tallies, Tally};

/// The listed entries of a facet.
pub(super) struct Listing {
    /// In order.
    pub(super) entries: Vec<ListedEntry>,
    /// How much of the facet they are.
    pub(super) info: FacetInfo,
}

/// A slot with its count and its sum.
pub(super) struct ListedEntry {
    pub(super) slot: u32,
    pub(super) count: u64,
    pub(super) sum: FacetSum,
}

/// How the entries of a facet are ordered, and how many of them are listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'a> {
    pub(super) request: &'a SearchRequest,
    pub(super) sort: FacetSort,
    pub(super) limit: usize,
}

impl Order<'_> {
    /// Lists the numbers in `range`, each of which is a slot that many above its start. Slots are
    /// in byte order of their values, and the one without a value is last.
    pub(super) fn list(self, tallies: &Tallies, range: Range<u32>) -> Listing {
        // Emissions have one sum, whatever the unit.
        let value_unit = match self.request.record_kind.has_units() {
            true => self.request.value_unit,
            false => ValueUnit::Reported,
        };
        let tally_of = |slot: u32| tallies.get(range.start + slot);
        let each = |take: &mut dyn FnMut(u32, &Tally)| {
            let start = range.start;
            tallies.for_each_in(range.clone(), |number, tally| take(number - start, tally));
        };
        let (slots, mut info) = match self.sort {
            FacetSort::Count => first_of(each, self.limit, |_, tally| Reverse(tally.count())),
            FacetSort::Value => first_of(each, self.limit, |_, _| ()),
            FacetSort::Sum => {
                first_of(each, self.limit, |_, tally| Reverse(tally.compared(value_unit)))
            }
        };
        let entry = |slot: u32| {
            let tally = tally_of(slot);
            ListedEntry { slot, count: tally.count(), sum: tally.sum(self.request.record_kind) }
        };
        let entries: Vec<ListedEntry> = slots.into_iter().map(entry).collect();
        info.left_out = info.values - entries.len() as u64;
        info.left_out_count -= entries.iter().map(|entry| entry.count).sum::<u64>();
        Listing { entries, info }
    }
}

/// The first `limit` slots by their keys, equal ones by number; and all of them counted, as if none
/// were listed.
fn first_of<K: Ord>(
    each: impl Fn(&mut dyn FnMut(u32, &Tally)),
    limit: usize,
    key: impl Fn(u32, &Tally) -> K,
) -> (Vec<u32>, FacetInfo) {
    let mut keys: Vec<(K, u32)> = Vec::new();
    let mut count = 0;
    each(&mut |slot, tally| {
        count += tally.count();
        keys.push((key(slot, tally), slot));
    });
    let values = keys.len() as u64;
    if limit < keys.len() {
        keys.select_nth_unstable(limit);
        keys.truncate(limit);
    }
    keys.sort_unstable();
    let info = FacetInfo { values, left_out: 0, left_out_count: count };
    (keys.into_iter().map(|(_, slot)| slot).collect(), info)
}
