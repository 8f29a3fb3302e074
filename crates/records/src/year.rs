//! The reporting year, the only date that the data has.

use std::fmt;

/// A reporting year between [`ReportingYear::FIRST`] and [`ReportingYear::LAST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReportingYear(u16);

/// Why a text is not a reporting year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum YearError {
    /// The text is not four digits.
    #[error("not a four-digit year")]
    NotAYear,
    /// The year lies before the first report or impossibly far ahead.
    #[error("outside {first} to {last}", first = ReportingYear::FIRST, last = ReportingYear::LAST)]
    OutOfRange,
}

impl ReportingYear {
    /// The first year that the NPRI was reported for.
    pub const FIRST: u16 = 1993;
    /// A year beyond any file of today, so that a damaged cell is noticed.
    pub const LAST: u16 = 2099;

    /// The year as a number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Takes a year that is already a number.
    ///
    /// # Errors
    /// [`YearError::OutOfRange`] outside the range of the type.
    pub const fn new(year: u16) -> Result<Self, YearError> {
        if year < Self::FIRST || year > Self::LAST {
            return Err(YearError::OutOfRange);
        }
        Ok(Self(year))
    }

    /// Reads the four digits of a source cell, outer spaces allowed.
    ///
    /// # Errors
    /// See [`YearError`].
    pub fn parse(text: &str) -> Result<Self, YearError> {
        let text = text.trim();
        if text.len() != 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(YearError::NotAYear);
        }
        text.parse().map_err(|_| YearError::NotAYear).and_then(Self::new)
    }
}

impl fmt::Display for ReportingYear {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_four_digits_within_the_programmes() {
        for (text, expected) in [
            ("1993", Ok(1993)),
            (" 2024 ", Ok(2024)),
            ("1992", Err(YearError::OutOfRange)),
            ("9999", Err(YearError::OutOfRange)),
            ("24", Err(YearError::NotAYear)),
            ("+024", Err(YearError::NotAYear)),
            ("", Err(YearError::NotAYear)),
        ] {
            assert_eq!(ReportingYear::parse(text).map(ReportingYear::get), expected, "{text:?}");
        }
    }
}
