//! `facility_id=`: an NPRI ID or a GHGRP ID of the facility.

use outfall_records::FacilityKey;

use super::Filter;
use crate::reference::FilteredRecord;

impl Filter for FacilityKey {
    const NAME: &'static str = "facility_id";

    /// Keys that would not survive another parse get a leading zero, which parsing drops: `000`,
    /// `0G1`.
    fn canonical(&self) -> String {
        let text = self.as_str();
        if Self::new(text) == *self && !text.is_empty() {
            return text.to_owned();
        }
        format!("0{text}")
    }

    fn bound(&self) -> String {
        self.as_str().to_owned()
    }

    fn passes(&self, record: &FilteredRecord<'_>) -> bool {
        record.record().site().facility_keys().any(|key| key == *self)
    }
}
