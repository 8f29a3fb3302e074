//! A facility's greenhouse-gas emissions of one year.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::{ReportingYear, Site};

/// An emission record: one facility and year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emission {
    /// The facility as it was in that year.
    pub site: Arc<Site>,
    /// The reporting year.
    pub year: ReportingYear,
    /// The total as reported, in tonnes CO2e; never recomputed from the gases.
    pub total_co2e: Decimal,
    /// The gases that the total is made of, as far as the source gives them.
    pub gases: Gases,
}

/// Emissions by gas, in tonnes CO2e; `None` where the source has no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are the names of the gases")]
pub struct Gases {
    pub co2: Option<Decimal>,
    pub ch4_co2e: Option<Decimal>,
    pub n2o_co2e: Option<Decimal>,
    pub hfc_co2e: Option<Decimal>,
    pub pfc_co2e: Option<Decimal>,
    pub sf6_co2e: Option<Decimal>,
}

impl Gases {
    /// The names of the fields in a record, in their order.
    pub const NAMES: [&'static str; 6] =
        ["co2", "ch4_co2e", "n2o_co2e", "hfc_co2e", "pfc_co2e", "sf6_co2e"];

    /// The values, in the order of [`Gases::NAMES`].
    #[must_use]
    pub const fn values(&self) -> [Option<Decimal>; 6] {
        [self.co2, self.ch4_co2e, self.n2o_co2e, self.hfc_co2e, self.pfc_co2e, self.sf6_co2e]
    }

    /// The reverse of [`Gases::values`].
    #[must_use]
    pub const fn from_values(values: [Option<Decimal>; 6]) -> Self {
        let [co2, ch4_co2e, n2o_co2e, hfc_co2e, pfc_co2e, sf6_co2e] = values;
        Self { co2, ch4_co2e, n2o_co2e, hfc_co2e, pfc_co2e, sf6_co2e }
    }
}

impl Emission {
    /// The unit of `total_co2e`, as `total_co2e_units` shows it.
    pub const UNITS: &'static str = "tonnes CO2e";

    /// The permanent address of the record: `<facility_id>:<year>`.
    #[must_use]
    pub fn record_id(&self) -> String {
        format!("{}:{}", self.site.facility_id, self.year)
    }

    /// The official page of the record.
    #[must_use]
    pub fn source_url(&self) -> String {
        Self::page_url(&self.site.facility_id.to_string(), self.year.get())
    }

    /// The official page of a facility and year.
    #[must_use]
    pub fn page_url(facility: &str, year: u16) -> String {
        format!("https://climate-change.canada.ca/facility-emissions/GHGRP-{facility}-{year}.html")
    }
}
