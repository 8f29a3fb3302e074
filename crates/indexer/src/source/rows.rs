//! Rows of a block, strictly after RFC 4180, and back in step after damage.
//!
//! A lenient reader swallows the rest of a file after one stray quote. Here a quote stands at both
//! ends of a cell or doubled inside it, or the row is rejected; a row that reaches over several
//! lines is believed only if it then has the fields of the header and swallows no line that is a
//! row by itself. So the damage of a line stays with that line.

use std::borrow::Cow;

use crate::reject::Reason;

/// The most bytes of a row.
pub(crate) const MAX_ROW: usize = 1 << 20;
/// The most physical lines of a row.
const MAX_LINES: usize = 64;

/// A row: its fields, or why it has none.
pub(crate) struct Row<'a> {
    /// The physical line that it begins at.
    pub(crate) line: u64,
    pub(crate) fields: Result<Fields<'a>, Reason>,
}

/// The cells of a row.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    /// Where the cells stand, their quotes left out.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    start: usize,
    end: usize,
    has_doubled_quotes: bool,
}

impl<'a> Fields<'a> {
    pub(crate) const fn len(&self) -> usize {
        self.cells.len()
    }

    /// The whole row as it stands in the file.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
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

    /// Splits one row, without the line break at its end.
    fn split(bytes: &'a [u8], delimiter: u8, cells: Vec<Cell>) -> Option<Self> {
        let mut cells = cells;
        cells.clear();
        let mut position = 0;
        loop {
            let cell = if bytes.get(position) == Some(&b'"') {
                quoted(bytes, position)?
            } else {
                let rest = &bytes[position..];
                let len = rest.iter().position(|byte| *byte == delimiter).unwrap_or(rest.len());
                let end = position + len;
                if rest[..len].contains(&b'"') {
                    return None;
                }
                Cell { start: position, end, has_doubled_quotes: false }
            };
            let after = if bytes.get(position) == Some(&b'"') { cell.end + 1 } else { cell.end };
            cells.push(cell);
            match bytes.get(after) {
                None => return Some(Self { bytes, cells }),
                Some(byte) if *byte == delimiter => position = after + 1,
                Some(_) => return None,
            }
        }
    }
}

/// The cell whose opening quote stands at `open`.
fn quoted(bytes: &[u8], open: usize) -> Option<Cell> {
    let mut has_doubled_quotes = false;
    let mut position = open + 1;
    loop {
        position += bytes[position..].iter().position(|byte| *byte == b'"')?;
        if bytes.get(position + 1) != Some(&b'"') {
            return Some(Cell { start: open + 1, end: position, has_doubled_quotes });
        }
        has_doubled_quotes = true;
        position += 2;
    }
}

/// The rows of a block.
pub(crate) struct Rows<'a> {
    rest: &'a [u8],
    line: u64,
    delimiter: u8,
    /// How many fields a row has; `None` while the header is being read.
    width: Option<usize>,
    /// Whether the file ends where the bytes do, so that what is open there stays open.
    is_whole: bool,
    spare: Vec<Cell>,
}

impl<'a> Rows<'a> {
    pub(crate) const fn new(
        bytes: &'a [u8],
        line: u64,
        delimiter: u8,
        width: Option<usize>,
        is_whole: bool,
    ) -> Self {
        Self { rest: bytes, line, delimiter, width, is_whole, spare: Vec::new() }
    }

    /// What was not yet read, and the number of its first line; at the end, the beginning of a row
    /// that goes on past the bytes.
    pub(crate) const fn rest(&self) -> (&'a [u8], u64) {
        (self.rest, self.line)
    }

    /// Gives the memory of a row's cells back for the next one.
    pub(crate) fn recycle(&mut self, fields: Fields<'a>) {
        self.spare = fields.cells;
    }

    fn consume(&mut self, len: usize, lines: usize) {
        self.rest = &self.rest[len..];
        self.line += lines as u64;
    }

    /// The row that begins here and takes `len` bytes.
    fn try_row(&mut self, len: usize) -> Result<Fields<'a>, Reason> {
        let bytes = without_line_break(&self.rest[..len]);
        let fields = Fields::split(bytes, self.delimiter, std::mem::take(&mut self.spare));
        let fields = fields.ok_or(Reason::StrayQuote)?;
        if bytes.contains(&0) {
            return Err(Reason::ControlCharacter);
        }
        match self.width {
            Some(width) if fields.len() != width => Err(Reason::WrongFieldCount),
            _ => Ok(fields),
        }
    }

    /// Whether a line of the row after its first is a row by itself: then a quote of an earlier
    /// line was stray, and another closed it by chance.
    fn swallows_a_row(&self, first: usize, len: usize) -> bool {
        let mut lines = self.rest[first..len].split_inclusive(|byte| *byte == b'\n');
        lines.any(|line| {
            let alone = Fields::split(without_line_break(line), self.delimiter, Vec::new());
            alone.is_some_and(|fields| Some(fields.len()) == self.width)
        })
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        // Blank lines are no rows.
        let mut first = line_end(self.rest)?;
        while without_line_break(&self.rest[..first]).is_empty() {
            self.consume(first, 1);
            first = line_end(self.rest)?;
        }
        let line = self.line;
        let (mut len, mut lines, mut quotes) = (0, 0, 0);
        loop {
            let Some(next) = line_end(&self.rest[len..]) else {
                if self.is_whole {
                    break;
                }
                return None;
            };
            let bytes = &self.rest[len..len + next];
            quotes += bytes.iter().filter(|byte| **byte == b'"').count();
            len += next;
            lines += 1;
            if len > MAX_ROW || lines > MAX_LINES {
                break;
            }
            if quotes % 2 == 1 {
                continue;
            }
            let fields = self.try_row(len);
            if lines == 1 || (fields.is_ok() && !self.swallows_a_row(first, len)) {
                self.consume(len, lines);
                return Some(Row { line, fields });
            }
            break;
        }
        // The quotes of the first line close nowhere that makes sense: only that line is lost.
        self.consume(first, 1);
        let reason = if first > MAX_ROW { Reason::RowTooLong } else { Reason::StrayQuote };
        Some(Row { line, fields: Err(reason) })
    }
}

/// The length of the first line with its line break; `None` at the end.
fn line_end(bytes: &[u8]) -> Option<usize> {
    if bytes.is_empty() {
        return None;
    }
    Some(bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |place| place + 1))
}

fn without_line_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as `line:cell|cell` or `line!reason`.
    fn rows(text: &str) -> String {
        let shown =
            Rows::new(text.as_bytes(), 2, b',', Some(2), true).map(|row| match row.fields {
                Ok(fields) => {
                    let cells = (0..fields.len())
                        .map(|it| String::from_utf8_lossy(&fields.get(it)).into_owned());
                    format!("{}:{}", row.line, cells.collect::<Vec<_>>().join("|"))
                }
                Err(reason) => format!("{}!{}", row.line, reason.code()),
            });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rows_are_split_strictly_and_damage_stays_local() {
        for (text, expected) in [
            ("a,b\nc,d", "2:a|b 3:c|d"),
            ("a,b\r\n\r\n\nc,d\r\n", "2:a|b 5:c|d"),
            ("\"a,1\",\"b \"\"x\"\"\"\n", "2:a,1|b \"x\""),
            ("\"\"\"\",\"\"\n", "2:\"|"),
            ("a,\"b\nc\"\r\nd,e\n", "2:a|b\nc 4:d|e"),
            (",\n", "2:|"),
            ("a\nb,c\nd,e,f\n", "2!wrong-field-count 3:b|c 4!wrong-field-count"),
            ("a,\"b\nc,d\ne,f\n", "2!stray-quote 3:c|d 4:e|f"),
            ("a,b\"c\nd,e\n", "2!stray-quote 3:d|e"),
            ("a,\"b\"c\nd,e\n", "2!stray-quote 3:d|e"),
            ("a,\"b\nc,\"d\ne,f\n", "2!stray-quote 3!stray-quote 4:e|f"),
            ("a,\"b\"x\"\"\nc,d\n", "2!stray-quote 3:c|d"),
            ("a,\"b\nc,d\ne\"\n", "2!stray-quote 3:c|d 4!stray-quote"),
            ("a,b\0\nc,d\n", "2!control-character 3:c|d"),
        ] {
            assert_eq!(rows(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_row_that_goes_on_past_the_bytes_is_left() {
        for (text, rest) in [("a,b\nc,\"d\n", "c,\"d\n"), ("a,b\n", ""), ("\"\n\n", "\"\n\n")] {
            let mut rows = Rows::new(text.as_bytes(), 2, b',', Some(2), false);
            let read = rows.by_ref().count();
            assert_eq!(rows.rest().0, rest.as_bytes(), "{text:?}");
            assert_eq!(rows.rest().1, 2 + read as u64);
        }
    }

    #[test]
    fn a_giant_cell_is_one_rejected_row() {
        let giant = format!("a,\"{}\nb,c\n", "x".repeat(MAX_ROW));
        assert_eq!(rows(&giant), "2!row-too-long 3:b|c");
        let endless = format!("a,\"b\n{}", "c,d\n".repeat(MAX_LINES));
        assert!(rows(&endless).starts_with("2!stray-quote 3:c|d 4:c|d"));
    }
}
