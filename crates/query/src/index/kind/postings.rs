//! Lists of numbers, one after the other: the documents of each dimension, and the dimensions
//! of each text.

use std::iter;
use std::ops::Range;

use crate::index::codec::{Encoder, FileDecoder};
use crate::index::numbers::{Number, Numbers, NumbersMut};

/// A sorted list of numbers for each number.
#[derive(Debug, Default)]
pub struct Postings {
    starts: Numbers<u32>,
    numbers: Numbers<u32>,
}

/// Which of `width` things each document has.
pub(super) struct PostingsColumn<'a> {
    pub(super) values: &'a [u32],
    pub(super) width: usize,
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
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// For each document what it has for the one of `dimensions` that it has, by their places
    /// among them; `None` unless every document has exactly one.
    pub(super) fn column<T: Number + Copy + PartialEq>(
        &self,
        dimensions: Range<usize>,
        len: usize,
        none: T,
        of: impl Fn(usize) -> T,
    ) -> Option<Numbers<T>> {
        let mut filling = Numbers::zeroed(len);
        let column = &mut *filling;
        column.fill(none);
        let mut filled = 0;
        for (place, dimension) in dimensions.enumerate() {
            let (documents, value) = (self.of(dimension as u32), of(place));
            for document in documents {
                *column.get_mut(*document as usize)? = value;
            }
            filled += documents.len();
        }
        (filled == len && !column.contains(&none)).then(|| filling.shared())
    }

    /// The documents of each value of `columns`, column after column, then those of each block.
    ///
    /// The values of a column are below its width.
    pub(super) fn invert(
        columns: &[PostingsColumn<'_>],
        blocks: impl Iterator<Item = Range<u32>>,
    ) -> Self {
        let (mut starts, mut numbers) = (vec![0], Vec::new());
        for PostingsColumn { values, width } in columns {
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
        Self { starts: Numbers::copied(&starts), numbers: Numbers::copied(&numbers) }
    }

    pub(super) fn of_lists(lists: &[Vec<u32>]) -> Self {
        let ends = lists.iter().scan(0, |end, list| {
            *end += list.len() as u32;
            Some(*end)
        });
        let starts: Vec<u32> = iter::once(0).chain(ends).collect();
        Self { starts: Numbers::copied(&starts), numbers: Numbers::copied(&lists.concat()) }
    }

    pub(super) fn encode(&self, encoder: &mut Encoder) {
        encoder.u32s(&self.starts);
        encoder.u32s(&self.numbers);
    }

    /// Reads lists of numbers below `bound`.
    pub(super) fn decode(decoder: &mut FileDecoder<'_>, bound: usize) -> Option<Self> {
        let postings = Self { starts: decoder.u32s()?, numbers: decoder.u32s()? };
        let is_whole = postings.starts.first() == Some(&0)
            && postings.starts.is_sorted()
            && postings.starts.last().copied() == u32::try_from(postings.numbers.len()).ok()
            && postings.numbers.iter().all(|number| (*number as usize) < bound);
        is_whole.then_some(postings)
    }
}

/// Lists that are still being added to.
pub(super) struct PostingsMut {
    starts: Vec<u32>,
    numbers: NumbersMut<u32>,
    end: usize,
}

impl PostingsMut {
    /// Room for lists of that many numbers together.
    pub(super) fn with_room(numbers: usize) -> Self {
        Self { starts: vec![0], numbers: Numbers::zeroed(numbers), end: 0 }
    }

    /// Gives the numbers below `len` that have no list their empty ones.
    pub(super) fn resize(&mut self, len: usize) {
        self.starts.resize(self.starts.len().max(len + 1), self.end as u32);
    }

    /// Adds to the list that is not ended; `None` where there is no room.
    pub(super) fn extend(&mut self, numbers: &[u32]) -> Option<()> {
        let end = self.end + numbers.len();
        self.numbers.get_mut(self.end..end)?.copy_from_slice(numbers);
        self.end = end;
        Some(())
    }

    /// Adds neighbours to the list that is not ended; `None` where there is no room.
    pub(super) fn extend_range(&mut self, numbers: Range<u32>) -> Option<()> {
        let end = self.end + numbers.len();
        let room = self.numbers.get_mut(self.end..end)?;
        room.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
        self.end = end;
        Some(())
    }

    /// Ends a list; the next one begins.
    pub(super) fn end_list(&mut self) {
        self.starts.push(self.end as u32);
    }

    /// The lists; `None` when there is room left.
    pub(super) fn finish(self) -> Option<Postings> {
        let starts = Numbers::copied(&self.starts);
        (self.end == self.numbers.len())
            .then(|| Postings { starts, numbers: self.numbers.shared() })
    }
}
