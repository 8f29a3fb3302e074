//! Sets of documents of one kind: a few in a list, many in a bitset.
//!
//! Below a document in 64 a list is cheaper than a bitset.

use std::ops::Range;

use super::bits::Bits;

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

/// From this share of all documents on, a bitset costs less than a list.
pub(crate) const DENSE_SHARE: usize = 64;

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
        lists.for_each(|list| bits.insert(list.iter().copied()));
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

    pub(crate) fn or(self, other: Self, len: usize) -> Self {
        match (self, other) {
            (Self::List(none), other) | (other, Self::List(none)) if none.is_empty() => other,
            (Self::List(a), Self::List(b)) => {
                Self::union_of([a.as_slice(), b.as_slice()].into_iter(), len)
            }
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
            (Self::Range(range), other) | (other, Self::Range(range)) => {
                other.or(Self::Bits(Bits::range(range, len)), len)
            }
        }
    }

    /// Everything below `len` that is not in the set.
    pub(crate) fn not(self, len: usize) -> Self {
        let mut all = Bits::range(0..len as u32, len);
        match self {
            Self::Range(range) => all.remove_range(range),
            Self::List(list) => all.remove(list),
            Self::Bits(bits) => return Self::Bits(all.and_not(&bits)),
        }
        Self::Bits(all)
    }

    /// How many members are in `bits` too.
    pub(crate) fn count_common(&self, bits: &Bits) -> usize {
        match self {
            Self::Range(range) => bits.count_in(range.clone()),
            Self::List(list) => list.iter().filter(|document| bits.contains(**document)).count(),
            Self::Bits(own) => own.count_common(bits),
        }
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
            proptest::collection::btree_set(document, 0..200)
                .prop_map(|set| { RowSet::Bits(Bits::of(set, LEN)) }),
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
            let bits = Bits::of(right.iter().copied(), LEN);
            prop_assert_eq!(a.count_common(&bits), left.intersection(&right).count());
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
