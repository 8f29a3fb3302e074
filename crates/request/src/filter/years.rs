//! `issued_after=` and `issued_before=`: the reporting year.

use super::{SpelledFilter, Spelling};

/// Reporting years, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct YearRange {
    /// Keeps years at or after it.
    pub from: Option<u16>,
    /// Keeps years at or before it.
    pub to: Option<u16>,
}

impl YearRange {
    /// Whether a record of `year` passes.
    #[must_use]
    pub fn contains(&self, year: u16) -> bool {
        self.from.is_none_or(|from| from <= year) && self.to.is_none_or(|to| year <= to)
    }

    pub(super) fn spelled(self, spelling: Spelling) -> [SpelledFilter; 2] {
        [("issued_after", self.from), ("issued_before", self.to)].map(|(name, year)| {
            let year = year.map(|year| match spelling {
                Spelling::Query => format!("{year:04}"),
                Spelling::Cursor => year.to_string(),
            });
            SpelledFilter::single(name, year)
        })
    }
}
