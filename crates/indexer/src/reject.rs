//! Rows that did not become part of a record.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use serde::Serialize;

/// Why a row was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A quote where RFC 4180 allows none, or one that is never closed.
    StrayQuote,
    /// More or fewer fields than the header.
    WrongFieldCount,
    /// A control character in an id, a code or a number, or a NUL anywhere.
    ControlCharacter,
    /// Bytes that are not UTF-8 in a file whose byte order mark promises it.
    InvalidText,
    /// The row is longer than rows may be.
    RowTooLong,
    /// The reporting year is not a year of the programme.
    InvalidYear,
    /// The facility id is not an NPRI or GHGRP id.
    InvalidFacilityId,
    /// The CAS RN or NPRI code is invalid, or damaged beyond recovery.
    InvalidSubstance,
    /// The medium is not one of the four.
    InvalidMedium,
    /// The unit is not one of the four.
    InvalidUnits,
    /// The quantity or total is blank.
    MissingValue,
    /// A number is malformed, negative or out of range.
    InvalidNumber,
    /// The province is not one of the thirteen.
    InvalidProvince,
    /// The industry code is not two to six digits.
    InvalidNaics,
    /// A record mixes quantities in `g TEQ` with masses.
    MixedTeq,
}

impl Reason {
    /// The code in reports and in `rejects.csv`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::StrayQuote => "stray-quote",
            Self::WrongFieldCount => "wrong-field-count",
            Self::ControlCharacter => "control-character",
            Self::InvalidText => "invalid-text",
            Self::RowTooLong => "row-too-long",
            Self::InvalidYear => "invalid-year",
            Self::InvalidFacilityId => "invalid-facility-id",
            Self::InvalidSubstance => "invalid-substance",
            Self::InvalidMedium => "invalid-medium",
            Self::InvalidUnits => "invalid-units",
            Self::MissingValue => "missing-value",
            Self::InvalidNumber => "invalid-number",
            Self::InvalidProvince => "invalid-province",
            Self::InvalidNaics => "invalid-naics",
            Self::MixedTeq => "mixed-teq",
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// A rejected row: the cell that is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reject {
    /// The file's own name.
    pub file: String,
    /// The physical line that the row begins at, the header being line 1.
    pub line: u64,
    /// The column as the header names it; empty when the row as a whole is wrong.
    pub column: String,
    /// The cell, cut after 200 characters; never one of a contact column.
    pub value: String,
    /// Why.
    pub reason: Reason,
}

/// The most characters of a cell that a report repeats.
const VALUE_LENGTH: usize = 200;

/// A fault of one row, before its file and line are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowFault {
    pub(crate) column: String,
    pub(crate) value: String,
    pub(crate) reason: Reason,
}

impl RowFault {
    pub(crate) fn new(column: &str, value: &str, reason: Reason) -> Self {
        let value = value.chars().take(VALUE_LENGTH).collect();
        Self { column: column.to_owned(), value, reason }
    }

    pub(crate) fn whole_row(reason: Reason) -> Self {
        Self::new("", "", reason)
    }

    pub(crate) fn at(self, file: &str, line: u64) -> Reject {
        let Self { column, value, reason } = self;
        Reject { file: file.to_owned(), line, column, value, reason }
    }
}

/// Receives rejected rows as they are found.
pub(crate) enum RejectSink {
    File(RejectList),
    Nowhere,
}

/// The file of rejected rows, limited in size.
pub(crate) struct RejectList {
    writer: Box<csv::Writer<BufWriter<File>>>,
    bytes_left: Option<usize>,
}

/// Written instead of a reason where rows are left out.
const LEFT_OUT: &str = "not-listed";
/// Room for a hundred thousand rows and more; all rows are counted, listed or not.
const MOST_LISTED_BYTES: usize = 16 << 20;

impl RejectSink {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(File::create_new(path)?);
        let mut writer = Box::new(csv::Writer::from_writer(file));
        writer.write_record(["file", "line", "column", "value", "reason"])?;
        Ok(Self::File(RejectList { writer, bytes_left: Some(MOST_LISTED_BYTES) }))
    }

    /// Writes a row; returns whether there was room for it. Once a row does not fit, no further row
    /// is written.
    pub(crate) fn write(&mut self, reject: &Reject) -> io::Result<bool> {
        let Self::File(list) = self else {
            return Ok(true);
        };
        let Reject { file, line, column, value, reason } = reject;
        let line = line.to_string();
        let cells = [file.as_str(), &line, column, value, reason.code()];
        let bytes = cells.iter().map(|cell| cell.len() + 1).sum();
        list.bytes_left = list.bytes_left.and_then(|left| left.checked_sub(bytes));
        if list.bytes_left.is_some() {
            list.writer.write_record(cells)?;
        }
        Ok(list.bytes_left.is_some())
    }

    /// Ends the list with the number of rows left out of each file, so that nobody takes it for
    /// complete.
    pub(crate) fn finish<'a>(
        &mut self,
        left_out: impl Iterator<Item = (&'a str, u64)>,
    ) -> io::Result<()> {
        let Self::File(list) = self else {
            return Ok(());
        };
        for (file, count) in left_out {
            let value = format!("{count} more rejected rows");
            list.writer.write_record([file, "", "", value.as_str(), LEFT_OUT])?;
        }
        list.writer.flush()
    }
}
