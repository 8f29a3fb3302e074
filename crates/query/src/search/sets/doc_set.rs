//! Sets of documents of one kind: a few in a list, many in a bitset.
//!
//! Below one document in 64 a list is cheaper than a bitset.

use std::ops::Range;

use super::bits::{Bits, BitsIter};
use crate::index::numbered;

/// A set of document numbers below a fixed length.
#[derive(Clone, Debug)]
pub(crate) enum DocSet {
    /// Neighbours in canonical order: whole years, or everything.
    Range(Range<u32>),
    /// In increasing order.
    List(Vec<u32>),
    /// One bit per document.
    Bits(Bits),
}

/// A bitset costs less than a list once one document in this many is a member.
pub(crate) const DENSE_SHARE: usize = 64;

impl DocSet {
    pub(crate) const NONE: Self = Self::List(Vec::new());

    pub(crate) fn contains(&self, document: u32) -> bool {
        match self {
            Self::Range(range) => range.contains(&document),
            Self::List(list) => list.binary_search(&document).is_ok(),
            Self::Bits(bits) => bits.contains(document),
        }
    }

    /// Whether the set is all documents below `len`; recognises only a range.
    pub(crate) fn is_all(&self, len: usize) -> bool {
        matches!(self, Self::Range(all) if *all == (0..numbered(len)))
    }

    /// Counts a bitset now, so that later counts cost nothing.
    pub(crate) fn counted(self) -> Self {
        match self {
            Self::Bits(bits) => Self::Bits(bits.counted()),
            other => other,
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
    pub(crate) fn iter_in(&self, range: Range<u32>) -> Members<'_> {
        match self {
            Self::Range(own) => Members::Range(overlap(own, &range)),
            Self::List(list) => Members::List(list[places(list, &range)].iter()),
            Self::Bits(bits) => Members::Bits(bits.iter_in(range)),
        }
    }

    /// The member at index `before` among those in `range`.
    pub(crate) fn select_in(&self, range: Range<u32>, before: usize) -> Option<u32> {
        match self {
            Self::Range(own) => overlap(own, &range).nth(before),
            Self::List(list) => list[places(list, &range)].get(before).copied(),
            Self::Bits(bits) => bits.select_in(range, before),
        }
    }

    pub(crate) fn and(self, other: Self, len: usize) -> Self {
        match (self, other) {
            (Self::Range(all), other) | (other, Self::Range(all)) if all == (0..numbered(len)) => {
                other
            }
            (Self::Range(a), Self::Range(b)) => Self::Range(overlap(&a, &b)),
            (Self::Range(range), Self::Bits(bits)) | (Self::Bits(bits), Self::Range(range)) => {
                Self::Bits(bits.within(range))
            }
            (Self::Bits(a), Self::Bits(b)) => Self::Bits(a.and(&b)),
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

    /// The members that are not in `other`.
    pub(crate) fn and_not(self, other: Self, len: usize) -> Self {
        match (self, other) {
            (set, Self::List(none)) if none.is_empty() => set,
            (Self::List(mut list), other) => {
                list.retain(|document| !other.contains(*document));
                Self::List(list)
            }
            (Self::Range(range), other) => Self::Bits(Bits::range(range, len)).and_not(other, len),
            (Self::Bits(mut bits), Self::Range(range)) => {
                bits.remove_range(range);
                Self::Bits(bits)
            }
            (Self::Bits(mut bits), Self::List(list)) => {
                bits.remove(list);
                Self::Bits(bits)
            }
            (Self::Bits(a), Self::Bits(b)) => Self::Bits(a.and_not(&b)),
        }
    }

    pub(crate) fn or(self, other: Self, len: usize) -> Self {
        match (self, other) {
            (Self::List(none), other) | (other, Self::List(none)) if none.is_empty() => other,
            (Self::Bits(a), Self::Bits(b)) => Self::Bits(a.or(&b)),
            (Self::Bits(mut bits), Self::Range(range))
            | (Self::Range(range), Self::Bits(mut bits)) => {
                bits.insert_range(range);
                Self::Bits(bits)
            }
            (Self::Bits(mut bits), Self::List(list)) | (Self::List(list), Self::Bits(mut bits)) => {
                bits.insert(list);
                Self::Bits(bits)
            }
            (Self::List(a), Self::List(b)) if a.len() + b.len() < len / DENSE_SHARE => {
                Self::List(merged(&a, &b))
            }
            (Self::List(list), other) | (other, Self::List(list)) => {
                other.or(Self::Bits(Bits::of(list, len)), len)
            }
            (Self::Range(range), other) => other.or(Self::Bits(Bits::range(range, len)), len),
        }
    }

    /// Everything below `len` that is not in the set.
    pub(crate) fn not(self, len: usize) -> Self {
        Self::Range(0..numbered(len)).and_not(self, len)
    }

    /// The set as a bitset.
    pub(crate) fn into_bits(self, len: usize) -> Bits {
        match self {
            Self::Range(range) => Bits::range(range, len),
            Self::List(list) => Bits::of(list, len),
            Self::Bits(bits) => bits,
        }
    }

    /// How many of `documents` are members.
    pub(crate) fn count_of(&self, documents: impl Iterator<Item = u32>) -> usize {
        match self {
            Self::Range(range) => documents.filter(|document| range.contains(document)).count(),
            Self::List(_) => documents.filter(|document| self.contains(*document)).count(),
            Self::Bits(bits) => bits.count_of(documents),
        }
    }

    /// How many members are also in `bits`.
    pub(crate) fn count_common(&self, bits: &Bits) -> usize {
        match self {
            Self::Range(range) => bits.count_in(range.clone()),
            Self::List(list) => list.iter().filter(|document| bits.contains(**document)).count(),
            Self::Bits(own) => own.count_common(bits),
        }
    }

    /// How many members are in `outer` and `also` but not in `inner`, a subset of `outer`.
    pub(crate) fn count_between(
        &self,
        inner: &Bits,
        outer: &Bits,
        also: Option<&Bits>,
        len: usize,
    ) -> usize {
        match self {
            Self::Range(range) => outer.count_beyond(inner, also.as_slice(), range.clone()),
            Self::List(list) => {
                let is_in = |document| {
                    outer.contains(document)
                        && !inner.contains(document)
                        && also.is_none_or(|also| also.contains(document))
                };
                list.iter().filter(|document| is_in(**document)).count()
            }
            Self::Bits(own) => match also {
                // Bounded on one side only, so there is one set less to read.
                None if inner.count() == 0 => own.count_common(outer),
                Some(also) => outer.count_beyond(inner, &[own, also], 0..numbered(len)),
                None => outer.count_beyond(inner, &[own], 0..numbered(len)),
            },
        }
    }
}

/// The members of a set, in order.
pub(crate) enum Members<'a> {
    Range(Range<u32>),
    List(std::slice::Iter<'a, u32>),
    Bits(BitsIter<'a>),
}

impl Members<'_> {
    /// Takes as many of the next members as there is room for, and returns how many; 0 means that
    /// none are left. This is quicker than taking them one by one.
    pub(crate) fn take_into(&mut self, room: &mut [u32]) -> usize {
        match self {
            Self::Range(range) => {
                let count = range.len().min(room.len());
                let taken = range.start..range.start + numbered(count);
                range.start = taken.end;
                room.iter_mut().zip(taken).for_each(|(place, member)| *place = member);
                count
            }
            Self::List(list) => {
                let (taken, rest) = list.as_slice().split_at(list.len().min(room.len()));
                room[..taken.len()].copy_from_slice(taken);
                *list = rest.iter();
                taken.len()
            }
            Self::Bits(bits) => bits.take_into(room),
        }
    }
}

impl Iterator for Members<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Range(range) => range.next(),
            Self::List(list) => list.next().copied(),
            Self::Bits(bits) => bits.next(),
        }
    }
}

/// The union of two sorted lists.
fn merged(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(&&x), Some(&&y)) = (left.peek(), right.peek()) {
        merged.push(x.min(y));
        left.next_if(|document| **document <= y);
        right.next_if(|document| **document <= x);
    }
    merged.extend(left.chain(right));
    merged
}

/// What two ranges share.
pub(crate) fn overlap(a: &Range<u32>, b: &Range<u32>) -> Range<u32> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// The positions in `list` of its members within `range`.
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
    /// A little more than a word of a bitset.
    const ROOM: usize = 70;

    fn set() -> impl Strategy<Value = DocSet> {
        let document = 0..LEN as u32;
        prop_oneof![
            (document.clone(), document.clone())
                .prop_map(|(a, b)| DocSet::Range(a.min(b)..a.max(b))),
            proptest::collection::btree_set(document.clone(), 0..40)
                .prop_map(|set| DocSet::List(set.into_iter().collect())),
            proptest::collection::btree_set(document, 0..200)
                .prop_map(|set| { DocSet::Bits(Bits::of(set, LEN)) }),
        ]
    }

    fn members(set: &DocSet) -> BTreeSet<u32> {
        (0..LEN as u32).filter(|document| set.contains(*document)).collect()
    }

    proptest! {
        #[test]
        fn sets_of_every_form_behave_like_sets(a in set(), b in set(), from in 0..LEN as u32, to in 0..LEN as u32, before in 0_usize..50) {
            let (left, right) = (members(&a), members(&b));
            let all: BTreeSet<u32> = (0..LEN as u32).collect();
            prop_assert_eq!(members(&a.clone().and(b.clone(), LEN)), &left & &right);
            prop_assert_eq!(members(&a.clone().or(b.clone(), LEN)), &left | &right);
            prop_assert_eq!(members(&a.clone().and_not(b.clone(), LEN)), &left - &right);
            prop_assert_eq!(members(&a.clone().not(LEN)), &all - &left);
            prop_assert_eq!(a.count(), left.len());
            let bits = Bits::of(right.iter().copied(), LEN);
            prop_assert_eq!(a.count_common(&bits), left.intersection(&right).count());
            prop_assert_eq!(a.count_of(right.iter().copied()), left.intersection(&right).count());
            let inner = Bits::of(right.iter().copied().filter(|document| document % 3 == 0), LEN);
            let odd = Bits::of((1..LEN as u32).step_by(2), LEN);
            let common = left.intersection(&right).copied();
            let between: Vec<u32> = common.filter(|document| document % 3 != 0).collect();
            prop_assert_eq!(a.count_between(&inner, &bits, None, LEN), between.len());
            let between_odd = between.iter().filter(|document| *document % 2 == 1).count();
            prop_assert_eq!(a.count_between(&inner, &bits, Some(&odd), LEN), between_odd);
            let is_inside = |document: &u32| (from..to).contains(document);
            let inside: Vec<u32> = left.iter().copied().filter(is_inside).collect();
            prop_assert_eq!(a.count_in(from..to), inside.len());
            prop_assert_eq!(a.select_in(from..to, before), inside.get(before).copied());
            let (mut taken, mut room) = (Vec::new(), [0; ROOM]);
            let mut left = a.iter_in(from..to);
            loop {
                let count = left.take_into(&mut room);
                taken.extend_from_slice(&room[..count]);
                if count == 0 {
                    break;
                }
            }
            prop_assert_eq!(&taken, &inside);
            prop_assert_eq!(a.iter_in(from..to).collect::<Vec<_>>(), inside);
        }
    }
}
