//! Sets of documents of one kind: a few in a list, many in a bitset.
//!
//! A bitset of a million documents is 125 KB, so that one fits the second-level cache and an
//! intersection costs some microseconds; a list is cheaper below a document in 64.

use std::ops::Range;

/// A set of document numbers below a fixed length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowSet {
    /// Neighbours in canonical order: whole years, or everything.
    Range(Range<u32>),
    /// In increasing order.
    List(Vec<u32>),
    /// One bit a document.
    Bits(Bits),
}

/// One bit for each document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

/// From this share of all documents on, a bitset costs less than a list.
pub(crate) const DENSE_SHARE: usize = 64;

impl Bits {
    pub(crate) fn none(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)] }
    }

    fn range(range: Range<u32>, len: usize) -> Self {
        let mut bits = Self::none(len);
        bits.set_range(range);
        bits
    }

    pub(crate) fn set(&mut self, document: u32) {
        self.words[document as usize / 64] |= 1 << (document % 64);
    }

    fn set_range(&mut self, range: Range<u32>) {
        for (place, mask) in masks(range) {
            self.words[place] |= mask;
        }
    }

    fn keep_range(&mut self, range: Range<u32>) {
        let mut kept = vec![0; self.words.len()];
        for (place, mask) in masks(range) {
            kept[place] = self.words[place] & mask;
        }
        self.words = kept;
    }

    fn contains(&self, document: u32) -> bool {
        self.words[document as usize / 64] & 1 << (document % 64) != 0
    }

    fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn count_in(&self, range: Range<u32>) -> usize {
        masks(range).map(|(place, mask)| (self.words[place] & mask).count_ones() as usize).sum()
    }

    fn iter_in(&self, range: Range<u32>) -> impl Iterator<Item = u32> {
        masks(range).flat_map(|(place, mask)| {
            let mut word = self.words[place] & mask;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros())?;
                word &= word - 1;
                Some(place as u32 * 64 + bit)
            })
        })
    }

    /// The member with `before` members of `range` before it.
    fn select_in(&self, range: Range<u32>, mut before: usize) -> Option<u32> {
        for (place, mask) in masks(range) {
            let mut word = self.words[place] & mask;
            let count = word.count_ones() as usize;
            if before >= count {
                before -= count;
                continue;
            }
            for _ in 0..before {
                word &= word - 1;
            }
            return Some(place as u32 * 64 + word.trailing_zeros());
        }
        None
    }
}

/// The words that hold `range`, each with the bits of it that are in the range.
fn masks(range: Range<u32>) -> impl Iterator<Item = (usize, u64)> {
    let (start, end) = (range.start as usize, range.end as usize);
    let words = if start < end { start / 64..end.div_ceil(64) } else { 0..0 };
    words.map(move |place| {
        let first = if place == start / 64 { u64::MAX << (start % 64) } else { u64::MAX };
        let last = if place == end / 64 { (1 << (end % 64)) - 1 } else { u64::MAX };
        (place, first & last)
    })
}

impl RowSet {
    pub(crate) const NONE: Self = Self::List(Vec::new());

    /// The union of sorted lists.
    pub(crate) fn union_of<'a>(lists: impl Iterator<Item = &'a [u32]> + Clone, len: usize) -> Self {
        let total: usize = lists.clone().map(<[u32]>::len).sum();
        if total < len / DENSE_SHARE {
            let mut documents = Vec::with_capacity(total);
            let count = lists.map(|list| documents.extend_from_slice(list)).count();
            if count > 1 {
                documents.sort_unstable();
                documents.dedup();
            }
            return Self::List(documents);
        }
        let mut bits = Bits::none(len);
        lists.for_each(|list| list.iter().for_each(|document| bits.set(*document)));
        Self::Bits(bits)
    }

    pub(crate) fn contains(&self, document: u32) -> bool {
        match self {
            Self::Range(range) => range.contains(&document),
            Self::List(list) => list.binary_search(&document).is_ok(),
            Self::Bits(bits) => bits.contains(document),
        }
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::List(list) => list.len(),
            Self::Bits(bits) => bits.count(),
        }
    }

    pub(crate) fn count_in(&self, range: Range<u32>) -> usize {
        match self {
            Self::Range(own) => overlap(own, &range).len(),
            Self::List(list) => list[places(list, &range)].len(),
            Self::Bits(bits) => bits.count_in(range),
        }
    }

    /// Members in `range`, in order.
    pub(crate) fn iter_in(&self, range: Range<u32>) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::Range(own) => Box::new(overlap(own, &range)),
            Self::List(list) => Box::new(list[places(list, &range)].iter().copied()),
            Self::Bits(bits) => Box::new(bits.iter_in(range)),
        }
    }

    /// The member with `before` members of `range` before it.
    pub(crate) fn select_in(&self, range: Range<u32>, before: usize) -> Option<u32> {
        match self {
            Self::Range(own) => overlap(own, &range).nth(before),
            Self::List(list) => list[places(list, &range)].get(before).copied(),
            Self::Bits(bits) => bits.select_in(range, before),
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Range(a), Self::Range(b)) => Self::Range(overlap(&a, &b)),
            (Self::Range(range), Self::Bits(mut bits))
            | (Self::Bits(mut bits), Self::Range(range)) => {
                bits.keep_range(range);
                Self::Bits(bits)
            }
            (Self::Bits(mut a), Self::Bits(b)) => {
                a.words.iter_mut().zip(&b.words).for_each(|(a, b)| *a &= b);
                Self::Bits(a)
            }
            (Self::List(a), Self::List(b)) => {
                let (mut few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
                few.retain(|document| many.binary_search(document).is_ok());
                Self::List(few)
            }
            (Self::List(mut list), other) | (other, Self::List(mut list)) => {
                list.retain(|document| other.contains(*document));
                Self::List(list)
            }
        }
    }

    pub(crate) fn or(self, other: Self, len: usize) -> Self {
        match (self, other) {
            (Self::List(a), Self::List(b)) => {
                let lists = [a, b];
                Self::union_of(lists.iter().map(Vec::as_slice), len)
            }
            (a, b) => {
                let (mut bits, other) = match (a, b) {
                    (Self::Bits(bits), other) | (other, Self::Bits(bits)) => (bits, other),
                    (Self::Range(range), other) | (other, Self::Range(range)) => {
                        (Bits::range(range, len), other)
                    }
                    (Self::List(list), other) => {
                        let mut bits = Bits::none(len);
                        list.iter().for_each(|document| bits.set(*document));
                        (bits, other)
                    }
                };
                match other {
                    Self::Range(range) => bits.set_range(range),
                    Self::List(list) => list.iter().for_each(|document| bits.set(*document)),
                    Self::Bits(other) => {
                        bits.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
                    }
                }
                Self::Bits(bits)
            }
        }
    }

    /// Everything below `len` that is not in the set.
    pub(crate) fn not(self, len: usize) -> Self {
        let mut bits = Bits::range(0..len as u32, len);
        match self {
            Self::Range(range) => masks(range).for_each(|(place, mask)| bits.words[place] &= !mask),
            Self::List(list) => {
                for document in list {
                    bits.words[document as usize / 64] &= !(1 << (document % 64));
                }
            }
            Self::Bits(other) => {
                bits.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= !b);
            }
        }
        Self::Bits(bits)
    }

    /// The members that `keep` keeps.
    pub(crate) fn filter(self, len: usize, keep: impl Fn(u32) -> bool) -> Self {
        if let Self::List(mut list) = self {
            list.retain(|document| keep(*document));
            return Self::List(list);
        }
        let mut bits = Bits::none(len);
        for document in self.iter_in(0..len as u32).filter(|document| keep(*document)) {
            bits.set(document);
        }
        Self::Bits(bits)
    }
}

fn overlap(a: &Range<u32>, b: &Range<u32>) -> Range<u32> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// Where the members of `list` that lie in `range` stand.
fn places(list: &[u32], range: &Range<u32>) -> Range<usize> {
    let start = list.partition_point(|document| *document < range.start);
    let end = list.partition_point(|document| *document < range.end);
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    const LEN: usize = 300;

    fn set() -> impl Strategy<Value = RowSet> {
        let document = 0..LEN as u32;
        prop_oneof![
            (document.clone(), document.clone())
                .prop_map(|(a, b)| RowSet::Range(a.min(b)..a.max(b))),
            proptest::collection::btree_set(document.clone(), 0..40)
                .prop_map(|set| RowSet::List(set.into_iter().collect())),
            proptest::collection::btree_set(document, 0..200).prop_map(|set| {
                let mut bits = Bits::none(LEN);
                set.into_iter().for_each(|document| bits.set(document));
                RowSet::Bits(bits)
            }),
        ]
    }

    fn members(set: &RowSet) -> BTreeSet<u32> {
        (0..LEN as u32).filter(|document| set.contains(*document)).collect()
    }

    proptest! {
        #[test]
        fn sets_of_every_form_behave_like_sets(a in set(), b in set(), from in 0..LEN as u32, to in 0..LEN as u32, before in 0_usize..50) {
            let (left, right) = (members(&a), members(&b));
            let all: BTreeSet<u32> = (0..LEN as u32).collect();
            prop_assert_eq!(members(&a.clone().and(b.clone())), &left & &right);
            prop_assert_eq!(members(&a.clone().or(b.clone(), LEN)), &left | &right);
            prop_assert_eq!(members(&a.clone().not(LEN)), &all - &left);
            prop_assert_eq!(a.count(), left.len());
            let even = a.clone().filter(LEN, |document| document % 2 == 0);
            prop_assert_eq!(members(&even), left.iter().copied().filter(|it| it % 2 == 0).collect());
            let inside: Vec<u32> = left.iter().copied().filter(|it| (from..to).contains(it)).collect();
            prop_assert_eq!(a.count_in(from..to), inside.len());
            prop_assert_eq!(a.select_in(from..to, before), inside.get(before).copied());
            prop_assert_eq!(a.iter_in(from..to).collect::<Vec<_>>(), inside);
        }

        #[test]
        fn unions_of_lists_hold_every_member(lists in proptest::collection::vec(proptest::collection::btree_set(0..LEN as u32, 0..9), 0..5)) {
            let expected = lists.iter().flatten().copied().collect::<BTreeSet<u32>>();
            let lists: Vec<Vec<u32>> = lists.into_iter().map(|list| list.into_iter().collect()).collect();
            let union = RowSet::union_of(lists.iter().map(Vec::as_slice), LEN);
            prop_assert_eq!(members(&union), expected);
        }
    }
}
