//! `province=`: the province or territory of the facility.

use outfall_records::Province;

use super::Filter;
use crate::reference::FilteredRecord;

impl Filter for Province {
    const NAME: &'static str = "province";

    fn canonical(&self) -> String {
        self.code().to_owned()
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        record.record().site().province == Some(*self)
    }
}
