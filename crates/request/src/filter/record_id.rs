//! `record_id=`: one record.

use super::{Filter, FilteredRecord};

/// One `record_id=`, compared exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordIdFilter(pub String);

impl Filter for RecordIdFilter {
    const NAME: &'static str = "record_id";

    fn canonical(&self) -> String {
        self.0.clone()
    }

    fn passes(&self, record: &dyn FilteredRecord) -> bool {
        record.record_id() == self.0
    }
}
