//! Rows of NPRI locations.

use outfall_records::{Decimal, NpriId, ReportingYear};

use super::cell::Cells;
use crate::header::locations::{CITY, LATITUDE, LONGITUDE, NPRI_ID, YEAR};
use crate::reject::{Reason, RowFault};

/// The location of a facility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocationLine {
    pub(crate) npri_id: NpriId,
    /// The last year that the facility reported.
    pub(crate) year: ReportingYear,
    pub(crate) city: Option<String>,
    pub(crate) latitude: Option<Decimal>,
    pub(crate) longitude: Option<Decimal>,
}

pub(crate) fn parse_row(cells: Cells<'_, '_>) -> Result<LocationLine, RowFault> {
    let npri_id = NpriId::parse(&cells.code(NPRI_ID)?.unwrap_or_default())
        .map_err(|_| cells.fault(NPRI_ID, Reason::InvalidFacilityId))?;
    Ok(LocationLine {
        npri_id,
        year: cells.year(YEAR)?,
        city: cells.text(CITY),
        latitude: cells.coordinate(LATITUDE, 90)?,
        longitude: cells.coordinate(LONGITUDE, 180)?,
    })
}
