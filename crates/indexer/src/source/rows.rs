//! Reads the rows of a block strictly by RFC 4180, and recovers after damage.
//!
//! A lenient reader swallows the rest of a file after one stray quote. Here a quote must be at both
//! ends of a cell or doubled inside it, or the row is rejected. A row of several lines is accepted
//! only if it has as many fields as the header and swallows no line that is a row by itself. Damage
//! to a line therefore stays with that line.

use memchr::memchr;

use super::fields::{Cell, Fields};
use super::split::{MAX_ROW, Split, keep_shared, split};
use crate::reject::Reason;

/// A row: its fields, or why it has none.
pub(crate) struct Row<'a> {
    /// The physical line that it begins at.
    pub(crate) line: u64,
    pub(crate) fields: Result<Fields<'a>, Reason>,
}

/// The rows of a block.
pub(crate) struct CsvRows<'a> {
    rest: &'a [u8],
    line: u64,
    delimiter: u8,
    /// How many fields a row has; `None` while the header is being read.
    width: Option<usize>,
    /// Whether the file ends with these bytes, so that a cell left open at the end is damage.
    is_whole: bool,
    has_nul: bool,
    /// The last row, if it is of one line, and its cells.
    last: (&'a [u8], Vec<Cell>),
}

impl<'a> CsvRows<'a> {
    pub(crate) fn new(
        bytes: &'a [u8],
        line: u64,
        delimiter: u8,
        width: Option<usize>,
        is_whole: bool,
    ) -> Self {
        Self {
            rest: bytes,
            line,
            delimiter,
            width,
            is_whole,
            has_nul: bytes.contains(&0),
            last: (&[], Vec::new()),
        }
    }

    /// The unread bytes, and the number of their first line; at the end, the beginning of a row
    /// that continues past the bytes.
    pub(crate) const fn rest(&self) -> (&'a [u8], u64) {
        (self.rest, self.line)
    }

    /// Takes back a row's cells, for reuse by the next one.
    pub(crate) fn recycle(&mut self, fields: Fields<'a>) {
        let is_one_line = memchr(b'\n', fields.bytes).is_none();
        self.last = (if is_one_line { fields.bytes } else { &[] }, fields.cells);
    }

    fn consume(&mut self, len: usize, lines: usize) {
        self.rest = &self.rest[len..];
        self.line += lines as u64;
    }

    fn skip_blank_lines(&mut self) {
        loop {
            match self.rest {
                [b'\n', ..] => self.consume(1, 1),
                [b'\r', b'\n', ..] => self.consume(2, 1),
                [b'\r'] if self.is_whole => self.consume(1, 1),
                _ => return,
            }
        }
    }

    /// Whether a line of the row after its first is a row by itself: then a quote of an earlier
    /// line was stray, and another closed it by chance.
    fn swallows_a_row(&self, len: usize) -> bool {
        let mut cells = Vec::new();
        let lines = self.rest[..len].split_inclusive(|byte| *byte == b'\n').skip(1);
        lines.into_iter().any(|line| {
            cells.clear();
            let alone = split(line, self.delimiter, true, &mut cells);
            matches!(alone, Split::Row { .. }) && Some(cells.len()) == self.width
        })
    }

    fn fault_of(&self, fields: &Fields<'_>) -> Option<Reason> {
        if self.has_nul && fields.bytes.contains(&0) {
            return Some(Reason::ControlCharacter);
        }
        let is_other = self.width.is_some_and(|width| fields.len() != width);
        is_other.then_some(Reason::WrongFieldCount)
    }
}

impl<'a> Iterator for CsvRows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        self.skip_blank_lines();
        if self.rest.is_empty() {
            return None;
        }
        let (bytes, line) = (self.rest, self.line);
        let (last, mut cells) = std::mem::take(&mut self.last);
        keep_shared(&mut cells, last, bytes);
        match split(bytes, self.delimiter, self.is_whole, &mut cells) {
            Split::Open => return None,
            Split::Row { content, len, lines } => {
                let fields = Fields { bytes: &bytes[..content], cells };
                let fault = self.fault_of(&fields);
                if lines == 1 || (fault.is_none() && !self.swallows_a_row(len)) {
                    self.consume(len, lines);
                    return Some(Row { line, fields: fault.map_or(Ok(fields), Err) });
                }
            }
            Split::Damaged => {}
        }
        // The quotes of the first line are not closed at any sensible place: only that line is
        // lost.
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let first = end.map_or(bytes.len(), |place| place + 1);
        self.consume(first, 1);
        let reason = if first > MAX_ROW { Reason::RowTooLong } else { Reason::StrayQuote };
        Some(Row { line, fields: Err(reason) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::source::split::MAX_LINES;
    use crate::source::{Block, Blocks};

    /// A row as `line:cell|cell` or `line!reason`.
    fn shown(row: &Row<'_>) -> String {
        match &row.fields {
            Ok(fields) => {
                let cells = (0..fields.len())
                    .map(|place| String::from_utf8_lossy(&fields.get(place)).into_owned());
                format!("{}:{}", row.line, cells.collect::<Vec<_>>().join("|"))
            }
            Err(reason) => format!("{}!{}", row.line, reason.code()),
        }
    }

    fn rows(text: &str) -> String {
        let rows = CsvRows::new(text.as_bytes(), 2, b',', Some(2), true);
        rows.map(|row| shown(&row)).collect::<Vec<_>>().join(" ")
    }

    /// The rows of a file of five columns that is cut into blocks.
    fn rows_of_blocks(text: &[u8], target: usize) -> Vec<String> {
        let mut blocks = Blocks::with_target(text, target);
        let (mut found, mut open) = (Vec::new(), Block { bytes: Vec::new(), first_line: 1 });
        loop {
            let next = blocks.next().unwrap();
            let is_last = next.is_none();
            open.bytes.extend(next.into_iter().flat_map(|block| block.bytes));
            let mut rows = CsvRows::new(&open.bytes, open.first_line, b',', Some(5), is_last);
            found.extend(rows.by_ref().map(|row| shown(&row)));
            let (rest, first_line) = rows.rest();
            open = Block { bytes: rest.to_vec(), first_line };
            if is_last {
                return found;
            }
        }
    }

    fn table_of(cell: &'static str) -> impl Strategy<Value = Vec<Vec<String>>> {
        proptest::collection::vec(proptest::collection::vec(cell, 5), 1..9)
    }

    proptest! {
        /// Well-formed rows are read back as the csv crate wrote them.
        #[test]
        fn what_is_well_formed_is_read_back(
            // A cell with both could hold a whole row, which is taken for a swallowed one.
            table in prop_oneof![table_of("[a,\"é]{0,5}"), table_of("[a\"\r\né]{0,5}")],
            is_quoted in any::<bool>(),
        ) {
            let style =
                if is_quoted { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary };
            let mut writer = csv::WriterBuilder::new().quote_style(style).from_writer(Vec::new());
            for row in &table {
                writer.write_record(row).unwrap();
            }
            let text = writer.into_inner().unwrap();
            let found: Vec<Vec<String>> = CsvRows::new(&text, 1, b',', Some(5), true)
                .map(|row| {
                    let fields = row.fields.unwrap();
                    let cell = |place| String::from_utf8(fields.get(place).into_owned()).unwrap();
                    (0..fields.len()).map(cell).collect()
                })
                .collect();
            prop_assert_eq!(found, table);
        }

        /// The places where a file is cut change nothing, damaged or not.
        #[test]
        fn cutting_changes_nothing(text in "[a,,,\"\"\r\n\n]{0,120}", target in 2_usize..60) {
            let whole = rows_of_blocks(text.as_bytes(), 1 << 20);
            prop_assert_eq!(rows_of_blocks(text.as_bytes(), target), whole);
        }
    }

    proptest! {
        /// The cells that a row shares with the one before it are not split again, and that changes
        /// nothing.
        #[test]
        fn recycling_changes_nothing(
            text in "((facility|\"company, \"|\"\"\"titles\"\"\"|\"two\n lines\"|é|1|\"),?|,|\r?\n){0,60}",
            width in 1_usize..6,
        ) {
            let mut rows = CsvRows::new(text.as_bytes(), 1, b',', Some(width), true);
            let mut recycled = Vec::new();
            while let Some(row) = rows.next() {
                recycled.push(shown(&row));
                row.fields.into_iter().for_each(|fields| rows.recycle(fields));
            }
            let rows = CsvRows::new(text.as_bytes(), 1, b',', Some(width), true);
            prop_assert_eq!(recycled, rows.map(|row| shown(&row)).collect::<Vec<_>>());
        }

        #[test]
        fn rows_of_one_facility_share_its_cells(
            cell in "[a-zé]{8,20}|\"[a-z,é]{8,20}\"", row in "[a-z],[0-9]", next in "[a-z],[0-9]"
        ) {
            let [row, next] = [row, next].map(|end| format!("{cell},{cell},{end}"));
            let mut cells = Vec::new();
            split(row.as_bytes(), b',', true, &mut cells);
            keep_shared(&mut cells, row.as_bytes(), next.as_bytes());
            prop_assert!(!cells.is_empty());
        }
    }

    #[test]
    fn rows_with_one_span_have_the_same_cells_there() {
        let texts = ["a,b,c,d", "\"a,b\",c,d,e", "a,\"b,c\",d,e", "\"a\",b,c,d", "x,\"b\",c,d"];
        let spans = [
            [&b"a,b,"[..], b"b,c,"],
            [b"\"a,b\",c,", b"c,d,"],
            [b"a,\"b,c\"", b"\"b,c\",d,"],
            [b"\"a\",b,", b"b,c,"],
            [b"x,\"b\"", b"\"b\",c,"],
        ];
        for (text, expected) in texts.iter().zip(spans) {
            let row = CsvRows::new(text.as_bytes(), 1, b',', Some(4), true).next().unwrap();
            let fields = row.fields.unwrap();
            let found = [0..=1, 1..=2].map(|cells| fields.span(cells));
            assert_eq!(found, expected, "{text}");
            assert_eq!(fields.span(1..=9), b"");
        }
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
            let mut rows = CsvRows::new(text.as_bytes(), 2, b',', Some(2), false);
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
