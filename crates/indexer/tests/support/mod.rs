//! Writes small official files row by row, and reads them.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "every test file compiles this module for itself and uses a part of it"
)]

pub(crate) mod packed;

use std::fs;
use std::path::PathBuf;

use outfall_indexer::{BuildOptions, Dataset, ReadError, Silent, read};
use outfall_records::Tables;
use serde_json::Value;
use tempfile::TempDir;

/// The 18 columns of NPRI releases from 2024 on: the short names that tests use, and the names in
/// the header.
pub(crate) const NPRI: [(&str, &str); 18] = [
    ("year", "Reporting_Year / Année"),
    ("id", "NPRI_ID / No_INRP"),
    ("company", "Company_Name / Dénomination_sociale_de_l'entreprise"),
    ("facility", "Facility_Name / Installation"),
    ("naics", "NAICS / Code_SCIAN"),
    ("naics_en", "NAICS Title EN / Titre Code SCIAN EN"),
    ("naics_fr", "NAICS Title FR / Titre Code SCIAN FR"),
    ("province", "PROVINCE"),
    ("cas", "CAS_Number / No_CAS"),
    ("substance_en", "Substance Name (English) / Nom de substance (Anglais)"),
    ("substance_fr", "Substance Name (French) / Nom de substance (Français)"),
    ("group", "Group (English) / Groupe (Anglais)"),
    ("group_fr", "Group (French) / Groupe (Français)"),
    ("category", "Category (English) / Catégorie (Anglais)"),
    ("category_fr", "Category (French) / Catégorie (Français)"),
    ("quantity", "Quantity / Quantité"),
    ("units", "Units / Unités"),
    ("method", "Estimation_Method / Méthode_d’estimation"),
];

const NPRI_DEFAULTS: [&str; 18] = [
    "2020",
    "1",
    "Boreal Pulp Ltd.",
    "Alma Mill",
    "322112",
    "Chemical Pulp Mills",
    "Usines de pâte chimique",
    "QC",
    "71-43-2",
    "Benzene",
    "Benzène",
    "Releases to Air",
    "Rejets à l'air",
    "Stack / Point",
    "Cheminée",
    "1.5",
    "tonnes",
    "C - Mass Balance",
];

/// The columns of the GHGRP file that are read, and those between them that are not.
pub(crate) const GHGRP: [(&str, &str); 24] = [
    ("id", "GHGRP ID No. / No d'identification du PDGES"),
    ("year", "Reference Year / Année de référence"),
    ("facility", "Facility Name / Nom de l'installation"),
    (
        "city",
        "Facility City or District or Municipality / Ville ou District ou Municipalité de l'installation",
    ),
    ("province", "Facility Province or Territory / Province ou territoire de l'installation"),
    ("latitude", "Latitude"),
    ("longitude", "Longitude"),
    ("npri", "Facility NPRI ID / Numéro d'identification de l'INRP"),
    ("naics", "Facility NAICS Code / Code SCIAN de l'installation"),
    (
        "naics_en",
        "English Facility NAICS Code Description / Description du code SCIAN de l'installation en anglais",
    ),
    (
        "naics_fr",
        "French Facility NAICS Code Description / Description du code SCIAN de l'installation en français",
    ),
    ("legal", "Reporting Company Legal Name / Dénomination sociale de la société déclarante"),
    ("trade", "Reporting Company Trade Name / Nom commercial de la société déclarante"),
    ("contact", "Public Contact Name / Nom du responsable des renseignements au public"),
    (
        "email",
        "Public Contact Email / Adresse électronique du responsable des renseignements au public",
    ),
    ("co2", "CO2 (tonnes)"),
    ("ch4_mass", "CH4 (tonnes)"),
    ("ch4", "CH4 (tonnes CO2e / tonnes éq. CO2)"),
    ("n2o", "N2O (tonnes CO2e / tonnes éq. CO2)"),
    (
        "biomass",
        "CO2 from biomass combustion (tonnes) / CO2 issu de la combustion de biomasse (tonnes)",
    ),
    ("hfc", "HFC Total (tonnes CO2e / tonnes éq. CO2)"),
    ("pfc", "PFC Total (tonnes CO2e / tonnes éq. CO2)"),
    ("sf6", "SF6 (tonnes CO2e / tonnes éq. CO2)"),
    ("total", "Total Emissions (tonnes CO2e) / Émissions totales (tonnes éq. CO2)"),
];

/// The content of every contact cell, which must never come out of a build.
pub(crate) const CANARY: &str = "canary-contact@example.ca";

const GHGRP_DEFAULTS: [&str; 24] = [
    "G10001",
    "2020",
    "Division Alma",
    "Alma",
    "Quebec",
    "48.565",
    "-71.65556",
    "983",
    "322111",
    "Mechanical Pulp Mills",
    "Usines de pâte mécanique",
    "Produits forestiers Boréal",
    "Boreal FP",
    CANARY,
    CANARY,
    "35709",
    "580.777",
    "16261.756",
    "164.035",
    "9",
    "",
    "",
    "",
    "52134.791",
];

/// The header of the CESI file.
pub(crate) const CESI: [(&str, &str); 16] = [
    ("id", "Facility ID"),
    ("facility", "Facility name"),
    ("company", "Company name"),
    ("city", "City"),
    ("address", "Address"),
    ("postal", "Postal code"),
    ("province", "Province"),
    ("latitude", "Latitude"),
    ("longitude", "Longitude"),
    ("total", "Total emissions"),
    ("units", "Units"),
    ("year", "Report year"),
    ("naics_en", "Industry classification"),
    ("link", "Industry classification link"),
    ("information", "Facility information"),
    ("details", "Facility details"),
];

const CESI_DEFAULTS: [&str; 16] = [
    "10001",
    "Division Alma",
    "Produits forestiers Boréal",
    "Alma",
    "1100 Melançon Street",
    "G8B5W2",
    "Quebec",
    "48.565",
    "-71.65556",
    "1 047.65",
    "kilotonnes of carbon dioxide equivalents (kt CO2 eq)",
    "2017",
    "Mechanical Pulp Mills",
    "http://www23.statcan.gc.ca/p3VD.pl?MLV=5&CPV=322111",
    "https://climate-change.canada.ca/GHGRP-G10001-2017.html ",
    "http://indicators-map.canada.ca/App/Detail?id=0110001\n",
];

/// The columns of the location table that are read, and one that is not.
pub(crate) const LOCATIONS: [(&str, &str); 6] = [
    ("year", "Year of last filed report / Année de déclaration la plus récente"),
    ("id", "NPRI ID / ID INRP"),
    ("address", "Address line 1 / Première ligne d’adresse"),
    ("city", "City / Ville"),
    ("latitude", "Latitude / Latitude"),
    ("longitude", "Longitude / Longitude"),
];

const LOCATIONS_DEFAULTS: [&str; 6] =
    ["2020", "0000000001", "1 Mill Road", "Alma", "48.5", "-71.6"];

/// Cells that differ from the default row, by the short name of their column.
pub(crate) type Changes<'a> = &'a [(&'a str, &'a str)];

pub(crate) fn npri(rows: &[Changes<'_>]) -> Vec<u8> {
    table(&NPRI, &NPRI_DEFAULTS, rows)
}

pub(crate) fn ghgrp(rows: &[Changes<'_>]) -> Vec<u8> {
    table(&GHGRP, &GHGRP_DEFAULTS, rows)
}

pub(crate) fn cesi(rows: &[Changes<'_>]) -> Vec<u8> {
    table(&CESI, &CESI_DEFAULTS, rows)
}

pub(crate) fn locations(rows: &[Changes<'_>]) -> Vec<u8> {
    table(&LOCATIONS, &LOCATIONS_DEFAULTS, rows)
}

fn table(columns: &[(&str, &str)], defaults: &[&str], rows: &[Changes<'_>]) -> Vec<u8> {
    let mut writer =
        csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
    writer.write_record(columns.iter().map(|(_, name)| name)).unwrap();
    for changes in rows {
        let mut cells = defaults.to_vec();
        for (column, value) in *changes {
            let place = columns.iter().position(|(short, _)| short == column);
            cells[place.expect("a column of the table")] = value;
        }
        writer.write_record(cells).unwrap();
    }
    writer.into_inner().unwrap()
}

/// Files in a folder that lives as long as they do.
pub(crate) struct Files {
    pub(crate) folder: TempDir,
    pub(crate) paths: Vec<PathBuf>,
}

/// Writes files under the names `0.csv`, `1.csv`, ….
pub(crate) fn written(files: &[Vec<u8>]) -> Files {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> =
        (0..files.len()).map(|number| folder.path().join(format!("{number}.csv"))).collect();
    for (path, bytes) in paths.iter().zip(files) {
        fs::write(path, bytes).unwrap();
    }
    Files { folder, paths }
}

/// Reads the files, allowing any number of rejects.
pub(crate) fn try_read(files: &[Vec<u8>]) -> Result<Dataset, ReadError> {
    let files = written(files);
    let options =
        BuildOptions { max_rejects: 1.0, ..BuildOptions::of_files(files.paths.iter().cloned()) };
    read(&options, &Silent)
}

pub(crate) fn dataset(files: &[Vec<u8>]) -> Dataset {
    let dataset = try_read(files).unwrap();
    for file in &dataset.report.files {
        let rejected: u64 = file.source.rejected.values().sum();
        assert_eq!(
            file.source.accepted + rejected + file.superseded,
            file.source.rows,
            "every row is accepted, rejected or superseded"
        );
    }
    dataset
}

/// The records as clients get them.
pub(crate) fn json(tables: &Tables) -> Vec<Value> {
    tables
        .records()
        .map(|record| serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap())
        .collect()
}

pub(crate) fn releases(files: &[Vec<u8>]) -> Vec<Value> {
    json(&dataset(files).tables.releases)
}

pub(crate) fn emissions(files: &[Vec<u8>]) -> Vec<Value> {
    json(&dataset(files).tables.emissions)
}

/// The rejected rows of all files, as `line reason column=value`.
pub(crate) fn rejects(dataset: &Dataset) -> Vec<String> {
    let rejects = dataset.report.files.iter().flat_map(|file| &file.rejected_rows);
    rejects
        .map(|reject| {
            let column = reject.column.split(" / ").next().unwrap_or_default();
            format!("{} {} {column}={}", reject.line, reject.reason.code(), reject.value)
        })
        .collect()
}
