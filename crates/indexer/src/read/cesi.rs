//! Rows of CESI "Greenhouse gas emissions from large facilities".

use outfall_records::text::tokens;
use outfall_records::{Decimal, Gases, NaicsCode};

use super::cell::Cells;
use super::emissions::EmissionLine;
use super::ghgrp::ghgrp_id;
use crate::header::cesi::{
    CITY, COMPANY, FACILITY, FACILITY_ID, LATITUDE, LONGITUDE, NAICS_EN, NAICS_LINK, PROVINCE,
    TOTAL, UNITS, YEAR,
};
use crate::reject::{Reason, RowFault};

pub(crate) fn parse_row(cells: Cells<'_, '_>, line: u64) -> Result<EmissionLine, RowFault> {
    let total = cells.required_amount(TOTAL)?;
    Ok(EmissionLine {
        line,
        ghgrp_id: ghgrp_id(cells, FACILITY_ID)?,
        year: cells.year(YEAR)?,
        facility: cells.text(FACILITY),
        legal_name: cells.text(COMPANY),
        trade_name: None,
        city: cells.text(CITY),
        province: cells.province(PROVINCE)?,
        naics: naics_of_link(cells)?,
        naics_en: cells.text(NAICS_EN),
        naics_fr: None,
        npri_id: None,
        latitude: cells.coordinate(LATITUDE, 90)?,
        longitude: cells.coordinate(LONGITUDE, 180)?,
        total_co2e: (total * tonnes(cells)?).normalize(),
        gases: Gases::default(),
    })
}

/// Tonnes in the unit of the total, which the file writes out: `kilotonnes of carbon dioxide …`.
fn tonnes(cells: Cells<'_, '_>) -> Result<Decimal, RowFault> {
    let unit = cells.text(UNITS).unwrap_or_default();
    match tokens(&unit).first().map(String::as_str) {
        Some("kilotonnes" | "kilotonne" | "kt") => Ok(Decimal::ONE_THOUSAND),
        Some("tonnes" | "tonne" | "t") => Ok(Decimal::ONE),
        _ => Err(cells.fault(UNITS, Reason::InvalidUnits)),
    }
}

/// The link to the classification holds the code as `CPV=322111`.
fn naics_of_link(cells: Cells<'_, '_>) -> Result<Option<NaicsCode>, RowFault> {
    let Some(link) = cells.text(NAICS_LINK) else {
        return Ok(None);
    };
    let Some((_, code)) = link.split_once("CPV=") else {
        return Ok(None);
    };
    let code = code.split('&').next().unwrap_or(code);
    let code = NaicsCode::parse(code);
    code.map(Some).map_err(|_| cells.fault(NAICS_LINK, Reason::InvalidNaics))
}
