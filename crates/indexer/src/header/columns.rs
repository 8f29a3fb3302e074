//! The columns of each kind, by the English half of their official names.

use super::{FileKind, column_key};

/// A column that a reader looks for.
pub(super) struct BoundColumn {
    pub(super) name: &'static str,
    /// The names of other editions.
    aliases: &'static [&'static str],
    pub(super) is_required: bool,
    /// Whether more words may follow the name.
    is_beginning: bool,
}

impl BoundColumn {
    /// Whether this is the column of that key.
    pub(super) fn is_named(&self, key: &str) -> bool {
        let names = std::iter::once(&self.name).chain(self.aliases);
        names.map(|name| column_key(name)).any(|name| {
            let more = key.strip_prefix(&name);
            more.is_some_and(|more| more.is_empty() || (self.is_beginning && more.starts_with(' ')))
        })
    }
}

const fn required(name: &'static str, aliases: &'static [&'static str]) -> BoundColumn {
    BoundColumn { name, aliases, is_required: true, is_beginning: false }
}

const fn required_beginning(name: &'static str) -> BoundColumn {
    BoundColumn { is_beginning: true, ..required(name, &[]) }
}

const fn optional(name: &'static str, aliases: &'static [&'static str]) -> BoundColumn {
    BoundColumn { name, aliases, is_required: false, is_beginning: false }
}

/// The places of the columns of [`NPRI_RELEASES`].
pub(crate) mod npri {
    pub(crate) const YEAR: usize = 0;
    pub(crate) const NPRI_ID: usize = 1;
    pub(crate) const COMPANY: usize = 2;
    pub(crate) const FACILITY: usize = 3;
    pub(crate) const NAICS: usize = 4;
    pub(crate) const NAICS_EN: usize = 5;
    pub(crate) const NAICS_FR: usize = 6;
    pub(crate) const PROVINCE: usize = 7;
    pub(crate) const CAS: usize = 8;
    pub(crate) const SUBSTANCE_EN: usize = 9;
    pub(crate) const SUBSTANCE_FR: usize = 10;
    pub(crate) const GROUP_EN: usize = 11;
    pub(crate) const GROUP_FR: usize = 12;
    pub(crate) const CATEGORY_EN: usize = 13;
    pub(crate) const CATEGORY_FR: usize = 14;
    pub(crate) const QUANTITY: usize = 15;
    pub(crate) const UNITS: usize = 16;
    pub(crate) const METHOD: usize = 17;
}

const NPRI_RELEASES: [BoundColumn; 18] = [
    required("Reporting_Year", &["year"]),
    required("NPRI_ID", &[]),
    required("Company_Name", &[]),
    required("Facility Name", &[]),
    required("NAICS", &["NAICS Code"]),
    // Until 2023 there was one title, in English.
    optional("NAICS Title EN", &["NAICS Title", "NAICS Title English"]),
    optional("NAICS Title FR", &["NAICS Title French"]),
    required("Province", &[]),
    required("CAS_Number", &[]),
    required("Substance Name (English)", &[]),
    required("Substance Name (French)", &[]),
    required("Group (English)", &[]),
    optional("Group (French)", &[]),
    required("Category (English)", &[]),
    optional("Category (French)", &[]),
    required("Quantity", &[]),
    required("Units", &[]),
    optional("Estimation_Method", &[]),
];

/// The places of the columns of [`NPRI_LOCATIONS`].
pub(crate) mod locations {
    pub(crate) const YEAR: usize = 0;
    pub(crate) const NPRI_ID: usize = 1;
    pub(crate) const CITY: usize = 2;
    pub(crate) const LATITUDE: usize = 3;
    pub(crate) const LONGITUDE: usize = 4;
}

const NPRI_LOCATIONS: [BoundColumn; 5] = [
    required("Year of last filed report", &["LASTREPORT"]),
    required("NPRI_ID", &[]),
    required("City", &[]),
    required("Latitude", &["LATI_DEC"]),
    required("Longitude", &["LONG_DEC"]),
];

/// The places of the columns of [`GHGRP`].
pub(crate) mod ghgrp {
    pub(crate) const GHGRP_ID: usize = 0;
    pub(crate) const YEAR: usize = 1;
    pub(crate) const FACILITY: usize = 2;
    pub(crate) const CITY: usize = 3;
    pub(crate) const PROVINCE: usize = 4;
    pub(crate) const LATITUDE: usize = 5;
    pub(crate) const LONGITUDE: usize = 6;
    pub(crate) const NPRI_ID: usize = 7;
    pub(crate) const NAICS: usize = 8;
    pub(crate) const NAICS_EN: usize = 9;
    pub(crate) const NAICS_FR: usize = 10;
    pub(crate) const LEGAL_NAME: usize = 11;
    pub(crate) const TRADE_NAME: usize = 12;
    pub(crate) const TOTAL: usize = 13;
    /// The six gases, in the order of `outfall_records::Gases`.
    pub(crate) const GASES: [usize; 6] = [14, 15, 16, 17, 18, 19];
}

const GHGRP: [BoundColumn; 20] = [
    required("GHGRP ID No.", &[]),
    required("Reference Year", &[]),
    required("Facility Name", &[]),
    required("Facility City or District or Municipality", &["Facility City"]),
    required("Facility Province or Territory", &["Facility Province"]),
    required("Latitude", &[]),
    required("Longitude", &[]),
    required("Facility NPRI ID", &[]),
    required("Facility NAICS Code", &[]),
    required("English Facility NAICS Code Description", &[]),
    required("French Facility NAICS Code Description", &[]),
    required("Reporting Company Legal Name", &[]),
    required("Reporting Company Trade Name", &[]),
    // Since 2024 the name continues with ` - excl. CO2bio`.
    required_beginning("Total Emissions (tonnes CO2e)"),
    required("CO2 (tonnes)", &[]),
    required("CH4 (tonnes CO2e)", &[]),
    required("N2O (tonnes CO2e)", &[]),
    required("HFC Total (tonnes CO2e)", &[]),
    required("PFC Total (tonnes CO2e)", &[]),
    required("SF6 (tonnes CO2e)", &[]),
];

/// The places of the columns of [`CESI`].
pub(crate) mod cesi {
    pub(crate) const FACILITY_ID: usize = 0;
    pub(crate) const FACILITY: usize = 1;
    pub(crate) const COMPANY: usize = 2;
    pub(crate) const CITY: usize = 3;
    pub(crate) const PROVINCE: usize = 4;
    pub(crate) const LATITUDE: usize = 5;
    pub(crate) const LONGITUDE: usize = 6;
    pub(crate) const TOTAL: usize = 7;
    pub(crate) const UNITS: usize = 8;
    pub(crate) const YEAR: usize = 9;
    pub(crate) const NAICS_EN: usize = 10;
    pub(crate) const NAICS_LINK: usize = 11;
}

const CESI: [BoundColumn; 12] = [
    required("Facility ID", &[]),
    required("Facility Name", &[]),
    required("Company name", &[]),
    required("City", &[]),
    required("Province", &[]),
    required("Latitude", &[]),
    required("Longitude", &[]),
    required("Total emissions", &[]),
    required("Units", &[]),
    required("Report year", &[]),
    required("Industry classification", &[]),
    required("Industry classification link", &[]),
];

/// The columns that the reader of a kind looks for.
pub(super) const fn of(kind: FileKind) -> &'static [BoundColumn] {
    match kind {
        FileKind::NpriReleases => &NPRI_RELEASES,
        FileKind::NpriLocations => &NPRI_LOCATIONS,
        FileKind::Ghgrp => &GHGRP,
        FileKind::Cesi => &CESI,
    }
}

/// The beginnings of the names of other columns in known editions: these are not read, and not
/// reported as unknown.
pub(super) const fn known(kind: FileKind) -> &'static [&'static str] {
    match kind {
        FileKind::NpriReleases => &[],
        FileKind::NpriLocations => &KNOWN_IN_LOCATIONS,
        FileKind::Ghgrp => &KNOWN_IN_GHGRP,
        FileKind::Cesi => &KNOWN_IN_CESI,
    }
}

/// The public contacts among them are personal data that is not under the open licence.
const KNOWN_IN_GHGRP: [&str; 33] = [
    "Facility Location",
    "Facility Postal Code",
    "Reporting Company Business Number",
    "Reporting Company CRA Business Number",
    "Reporting Company DUNS Number",
    "DUNS Number",
    "Public Contact",
    "CO2 from biomass combustion",
    "CH4 (tonnes)",
    "N2O (tonnes)",
    "HFC-23",
    "HFC-32",
    "HFC-41",
    "HFC-43",
    "HFC-125",
    "HFC-134",
    "HFC-143",
    "HFC-152",
    "HFC-227",
    "HFC-236",
    "HFC-245",
    "CF4",
    "C2F6",
    "C3F8",
    "C4F",
    "C5F12",
    "C6F14",
    "SF6 (tonnes)",
    "GHGRP Quantification Requirements",
    "Emission Factors",
    "Engineering Estimates",
    "Mass Balance",
    "Monitoring or Direct Measurement",
];

const KNOWN_IN_CESI: [&str; 4] =
    ["Address", "Postal code", "Facility information", "Facility details"];

const KNOWN_IN_LOCATIONS: [&str; 45] = [
    "Company Name",
    "Facility Name",
    "Address line",
    "Province",
    "Postal Code",
    "Physical Land Survey Description",
    "National Topographical Description",
    "Datum",
    "NAICS",
    "Key Industrial Sector",
    "Census",
    "Economic Region",
    "Forward Sortation Area",
    "Ecozone",
    "English Ecozone Name",
    "French Ecozone Name",
    "Unique ID of the Major Drainage Area",
    "Major Drainage Area",
    "Sulphur Oxide Management Area",
    "Ontario Pollution Emission Management Area",
    "Quebec Pollution Emission Management Area",
    "Quebec City-Windsor Corridor",
    "COMP_NAME",
    "FACI_NAME",
    "ADDRESS1",
    "ADDRESS2",
    "LANDSURVEY",
    "POSTAL_ZIP",
    "CSDUID",
    "CSDNAME",
    "CMAUID",
    "CMANAME",
    "CDUID",
    "CDNAME",
    "ERUID",
    "ERNAME",
    "FSA",
    "ECOZONE_ID",
    "ECOZONE_E",
    "ECOZONE_F",
    "WSCMDA",
    "SOMA",
    "ONPEMA",
    "QCPEMA",
    "QC_Windsor",
];
