//! Lists of numbers, one after the other: the documents of each dimension, and the dimensions
//! of each text.

use std::iter;
use std::ops::Range;

use crate::index::bytes::{Encoder, FileDecoder, Numbers, NumbersMut, numbered};

/// A sorted list of numbers for each number.
#[derive(Debug, Default)]
pub struct Postings {
    starts: Numbers<u32>,
    numbers: Numbers<u32>,
}

impl Postings {
    /// The list of that number, in increasing order.
    ///
    /// # Panics
    /// If there is no such list.
    #[must_use]
    pub fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.numbers[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The documents of each site, substance, set of media and year, in this order. Each column has
    /// the value of every document and the number of values; `None` if a value is not below that
    /// number.
    pub(super) fn of_columns(
        sites: (&[u32], usize),
        substances: (&[u16], usize),
        media: (&[u32], usize),
        years: impl Iterator<Item = Range<u32>>,
    ) -> Option<Self> {
        let documents = sites.0.len();
        Inversion::with_room(2 * documents + substances.0.len() + media.0.len())
            .column(sites)?
            .column(substances)?
            .column(media)?
            .ranges(years)
    }

    pub(super) fn of_lists(lists: &[Vec<u32>]) -> Self {
        let ends = lists.iter().scan(0, |end, list| {
            *end += numbered(list.len());
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

/// Lists that are made of columns: the documents that have each value.
struct Inversion {
    starts: Vec<u32>,
    numbers: NumbersMut<u32>,
    end: usize,
}

impl Inversion {
    /// Makes room for lists of that many numbers together.
    fn with_room(numbers: usize) -> Self {
        Self { starts: vec![0], numbers: Numbers::zeroed(numbers), end: 0 }
    }

    /// Adds a list for each number below `width`: the documents whose value it is. `None` if a
    /// value is not below `width`, or if there is no room.
    fn column<T: Copy + Into<u32>>(mut self, (values, width): (&[T], usize)) -> Option<Self> {
        let mut next = vec![0; width + 1];
        for value in values {
            let value: u32 = (*value).into();
            *next.get_mut(value as usize + 1)? += 1;
        }
        next[0] = numbered(self.end);
        for place in 1..=width {
            next[place] += next[place - 1];
        }
        self.starts.extend_from_slice(&next[1..]);
        self.end += values.len();
        let numbers = self.numbers.get_mut(..self.end)?;
        for (document, value) in values.iter().enumerate() {
            let value: u32 = (*value).into();
            let place = &mut next[value as usize];
            numbers[*place as usize] = numbered(document);
            *place += 1;
        }
        Some(self)
    }

    /// Adds the lists of all other numbers, each a range; `None` unless that fills the room.
    fn ranges(mut self, ranges: impl Iterator<Item = Range<u32>>) -> Option<Postings> {
        for range in ranges {
            let end = self.end + range.len();
            let room = self.numbers.get_mut(self.end..end)?;
            room.iter_mut().zip(range).for_each(|(place, number)| *place = number);
            self.end = end;
            self.starts.push(numbered(end));
        }
        let starts = Numbers::copied(&self.starts);
        (self.end == self.numbers.len())
            .then(|| Postings { starts, numbers: self.numbers.shared() })
    }
}
