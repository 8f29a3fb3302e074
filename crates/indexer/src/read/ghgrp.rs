//! Rows of GHGRP emissions by gas.

use outfall_records::{Gases, GhgrpId, NpriId};

use super::cell::Cells;
use super::emissions::EmissionLine;
use crate::header::ghgrp::{
    CITY, FACILITY, GASES, GHGRP_ID, LATITUDE, LEGAL_NAME, LONGITUDE, NAICS, NAICS_EN, NAICS_FR,
    NPRI_ID, PROVINCE, TOTAL, TRADE_NAME, YEAR,
};
use crate::reject::{Reason, RowFault};

pub(crate) fn parse_row(cells: Cells<'_, '_>, line: u64) -> Result<EmissionLine, RowFault> {
    let mut gases = [None; Gases::NAMES.len()];
    for (gas, column) in gases.iter_mut().zip(GASES) {
        *gas = cells.amount(column)?;
    }
    let npri_id = match cells.code(NPRI_ID)? {
        Some(text) if text.trim_matches('0').is_empty() => None,
        Some(text) => Some(
            NpriId::parse(&text).map_err(|_| cells.fault(NPRI_ID, Reason::InvalidFacilityId))?,
        ),
        None => None,
    };
    Ok(EmissionLine {
        line,
        ghgrp_id: ghgrp_id(cells, GHGRP_ID)?,
        year: cells.year(YEAR)?,
        facility: cells.text(FACILITY),
        legal_name: cells.text(LEGAL_NAME),
        trade_name: cells.text(TRADE_NAME),
        city: cells.text(CITY),
        province: cells.province(PROVINCE)?,
        naics: cells.naics(NAICS)?,
        naics_en: cells.text(NAICS_EN),
        naics_fr: cells.text(NAICS_FR),
        npri_id,
        latitude: cells.coordinate(LATITUDE, 90)?,
        longitude: cells.coordinate(LONGITUDE, 180)?,
        total_co2e: cells.required_amount(TOTAL)?,
        gases: Gases::from_values(gases),
    })
}

pub(crate) fn ghgrp_id(cells: Cells<'_, '_>, column: usize) -> Result<GhgrpId, RowFault> {
    let id = GhgrpId::parse(&cells.code(column)?.unwrap_or_default());
    id.map_err(|_| cells.fault(column, Reason::InvalidFacilityId))
}
