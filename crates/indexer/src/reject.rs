//! Rows that did not become part of a record.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use serde::Serialize;

/// Why a row was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A quote that RFC 4180 has no place for, or one that nothing closes.
    StrayQuote,
    /// More or fewer fields than the header.
    WrongFieldCount,
    /// A line break inside a cell that has none officially, or a NUL anywhere.
    ControlCharacter,
    /// Bytes that are no UTF-8 in a file whose byte order mark promises it.
    InvalidText,
    /// Longer than a row can be.
    RowTooLong,
    /// The reporting year is no year of the programme.
    InvalidYear,
    /// The facility id is no NPRI or GHGRP id.
    InvalidFacilityId,
    /// The CAS RN or NPRI code cannot be told.
    InvalidSubstance,
    /// The medium is none of the four.
    InvalidMedium,
    /// The unit is none of the four.
    InvalidUnits,
    /// The quantity or total is blank.
    MissingValue,
    /// A number is none, negative, or out of range.
    InvalidNumber,
    /// The province is none of the thirteen.
    InvalidProvince,
    /// The industry code is not two to six digits.
    InvalidNaics,
    /// A quantity in `g TEQ` beside one that is a mass, in one record.
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

/// A fault of one row, before it is known which file and line it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) column: String,
    pub(crate) value: String,
    pub(crate) reason: Reason,
}

impl Fault {
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

/// Where rejected rows are written as they are found.
pub(crate) enum RejectSink {
    File(Box<csv::Writer<BufWriter<File>>>),
    Nowhere,
}

impl RejectSink {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(BufWriter::new(File::create(path)?));
        writer.write_record(["file", "line", "column", "value", "reason"])?;
        Ok(Self::File(Box::new(writer)))
    }

    pub(crate) fn write(&mut self, reject: &Reject) -> io::Result<()> {
        let Self::File(writer) = self else {
            return Ok(());
        };
        let Reject { file, line, column, value, reason } = reject;
        let line = line.to_string();
        writer.write_record([file, line.as_str(), column, value, reason.code()])?;
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::File(writer) => writer.flush(),
            Self::Nowhere => Ok(()),
        }
    }
}
