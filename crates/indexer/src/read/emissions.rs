//! A facility and year of the GHGRP or the CESI files.

use outfall_records::{Decimal, Gases, GhgrpId, NaicsCode, NpriId, Province, ReportingYear};

/// A row of either file.
#[derive(Clone, Debug)]
pub(crate) struct EmissionLine {
    /// The physical line in its file.
    pub(crate) line: u64,
    pub(crate) ghgrp_id: GhgrpId,
    pub(crate) year: ReportingYear,
    pub(crate) facility: Option<String>,
    pub(crate) legal_name: Option<String>,
    pub(crate) trade_name: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) province: Option<Province>,
    pub(crate) naics: Option<NaicsCode>,
    pub(crate) naics_en: Option<String>,
    pub(crate) naics_fr: Option<String>,
    pub(crate) npri_id: Option<NpriId>,
    pub(crate) latitude: Option<Decimal>,
    pub(crate) longitude: Option<Decimal>,
    pub(crate) total_co2e: Decimal,
    pub(crate) gases: Gases,
}
