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

/// The columns of a kind of file: a constant for the place of each, and the table of them all.
macro_rules! columns {
    ($($place:ident => $column:expr,)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "they are constants")]
        enum Place {
            $($place,)*
        }

        $(pub(crate) const $place: usize = Place::$place as usize;)*

        pub(super) const COLUMNS: &[BoundColumn] = &[$($column,)*];
    };
}

/// The columns of NPRI releases.
pub(crate) mod npri {
    use super::{BoundColumn, optional, required};

    columns! {
        YEAR => required("Reporting_Year", &["year"]),
        NPRI_ID => required("NPRI_ID", &[]),
        COMPANY => required("Company_Name", &[]),
        FACILITY => required("Facility Name", &[]),
        NAICS => required("NAICS", &["NAICS Code"]),
        // Until 2023 there was one title, in English.
        NAICS_EN => optional("NAICS Title EN", &["NAICS Title", "NAICS Title English"]),
        NAICS_FR => optional("NAICS Title FR", &["NAICS Title French"]),
        PROVINCE => required("Province", &[]),
        CAS => required("CAS_Number", &[]),
        SUBSTANCE_EN => required("Substance Name (English)", &[]),
        SUBSTANCE_FR => required("Substance Name (French)", &[]),
        GROUP_EN => required("Group (English)", &[]),
        GROUP_FR => optional("Group (French)", &[]),
        CATEGORY_EN => required("Category (English)", &[]),
        CATEGORY_FR => optional("Category (French)", &[]),
        QUANTITY => required("Quantity", &[]),
        UNITS => required("Units", &[]),
        METHOD => optional("Estimation_Method", &[]),
    }
}

/// The columns of NPRI locations.
pub(crate) mod locations {
    use super::{BoundColumn, required};

    columns! {
        YEAR => required("Year of last filed report", &["LASTREPORT"]),
        NPRI_ID => required("NPRI_ID", &[]),
        CITY => required("City", &[]),
        LATITUDE => required("Latitude", &["LATI_DEC"]),
        LONGITUDE => required("Longitude", &["LONG_DEC"]),
    }
}

/// The columns of GHGRP emissions.
pub(crate) mod ghgrp {
    use super::{BoundColumn, required, required_beginning};

    columns! {
        GHGRP_ID => required("GHGRP ID No.", &[]),
        YEAR => required("Reference Year", &[]),
        FACILITY => required("Facility Name", &[]),
        CITY => required("Facility City or District or Municipality", &["Facility City"]),
        PROVINCE => required("Facility Province or Territory", &["Facility Province"]),
        LATITUDE => required("Latitude", &[]),
        LONGITUDE => required("Longitude", &[]),
        NPRI_ID => required("Facility NPRI ID", &[]),
        NAICS => required("Facility NAICS Code", &[]),
        NAICS_EN => required("English Facility NAICS Code Description", &[]),
        NAICS_FR => required("French Facility NAICS Code Description", &[]),
        LEGAL_NAME => required("Reporting Company Legal Name", &[]),
        TRADE_NAME => required("Reporting Company Trade Name", &[]),
        // Since 2024 the name continues with ` - excl. CO2bio`.
        TOTAL => required_beginning("Total Emissions (tonnes CO2e)"),
        CO2 => required("CO2 (tonnes)", &[]),
        CH4 => required("CH4 (tonnes CO2e)", &[]),
        N2O => required("N2O (tonnes CO2e)", &[]),
        HFC => required("HFC Total (tonnes CO2e)", &[]),
        PFC => required("PFC Total (tonnes CO2e)", &[]),
        SF6 => required("SF6 (tonnes CO2e)", &[]),
    }

    /// In the order of `outfall_records::Gases`.
    pub(crate) const GASES: [usize; 6] = [CO2, CH4, N2O, HFC, PFC, SF6];
}

/// The columns of CESI large facilities.
pub(crate) mod cesi {
    use super::{BoundColumn, required};

    columns! {
        FACILITY_ID => required("Facility ID", &[]),
        FACILITY => required("Facility Name", &[]),
        COMPANY => required("Company name", &[]),
        CITY => required("City", &[]),
        PROVINCE => required("Province", &[]),
        LATITUDE => required("Latitude", &[]),
        LONGITUDE => required("Longitude", &[]),
        TOTAL => required("Total emissions", &[]),
        UNITS => required("Units", &[]),
        YEAR => required("Report year", &[]),
        NAICS_EN => required("Industry classification", &[]),
        NAICS_LINK => required("Industry classification link", &[]),
    }
}

/// The columns that the reader of a kind looks for.
pub(super) const fn of(kind: FileKind) -> &'static [BoundColumn] {
    match kind {
        FileKind::NpriReleases => npri::COLUMNS,
        FileKind::NpriLocations => locations::COLUMNS,
        FileKind::Ghgrp => ghgrp::COLUMNS,
        FileKind::Cesi => cesi::COLUMNS,
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
