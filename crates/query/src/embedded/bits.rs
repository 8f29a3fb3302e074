//! A set of documents as one bit each.
//!
//! A bitset of a million documents is 125 KB: an intersection costs some microseconds, whatever is
//! in it. A clone shares its words until either is changed, so that a set that was made when the
//! index was opened is an answer without a copy.

use std::ops::Range;
use std::sync::Arc;

/// One bit for each document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Arc<Vec<u64>>,
}

impl Bits {
    /// The empty set of documents below `len`.
    pub(crate) fn none(len: usize) -> Self {
        Self { words: Arc::new(vec![0; len.div_ceil(64)]) }
    }

    pub(crate) fn of(documents: impl IntoIterator<Item = u32>, len: usize) -> Self {
        let mut bits = Self::none(len);
        bits.insert(documents);
        bits
    }

    pub(crate) fn range(range: Range<u32>, len: usize) -> Self {
        let mut bits = Self::none(len);
        bits.insert_range(range);
        bits
    }

    pub(crate) fn insert(&mut self, documents: impl IntoIterator<Item = u32>) {
        let words = Arc::make_mut(&mut self.words);
        for document in documents {
            words[document as usize / 64] |= 1 << (document % 64);
        }
    }

    pub(crate) fn remove(&mut self, documents: impl IntoIterator<Item = u32>) {
        let words = Arc::make_mut(&mut self.words);
        for document in documents {
            words[document as usize / 64] &= !(1 << (document % 64));
        }
    }

    pub(crate) fn insert_range(&mut self, range: Range<u32>) {
        let words = Arc::make_mut(&mut self.words);
        masks(range).for_each(|(place, mask)| words[place] |= mask);
    }

    pub(crate) fn remove_range(&mut self, range: Range<u32>) {
        let words = Arc::make_mut(&mut self.words);
        masks(range).for_each(|(place, mask)| words[place] &= !mask);
    }

    /// The members in `range` alone.
    pub(crate) fn within(&self, range: Range<u32>) -> Self {
        let mut words = vec![0; self.words.len()];
        masks(range).for_each(|(place, mask)| words[place] = self.words[place] & mask);
        Self { words: Arc::new(words) }
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        self.zipped(other, |a, b| a & b)
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        self.zipped(other, |a, b| a | b)
    }

    pub(crate) fn and_not(&self, other: &Self) -> Self {
        self.zipped(other, |a, b| a & !b)
    }

    fn zipped(&self, other: &Self, word: impl Fn(u64, u64) -> u64) -> Self {
        let words = self.words.iter().zip(other.words.iter()).map(|(a, b)| word(*a, *b));
        Self { words: Arc::new(words.collect()) }
    }

    pub(crate) fn contains(&self, document: u32) -> bool {
        self.words[document as usize / 64] & 1 << (document % 64) != 0
    }

    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn count_in(&self, range: Range<u32>) -> usize {
        masks(range).map(|(place, mask)| (self.words[place] & mask).count_ones() as usize).sum()
    }

    /// How many members both sets have.
    pub(crate) fn count_common(&self, other: &Self) -> usize {
        let common = self.words.iter().zip(other.words.iter()).map(|(a, b)| (a & b).count_ones());
        common.map(|count| count as usize).sum()
    }

    pub(crate) fn iter_in(&self, range: Range<u32>) -> impl Iterator<Item = u32> {
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
    pub(crate) fn select_in(&self, range: Range<u32>, mut before: usize) -> Option<u32> {
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
