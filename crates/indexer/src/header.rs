//! The header of a file: which kind of file it is, and where the columns stand.
//!
//! Columns are known by the tokens of the English half of their names (`NPRI_ID / No_INRP` is
//! `npri id`), with a table of the names of other editions.

use std::path::Path;

use outfall_records::text::tokens;

use crate::BuildError;
use crate::source::{Encoding, Fields};

/// A kind of official file that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// NPRI releases, the long table.
    NpriReleases,
    /// NPRI facility locations.
    NpriLocations,
    /// GHGRP emissions by gas.
    Ghgrp,
    /// CESI greenhouse gas emissions from large facilities.
    Cesi,
}

impl FileKind {
    /// The name in reports and in `/meta`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NpriReleases => "npri-releases",
            Self::NpriLocations => "npri-locations",
            Self::Ghgrp => "ghgrp",
            Self::Cesi => "cesi",
        }
    }

    /// What the file is, in a sentence.
    pub(crate) const fn described(self) -> &'static str {
        match self {
            Self::NpriReleases => "a file of NPRI releases",
            Self::NpriLocations => "a file of NPRI locations",
            Self::Ghgrp => "a file of GHGRP emissions",
            Self::Cesi => "a file of CESI large facilities",
        }
    }

    const fn columns(self) -> &'static [Column] {
        match self {
            Self::NpriReleases => &NPRI_RELEASES,
            Self::NpriLocations => &NPRI_LOCATIONS,
            Self::Ghgrp => &GHGRP,
            Self::Cesi => &CESI,
        }
    }
}

/// A column that a reader looks for.
struct Column {
    name: &'static str,
    /// The names of other editions.
    aliases: &'static [&'static str],
    is_required: bool,
    /// Whether more words may follow the name.
    is_beginning: bool,
}

impl Column {
    /// Whether the column of that key is this one.
    fn is_named(&self, key: &str) -> bool {
        let names = std::iter::once(&self.name).chain(self.aliases);
        names.map(|name| column_key(name)).any(|name| {
            let more = key.strip_prefix(&name);
            more.is_some_and(|more| more.is_empty() || (self.is_beginning && more.starts_with(' ')))
        })
    }
}

const fn required(name: &'static str, aliases: &'static [&'static str]) -> Column {
    Column {
        name,
        aliases,
        is_required: true,
        is_beginning: false,
    }
}

const fn required_beginning(name: &'static str) -> Column {
    Column {
        is_beginning: true,
        ..required(name, &[])
    }
}

const fn optional(name: &'static str, aliases: &'static [&'static str]) -> Column {
    Column {
        name,
        aliases,
        is_required: false,
        is_beginning: false,
    }
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

const NPRI_RELEASES: [Column; 18] = [
    required("reporting year", &["year"]),
    required("npri id", &[]),
    required("company name", &[]),
    required("facility name", &[]),
    required("naics", &["naics code"]),
    // Until 2023 there was one title, in English.
    optional("naics title en", &["naics title", "naics title english"]),
    optional("naics title fr", &["naics title french"]),
    required("province", &[]),
    required("cas number", &[]),
    required("substance name english", &[]),
    required("substance name french", &[]),
    required("group english", &[]),
    optional("group french", &[]),
    required("category english", &[]),
    optional("category french", &[]),
    required("quantity", &[]),
    required("units", &[]),
    optional("estimation method", &[]),
];

/// The places of the columns of [`NPRI_LOCATIONS`].
pub(crate) mod locations {
    pub(crate) const YEAR: usize = 0;
    pub(crate) const NPRI_ID: usize = 1;
    pub(crate) const CITY: usize = 2;
    pub(crate) const LATITUDE: usize = 3;
    pub(crate) const LONGITUDE: usize = 4;
}

const NPRI_LOCATIONS: [Column; 5] = [
    required("year of last filed report", &["lastreport"]),
    required("npri id", &[]),
    required("city", &[]),
    required("latitude", &["lati dec"]),
    required("longitude", &["long dec"]),
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

const GHGRP: [Column; 20] = [
    required("ghgrp id no", &[]),
    required("reference year", &[]),
    required("facility name", &[]),
    required("facility city or district or municipality", &[]),
    required("facility province or territory", &[]),
    required("latitude", &[]),
    required("longitude", &[]),
    required("facility npri id", &[]),
    required("facility naics code", &[]),
    required("english facility naics code description", &[]),
    required("french facility naics code description", &[]),
    required("reporting co legal name", &[]),
    required("reporting co trade name", &[]),
    // Since 2024 it goes on with ` - excl. CO2bio`.
    required_beginning("total emissions tonnes co 2 e"),
    required("co 2 tonnes", &[]),
    required("ch 4 tonnes co 2 e", &[]),
    required("n 2 o tonnes co 2 e", &[]),
    required("hfc total tonnes co 2 e", &[]),
    required("pfc total tonnes co 2 e", &[]),
    required("sf 6 tonnes co 2 e", &[]),
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

const CESI: [Column; 12] = [
    required("facility id", &[]),
    required("facility name", &[]),
    required("co name", &[]),
    required("city", &[]),
    required("province", &[]),
    required("latitude", &[]),
    required("longitude", &[]),
    required("total emissions", &[]),
    required("units", &[]),
    required("report year", &[]),
    required("industry classification", &[]),
    required("industry classification link", &[]),
];

/// A header, bound: where each column of the kind stands.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) kind: FileKind,
    /// The number of fields of every row.
    pub(crate) width: usize,
    /// For each column of the kind, its place in a row and its name as the file writes it.
    columns: Vec<Option<(usize, String)>>,
    /// Columns that no reader looks for, as the file names them.
    pub(crate) unknown: Vec<String>,
}

impl Header {
    /// Binds the cells of a file's first row.
    ///
    /// # Errors
    /// [`BuildError::Refused`] for a file of no kind that is read,
    /// [`BuildError::MissingColumn`], [`BuildError::DoubledColumn`].
    pub(crate) fn bind(
        path: &Path,
        fields: &Fields<'_>,
        encoding: Encoding,
    ) -> Result<Self, BuildError> {
        let names: Vec<String> = (0..fields.len())
            .map(|place| encoding.decode(&fields.get(place)).trim().to_owned())
            .collect();
        let keys: Vec<String> = names.iter().map(|name| key(name)).collect();
        let kind = kind_of(&keys).map_err(|reason| BuildError::Refused {
            path: path.to_owned(),
            reason: reason.to_owned(),
        })?;
        let mut columns = Vec::new();
        for column in kind.columns() {
            let mut places = (0..keys.len()).filter(|place| column.is_named(&keys[*place]));
            match (places.next(), places.next()) {
                (Some(_), Some(second)) => {
                    return Err(BuildError::DoubledColumn {
                        path: path.to_owned(),
                        column: names[second].clone(),
                    });
                }
                (None, _) if column.is_required => {
                    return Err(BuildError::MissingColumn {
                        path: path.to_owned(),
                        wanted: column.name,
                        found: names,
                    });
                }
                (place, _) => columns.push(place.map(|place| (place, names[place].clone()))),
            }
        }
        let is_bound = |place: usize| columns.iter().flatten().any(|(bound, _)| *bound == place);
        let unknown = (0..names.len()).filter(|place| !is_bound(*place));
        let unknown = unknown.map(|place| names[place].clone()).collect();
        Ok(Self {
            kind,
            width: names.len(),
            columns,
            unknown,
        })
    }

    /// The place of a column in a row, if the file has it.
    pub(crate) fn place(&self, column: usize) -> Option<usize> {
        self.columns[column].as_ref().map(|(place, _)| *place)
    }

    /// The name of a column as the file writes it.
    pub(crate) fn name(&self, column: usize) -> &str {
        self.columns[column].as_ref().map_or("", |(_, name)| name)
    }

    /// The edition that the header tells.
    pub(crate) fn vintage(&self) -> String {
        let edition = match (self.kind, self.width) {
            (FileKind::NpriReleases, 18) => ", from 2024 on",
            (FileKind::NpriReleases, 17) => ", until 2023",
            (FileKind::Ghgrp, 82) => ", the 2024 edition",
            (FileKind::Ghgrp, 81) => ", until the 2023 edition",
            _ => "",
        };
        format!("{} columns{edition}", self.width)
    }
}

/// The tokens of the English half of a column's name.
fn key(name: &str) -> String {
    let english = name.split(" / ").next().unwrap_or(name);
    tokens(english).join(" ")
}

/// The tables are written in plain words, the tokens know equivalents (`company` is `co`).
fn column_key(name: &str) -> String {
    tokens(name).join(" ")
}

fn kind_of(keys: &[String]) -> Result<FileKind, &'static str> {
    let has = |name: &str| keys.iter().any(|key| *key == column_key(name));
    if has("annee") && keys.iter().any(|key| key == "id inrp") {
        return Err(
            "it is the NPRI table of a single year (wide); take the bulk file \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead",
        );
    }
    if keys.iter().any(|key| key.starts_with("comment type name")) {
        return Err("it is the NPRI file of comments; take \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead");
    }
    if keys.iter().any(|key| key.starts_with("off site disposal")) {
        return Err("it is the NPRI file of disposals and transfers; take \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead");
    }
    if keys
        .iter()
        .any(|key| key.starts_with("release to air") || key.starts_with("releases to"))
    {
        return Err(
            "it is the NPRI pivot table of releases; take the long table \
                    `NPRI-INRP_ReleasesRejets_1993-present.csv` instead",
        );
    }
    if has("emission source") {
        return Err(
            "it is the GHGRP file of emissions by source; take the one by gas, \
                    `PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv`, instead",
        );
    }
    if has("group english") || (has("cas number") && has("quantity")) {
        return Ok(FileKind::NpriReleases);
    }
    if has("ghgrp id no") || has("reporting company legal name") {
        return Ok(FileKind::Ghgrp);
    }
    if has("industry classification link") || (has("facility id") && has("report year")) {
        return Ok(FileKind::Cesi);
    }
    if has("year of last filed report") || has("lastreport") {
        return Ok(FileKind::NpriLocations);
    }
    Err(
        "its first line is not the header of NPRI releases, NPRI locations, GHGRP emissions by gas \
         or CESI large facilities",
    )
}
