//! Splits a row into its cells, strictly by RFC 4180.
//!
//! A quote must be at both ends of a cell or doubled inside it, or the row is damaged.

use memchr::{memchr2, memchr3};

use super::fields::Cell;

/// The most bytes of a row.
pub(crate) const MAX_ROW: usize = 1 << 20;
/// The most physical lines of a row.
pub(super) const MAX_LINES: usize = 64;

/// Keeps those cells of a one-line row that the row at the start of `bytes` has too. Most rows
/// begin with the facility of the row before, which need not be split again.
pub(super) fn keep_shared(cells: &mut Vec<Cell>, row: &[u8], bytes: &[u8]) {
    let (of_row, _) = row.as_chunks::<8>();
    let (of_bytes, _) = bytes.as_chunks::<8>();
    let same = of_row.iter().zip(of_bytes).take_while(|(a, b)| a == b).count() * 8;
    // After a cell come its quote, if it has one, and a delimiter.
    cells.truncate(cells.partition_point(|cell| cell.end + 2 <= same));
}

/// The result of splitting the beginning of some bytes.
pub(super) enum Split {
    /// A row of `len` bytes, of which `content` come before its line break.
    Row { content: usize, len: usize, lines: usize },
    /// The bytes end before the row does.
    Open,
    /// A misplaced quote, or a row that is too long.
    Damaged,
}

/// Splits the row at the start of `bytes`; `cells` may already hold its first cells. `is_whole` is
/// as in [`super::CsvRows`].
pub(super) fn split(bytes: &[u8], delimiter: u8, is_whole: bool, cells: &mut Vec<Cell>) -> Split {
    let position = cells.last().map(|cell| cell.end + usize::from(cell.is_quoted(bytes)) + 1);
    let (mut position, mut lines) = (position.unwrap_or(0), 1);
    loop {
        let cell = match bytes.get(position) {
            Some(b'"') => quoted(bytes, position, &mut lines),
            _ => unquoted(bytes, position, delimiter),
        };
        let (cell, after) = match cell {
            Ok(found) => found,
            Err(_) if bytes.len() > MAX_ROW => return Split::Damaged,
            Err(Stop::Stray) => return Split::Damaged,
            Err(Stop::End) if is_whole => return Split::Damaged,
            Err(Stop::End) => return Split::Open,
        };
        cells.push(cell);
        let row = |len| Split::Row { content: after, len, lines };
        if lines > MAX_LINES || after > MAX_ROW {
            return Split::Damaged;
        }
        match (bytes.get(after), bytes.get(after + 1)) {
            (Some(byte), _) if *byte == delimiter => position = after + 1,
            (Some(b'\n'), _) => return row(after + 1),
            (Some(b'\r'), Some(b'\n')) => return row(after + 2),
            (Some(b'\r'), None) if is_whole => return row(after + 1),
            (None, _) if is_whole => return row(after),
            (None, _) | (Some(b'\r'), None) => return Split::Open,
            (Some(_), _) => return Split::Damaged,
        }
    }
}

/// Why a cell has no end.
enum Stop {
    /// A quote where none is allowed.
    Stray,
    /// The bytes end.
    End,
}

/// The cell that begins at `start` and has no quotes, and where it ends.
fn unquoted(bytes: &[u8], start: usize, delimiter: u8) -> Result<(Cell, usize), Stop> {
    let rest = &bytes[start..];
    let len = memchr3(delimiter, b'\n', b'"', rest).unwrap_or(rest.len());
    let mut end = start + len;
    match bytes.get(end) {
        Some(b'"') => return Err(Stop::Stray),
        // The line break may be of two characters.
        Some(b'\n') | None if rest[..len].ends_with(b"\r") => end -= 1,
        _ => {}
    }
    Ok((Cell { start, end, has_doubled_quotes: false }, end))
}

/// The cell whose opening quote is at `open`, and where it ends; counts the lines it takes.
fn quoted(bytes: &[u8], open: usize, lines: &mut usize) -> Result<(Cell, usize), Stop> {
    let mut has_doubled_quotes = false;
    let mut position = open + 1;
    loop {
        let rest = &bytes[position..];
        position += memchr2(b'"', b'\n', rest).ok_or(Stop::End)?;
        if bytes[position] == b'\n' {
            *lines += 1;
            position += 1;
            if *lines > MAX_LINES || position > MAX_ROW {
                return Err(Stop::Stray);
            }
        } else if bytes.get(position + 1) == Some(&b'"') {
            has_doubled_quotes = true;
            position += 2;
        } else {
            let cell = Cell { start: open + 1, end: position, has_doubled_quotes };
            return Ok((cell, position + 1));
        }
    }
}
