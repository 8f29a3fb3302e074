//! `record_id=`: one record.

use super::Filter;
use crate::reference::FilteredRecord;

/// One `record_id=`, compared exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordIdFilter(pub String);

impl Filter for RecordIdFilter {
    const NAME: &'static str = "record_id";

    fn canonical(&self) -> String {
        self.0.clone()
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        record.record_id() == self.0
    }
}
