//! Lists of numbers, one after the other: the documents of each description, and the descriptions
//! of each text.

use std::ops::Range;

use crate::codec::{Decoder, Encoder};

/// A sorted list of numbers for each number.
#[derive(Debug)]
pub struct Postings {
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

/// Which of `width` things each document has.
pub(super) struct Column<'a> {
    pub(super) values: &'a [u32],
    pub(super) width: usize,
}

impl Default for Postings {
    /// No list at all.
    fn default() -> Self {
        Self { starts: vec![0], numbers: Vec::new() }
    }
}

impl Postings {
    /// The list of that number, in increasing order.
    ///
    /// # Panics
    /// When there is no such list.
    #[must_use]
    pub fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.numbers[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// How many lists there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives the numbers below `len` that have no list their empty ones.
    pub(super) fn resize(&mut self, len: usize) {
        while self.len() < len {
            self.starts.push(self.numbers.len() as u32);
        }
    }

    /// Adds a list.
    pub(super) fn push(&mut self, numbers: impl Iterator<Item = u32>) {
        self.numbers.extend(numbers);
        self.starts.push(self.numbers.len() as u32);
    }

    /// For each document, which of `descriptions` it has; `None` unless it has exactly one.
    pub(super) fn column(&self, descriptions: Range<usize>, len: usize) -> Option<Vec<u32>> {
        let mut column = vec![u32::MAX; len];
        let mut filled = 0;
        for (place, description) in descriptions.enumerate() {
            for document in self.of(description as u32) {
                *column.get_mut(*document as usize)? = place as u32;
                filled += 1;
            }
        }
        (filled == len && !column.contains(&u32::MAX)).then_some(column)
    }

    /// The documents of each value of `columns`, column after column, then those of each block.
    ///
    /// The values of a column are below its width.
    pub(super) fn invert(columns: &[Column<'_>], blocks: impl Iterator<Item = Range<u32>>) -> Self {
        let Self { mut starts, mut numbers } = Self::default();
        for Column { values, width } in columns {
            let base = numbers.len() as u32;
            let mut next = vec![0; width + 1];
            values.iter().for_each(|value| next[*value as usize + 1] += 1);
            next[0] = base;
            for place in 1..=*width {
                next[place] += next[place - 1];
            }
            starts.extend_from_slice(&next[1..]);
            numbers.resize(numbers.len() + values.len(), 0);
            for (document, value) in values.iter().enumerate() {
                let place = &mut next[*value as usize];
                numbers[*place as usize] = document as u32;
                *place += 1;
            }
        }
        for block in blocks {
            numbers.extend(block);
            starts.push(numbers.len() as u32);
        }
        Self { starts, numbers }
    }

    pub(super) fn of_lists(lists: &[Vec<u32>]) -> Self {
        let mut postings = Self::default();
        lists.iter().for_each(|list| postings.push(list.iter().copied()));
        postings
    }

    pub(super) fn encode(&self, encoder: &mut Encoder) {
        encoder.u32s(&self.starts);
        encoder.u32s(&self.numbers);
    }

    /// Reads lists of numbers below `bound`.
    pub(super) fn decode(decoder: &mut Decoder<'_>, bound: usize) -> Option<Self> {
        let postings = Self { starts: decoder.u32s()?, numbers: decoder.u32s()? };
        let is_whole = postings.starts.first() == Some(&0)
            && postings.starts.is_sorted()
            && postings.starts.last().copied() == u32::try_from(postings.numbers.len()).ok()
            && postings.numbers.iter().all(|number| (*number as usize) < bound);
        is_whole.then_some(postings)
    }
}
