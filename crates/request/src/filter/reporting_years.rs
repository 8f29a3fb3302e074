//! `year=`: a reporting year, or a range of them.

use std::ops::RangeInclusive;

use super::Filter;
use crate::reference::FilteredRecord;

/// One `year=`: years of four digits, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportingYears(pub RangeInclusive<u16>);

impl Filter for ReportingYears {
    const NAME: &'static str = "year";

    fn canonical(&self) -> String {
        let (first, last) = (self.0.start(), self.0.end());
        if first == last { format!("{first:04}") } else { format!("{first:04}-{last:04}") }
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        self.0.contains(&record.record().year().get())
    }
}
