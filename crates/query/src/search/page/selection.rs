//! The first matches of an order, without sorting them all.
//!
//! With many matches it is cheapest to walk the order and test each document; with few, to look at
//! each match and keep the smallest keys. In between it depends (matches may come first or last in
//! the order), so the walk gets as many steps as the other way would take, and the worst case is
//! twice the best. Sorting every key of ten thousand matches took five times as long.

use std::ops::Range;

use outfall_request::{Cursor, SearchError};

use crate::index::numbered;
use crate::search::deadline::Deadline;
use crate::search::sets::DocSet;

/// An order of the documents of a kind by unique keys, the smallest first.
pub(crate) trait Order {
    fn key(&self, document: u32) -> u64;

    /// A lower bound of the key, cheaper to compute.
    fn least_key(&self, document: u32) -> u64;

    /// Calls `visit` with the documents of these keys, in order, for as long as it returns true.
    fn walk(
        &self,
        keys: Range<u64>,
        visit: impl FnMut(u32) -> Result<bool, SearchError>,
    ) -> Result<(), SearchError>;
}

/// Where the matches of a page begin.
pub(crate) enum Begin<'a> {
    After(&'a Cursor),
    Skip(usize),
}

/// Which matches to select.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The keys to consider.
    pub(crate) keys: Range<u64>,
    /// How many matches with these keys to skip.
    pub(crate) skip: usize,
    /// How many to select after those.
    pub(crate) take: usize,
}

/// Once one document in this many matches, the walk is cheaper wherever the matches are.
const BROAD_SHARE: usize = 16;

/// The wanted members of `matches`, in order; there are `len` documents in all.
pub(crate) fn select_in_order(
    matches: &DocSet,
    len: usize,
    order: &impl Order,
    wanted: Wanted,
    deadline: &Deadline,
) -> Result<Vec<u32>, SearchError> {
    let Wanted { keys, skip, take } = wanted;
    let keep = skip.saturating_add(take);
    let count = matches.count();
    let mut budget = match matches {
        // Testing membership of a list is itself a search.
        DocSet::List(_) => 0,
        _ if count >= len / BROAD_SHARE => usize::MAX,
        _ => count,
    };
    let mut documents = Vec::new();
    if budget > 0 {
        let mut skip = skip;
        order.walk(keys.clone(), |document| {
            deadline.spend(1)?;
            if budget == 0 {
                return Ok(false);
            }
            budget -= 1;
            if !matches.contains(document) {
                return Ok(true);
            }
            if skip > 0 {
                skip -= 1;
                return Ok(true);
            }
            documents.push(document);
            Ok(documents.len() < take)
        })?;
        if budget > 0 {
            return Ok(documents);
        }
    }
    let mut smallest = Smallest::new(keep, count, keys.end);
    for document in matches.iter_in(0..numbered(len)) {
        deadline.spend(1)?;
        if order.least_key(document) < smallest.bound {
            let key = order.key(document);
            if key >= keys.start {
                smallest.offer(key, document);
            }
        }
    }
    Ok(smallest.into_documents(skip))
}

/// The documents of the smallest keys that were offered.
struct Smallest {
    keyed: Vec<(u64, u32)>,
    keep: usize,
    /// Keys from here on are too large to keep.
    bound: u64,
}

impl Smallest {
    /// Keeps `keep` of at most `offers` documents with keys below `bound`.
    fn new(keep: usize, offers: usize, bound: u64) -> Self {
        let room = keep.saturating_mul(2).min(offers).max(1);
        Self { keyed: Vec::with_capacity(room), keep, bound }
    }

    fn offer(&mut self, key: u64, document: u32) {
        if key >= self.bound {
            return;
        }
        self.keyed.push((key, document));
        if self.keyed.len() >= self.keep.saturating_mul(2) {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        if self.keep < self.keyed.len() {
            let (_, first_out, _) = self.keyed.select_nth_unstable(self.keep);
            self.bound = first_out.0;
            self.keyed.truncate(self.keep);
        }
    }

    /// All but the first `skip`, in order.
    fn into_documents(mut self, skip: usize) -> Vec<u32> {
        self.shrink();
        self.keyed.sort_unstable();
        self.keyed.into_iter().skip(skip).map(|(_, document)| document).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use proptest::prelude::*;

    use crate::search::sets::Bits;

    /// The documents by the given key of each.
    struct Keys(Vec<u64>);

    impl Order for Keys {
        fn key(&self, document: u32) -> u64 {
            self.0[document as usize]
        }

        fn least_key(&self, document: u32) -> u64 {
            self.key(document) / 2
        }

        fn walk(
            &self,
            keys: Range<u64>,
            mut visit: impl FnMut(u32) -> Result<bool, SearchError>,
        ) -> Result<(), SearchError> {
            let mut documents: Vec<u32> = (0..self.0.len() as u32).collect();
            documents.sort_unstable_by_key(|document| self.key(*document));
            documents.retain(|document| keys.contains(&self.key(*document)));
            for document in documents {
                if !visit(document)? {
                    break;
                }
            }
            Ok(())
        }
    }

    /// A prime, so that the multiples of any number are all documents in another order.
    const LEN: u64 = 4001;

    #[test]
    fn either_way_looks_at_the_clock() {
        let order = Keys((0..LEN).collect());
        let wanted = Wanted { keys: 0..u64::MAX, skip: 0, take: 1 };
        let all = 0..LEN as u32;
        for matches in [DocSet::Range(all.clone()), DocSet::List(all.collect())] {
            let passed = Deadline::new(Instant::now().checked_sub(Duration::from_millis(1)));
            let found = select_in_order(&matches, LEN as usize, &order, wanted.clone(), &passed);
            assert!(matches!(found, Err(SearchError::TimedOut)));
        }
    }

    proptest! {
        #[test]
        fn either_way_gives_the_first_matches(
            factor in 1..LEN,
            members in prop_oneof![
                proptest::collection::btree_set(0..LEN as u32, 0..60),
                proptest::collection::btree_set(0..LEN as u32, 300..600),
            ],
            keys in (0..LEN, 0..=LEN).prop_map(|(a, b)| a.min(b)..a.max(b)),
            skip in 0..20_usize,
            take in 1..20_usize,
        ) {
            let order = Keys((0..LEN).map(|document| document * factor % LEN).collect());
            let mut expected: Vec<u32> = members.iter().copied().collect();
            expected.retain(|document| keys.contains(&order.key(*document)));
            expected.sort_unstable_by_key(|document| order.key(*document));
            let expected: Vec<u32> = expected.into_iter().skip(skip).take(take).collect();
            let (len, wanted) = (LEN as usize, Wanted { keys, skip, take });
            for matches in [
                DocSet::List(members.iter().copied().collect()),
                DocSet::Bits(Bits::of(members, len)),
            ] {
                let found = select_in_order(&matches, len, &order, wanted.clone(), &Deadline::new(None));
                prop_assert_eq!(found.unwrap(), expected.clone());
            }
        }
    }
}
