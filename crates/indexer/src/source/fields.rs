//! The cells of a row, as places in its bytes.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The cells of a row.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) cells: Vec<Cell>,
}

/// The place of a cell in its row, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) has_doubled_quotes: bool,
}

impl Cell {
    /// Whether the cell has quotes in the row at the start of `bytes`.
    pub(super) fn is_quoted(&self, bytes: &[u8]) -> bool {
        self.start.checked_sub(1).is_some_and(|place| bytes[place] == b'"')
    }
}

impl<'a> Fields<'a> {
    pub(crate) const fn len(&self) -> usize {
        self.cells.len()
    }

    /// The whole row as the file has it.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of the row from one cell to a later one, quotes included; rows with equal bytes
    /// have equal cells there. Empty if the row has no such cells.
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
