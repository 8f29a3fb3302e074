//! The cells of a row, where they stand in the file.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The cells of a row.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) cells: Vec<Cell>,
}

/// Where a cell stands in its row, its quotes left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) has_doubled_quotes: bool,
}

impl Cell {
    /// Whether the cell has quotes in the row that `bytes` begin with.
    pub(super) fn is_quoted(&self, bytes: &[u8]) -> bool {
        self.start.checked_sub(1).is_some_and(|place| bytes[place] == b'"')
    }
}

impl<'a> Fields<'a> {
    pub(crate) const fn len(&self) -> usize {
        self.cells.len()
    }

    /// The whole row as it stands in the file.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of the row from one cell to a later one, their quotes included, so that two rows of
    /// which these are the same have the same cells there; empty without such cells.
    pub(crate) fn span(&self, cells: RangeInclusive<usize>) -> &'a [u8] {
        let ends = (self.cells.get(*cells.start()), self.cells.get(*cells.end()));
        let (Some(first), Some(last)) = ends else {
            return &[];
        };
        let start = first.start - usize::from(first.is_quoted(self.bytes));
        &self.bytes[start..self.bytes.len().min(last.end + 1)]
    }

    /// The bytes of a cell, doubled quotes made single.
    pub(crate) fn get(&self, index: usize) -> Cow<'a, [u8]> {
        let Some(cell) = self.cells.get(index) else {
            return Cow::Borrowed(&[]);
        };
        let bytes = &self.bytes[cell.start..cell.end];
        if !cell.has_doubled_quotes {
            return Cow::Borrowed(bytes);
        }
        let mut single = Vec::with_capacity(bytes.len());
        let mut is_second = false;
        for byte in bytes {
            is_second = *byte == b'"' && !is_second;
            if *byte != b'"' || is_second {
                single.push(*byte);
            }
        }
        Cow::Owned(single)
    }
}
