//! `naics_code=`: the industry of the facility, or a branch that it belongs to.

use outfall_records::NaicsBranch;

use super::Filter;
use crate::reference::FilteredRecord;

impl Filter for NaicsBranch {
    const NAME: &'static str = "naics_code";

    fn canonical(&self) -> String {
        self.to_string()
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        let code = record.record().site().naics_code.as_ref();
        code.is_some_and(|code| self.contains(code))
    }
}
