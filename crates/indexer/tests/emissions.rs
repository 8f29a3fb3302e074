//! Rows of the GHGRP and CESI files, from the file to the record.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use outfall_records::FacilityId;
use serde_json::{Value, json};
use support::{CANARY, Changes, cesi, dataset, emissions, ghgrp, json as records, npri, rejects};

#[test]
fn a_row_becomes_a_record() {
    let [record] = emissions(&[ghgrp(&[&[]])]).try_into().unwrap();
    let expected = json!({
        "record_id": "G10001:2020", "facility_name": "Division Alma",
        "company_name": "Produits forestiers Boréal", "total_co2e": 52134.791, "province": "QC",
        "naics_code": "322111", "year": 2020, "facility_id": "G10001", "npri_id": "983",
        "city": "Alma", "naics_en": "Mechanical Pulp Mills",
        "naics_fr": "Usines de pâte mécanique", "co2": 35709, "ch4_co2e": 16261.756,
        "n2o_co2e": 164.035, "hfc_co2e": null, "pfc_co2e": null, "sf6_co2e": null,
        "total_co2e_units": "tonnes CO2e", "latitude": 48.565, "longitude": -71.65556,
        "source_url": "https://climate-change.canada.ca/facility-emissions/GHGRP-G10001-2020.html",
    });
    assert_eq!(record, expected);
}

#[test]
fn cells_are_read_by_the_rules_of_the_official_files() {
    for (column, cell, field, expected) in [
        ("npri", "0", "npri_id", json!(null)),
        ("npri", "", "npri_id", json!(null)),
        ("npri", "0000000042", "npri_id", json!("42")),
        ("province", "Newfoundland and Labrador", "province", json!("NL")),
        ("province", "", "province", json!(null)),
        ("city", "n/a", "city", json!(null)),
        ("latitude", "0.00000000", "latitude", json!(null)),
        ("latitude", "", "latitude", json!(null)),
        ("legal", "Ne pas prendre - Empty", "company_name", json!("Ne pas prendre - Empty")),
        ("co2", "", "co2", json!(null)),
        ("co2", "0", "co2", json!(0)),
        ("hfc", "12.50", "hfc_co2e", json!(12.5)),
        ("sf6", "1e3", "sf6_co2e", json!(1000)),
        ("total", "0", "total_co2e", json!(0)),
        ("id", "10002", "facility_id", json!("G10002")),
    ] {
        let [record] = emissions(&[ghgrp(&[&[(column, cell)]])]).try_into().unwrap();
        assert_eq!(record[field], expected, "{column} {cell:?}");
    }
}

#[test]
fn rows_that_cannot_be_right_are_rejected_by_name() {
    for (column, cell, expected) in [
        ("total", "", "missing-value Total Emissions (tonnes CO2e)="),
        ("total", "-1", "invalid-number Total Emissions (tonnes CO2e)=-1"),
        ("co2", "NaN", "invalid-number CO2 (tonnes)=NaN"),
        ("id", "", "invalid-facility-id GHGRP ID No.="),
        ("npri", "x", "invalid-facility-id Facility NPRI ID=x"),
        ("year", "04", "invalid-year Reference Year=04"),
        ("province", "Atlantis", "invalid-province Facility Province or Territory=Atlantis"),
        ("latitude", "91", "invalid-number Latitude=91"),
        ("longitude", "west", "invalid-number Longitude=west"),
    ] {
        let dataset = dataset(&[ghgrp(&[&[(column, cell)]])]);
        assert_eq!(rejects(&dataset), [format!("2 {expected}")], "{column} {cell:?}");
    }
}

#[test]
fn the_total_is_known_by_how_its_name_begins() {
    let text = String::from_utf8(ghgrp(&[&[]])).unwrap();
    let old = "Total Emissions (tonnes CO2e) / Émissions totales (tonnes éq. CO2)";
    for new in [
        "Total Emissions (tonnes CO2e) / Émissions totales (tonnes éq. CO2) - excl. CO2bio",
        "Total Emissions (tonnes CO2e) - excl. CO2bio / Émissions totales - sans CO2bio",
        "Total Emissions (tonnes CO2e)",
    ] {
        let [record] = emissions(&[text.replace(old, new).into_bytes()]).try_into().unwrap();
        assert_eq!(record["total_co2e"], json!(52134.791), "{new}");
    }
}

#[test]
fn nothing_of_a_contact_comes_out_of_a_build() {
    let spoiled: [Changes<'_>; 4] = [&[], &[("total", "")], &[("year", "x")], &[("city", "a\nb")]];
    let text = String::from_utf8(ghgrp(&spoiled)).unwrap();
    let damaged = [
        text.clone(),
        text.replace(",\"35709\"", ",35\"709"),
        text.replace(CANARY, &format!("{CANARY}\n{CANARY}")),
        text.replace(&format!("\"{CANARY}\",\"{CANARY}\""), &format!("{CANARY},{CANARY},x")),
        text.replace(&format!("\"{CANARY}\""), &format!("\"{CANARY}")),
        text.replace(&format!("\"{CANARY}\""), &format!("{CANARY}\n{CANARY}")),
    ];
    for text in damaged {
        let dataset = dataset(&[text.clone().into_bytes()]);
        let everything = format!("{dataset:?} {}", dataset.report);
        assert!(!everything.contains("canary"), "{text}");
    }
}

#[test]
fn a_restated_year_replaces_and_the_ghgrp_counts_more_than_cesi() {
    let totals = |files: &[Vec<u8>]| {
        let shown: Vec<String> = emissions(files)
            .iter()
            .map(|record| format!("{}={}", record["record_id"], record["total_co2e"]))
            .collect();
        shown.join(" ").replace('"', "")
    };
    let old = ghgrp(&[&[("total", "1")], &[("total", "5"), ("year", "2019")]]);
    let new = ghgrp(&[&[("total", "2")]]);
    let link: Changes<'_> = &[("year", "2020")];
    let other = cesi(&[link, &[("year", "2018"), ("total", "3")]]);
    for (files, expected) in [
        (vec![old.clone(), new.clone()], "G10001:2020=2 G10001:2019=5"),
        (vec![new.clone(), old.clone()], "G10001:2020=1 G10001:2019=5"),
        (vec![new.clone(), other.clone()], "G10001:2020=2 G10001:2018=3000"),
        (vec![other.clone(), new.clone()], "G10001:2020=2 G10001:2018=3000"),
        (vec![ghgrp(&[&[("total", "1")], &[("total", "9")]])], "G10001:2020=9"),
    ] {
        assert_eq!(totals(&files), expected);
    }
    let superseded = |files: &[Vec<u8>]| {
        let report = dataset(files).report;
        report.files.iter().map(|file| file.superseded).collect::<Vec<_>>()
    };
    assert_eq!(superseded(&[old, new.clone()]), [1, 0]);
    assert_eq!(superseded(&[new, other]), [0, 1]);
}

#[test]
fn cesi_rows_become_emissions_in_tonnes() {
    let [record] = emissions(&[cesi(&[&[("city", "N/A"), ("latitude", "0")]])]).try_into().unwrap();
    for (field, expected) in [
        ("record_id", json!("G10001:2017")),
        ("total_co2e", json!(1_047_650)),
        ("naics_code", json!("322111")),
        ("naics_en", json!("Mechanical Pulp Mills")),
        ("city", json!(null)),
        ("latitude", json!(null)),
        ("longitude", json!(-71.65556)),
        ("province", json!("QC")),
        ("co2", json!(null)),
        ("npri_id", json!(null)),
    ] {
        assert_eq!(record[field], expected, "{field}");
    }
    let dataset = dataset(&[cesi(&[&[("units", "short tons")], &[("total", "n/a")]])]);
    let expected = ["2 invalid-units Units=short tons", "4 missing-value Total emissions=n/a"];
    assert_eq!(rejects(&dataset), expected);
}

#[test]
fn blanks_are_filled_with_what_is_known() {
    let rows: [Changes<'_>; 4] = [
        &[("year", "2010"), ("npri", "11"), ("facility", "Old")],
        &[("year", "2012"), ("npri", "12"), ("facility", "New")],
        &[("year", "2014"), ("npri", "0"), ("facility", ""), ("naics_fr", "")],
        &[("id", "G2"), ("npri", ""), ("naics", "111111"), ("naics_en", ""), ("naics_fr", "")],
    ];
    let releases = npri(&[&[("naics", "111111"), ("naics_en", "Soybeans"), ("naics_fr", "Soya")]]);
    let dataset = dataset(&[ghgrp(&rows), releases]);
    let shown = records(&dataset.tables.emissions);
    let found = |id: &str| shown.iter().find(|record| record["record_id"] == id).unwrap();
    let filled = found("G10001:2014");
    assert_eq!((&filled["facility_name"], &filled["npri_id"]), (&json!("New"), &json!("12")));
    assert_eq!(filled["naics_fr"], "Usines de pâte mécanique");
    assert_eq!(found("G10001:2010")["npri_id"], "11", "a row's own id stays");
    let other = found("G00002:2020");
    assert_eq!((&other["naics_en"], &other["npri_id"]), (&json!("Soybeans"), &json!(null)));
    let record = dataset.tables.emissions.record(1);
    assert_eq!(record.site().every_name, ["New", "Old"]);
    assert_eq!(record.site().trade_name.as_deref(), Some("Boreal FP"));
}

#[test]
fn releases_show_the_linked_facility_that_reported_latest() {
    let rows: [Changes<'_>; 4] = [
        &[("id", "G3"), ("year", "2019"), ("npri", "1")],
        &[("id", "G7"), ("year", "2021"), ("npri", "1")],
        &[("id", "G5"), ("year", "2021"), ("npri", "1")],
        &[("id", "G9"), ("year", "2022"), ("npri", "2")],
    ];
    let dataset = dataset(&[npri(&[&[]]), ghgrp(&rows)]);
    let record = dataset.tables.releases.record(0);
    let ids = |ids: &[FacilityId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(records(&dataset.tables.releases)[0]["ghgrp_id"], "G00005");
    assert_eq!(ids(&record.site().linked_ids), ["G00005", "G00007", "G00003"]);
    assert_eq!(ids(&dataset.tables.emissions.record(0).site().linked_ids), ["2"]);
}

#[test]
fn equal_titles_of_one_year_go_by_the_order_of_the_file() {
    let rows: [Changes<'_>; 3] = [
        &[("id", "G3"), ("naics_en", "Third")],
        &[("id", "G2"), ("naics_en", "Second")],
        &[("id", "G1"), ("naics_en", "")],
    ];
    let filled: Vec<Value> = emissions(&[ghgrp(&rows)]);
    assert_eq!(filled[0]["naics_en"], "Second");
}

#[test]
fn a_facility_and_year_given_twice_in_a_file_is_reported_and_the_later_row_taken() {
    type Table = fn(&[Changes<'_>]) -> Vec<u8>;
    let rows: [Changes<'_>; 4] = [
        &[("year", "2019"), ("total", "1")],
        &[("year", "2020"), ("total", "2")],
        &[("year", "2019"), ("total", "3")],
        &[("year", "2019"), ("total", "4")],
    ];
    for (table, tonnes) in [(ghgrp as Table, 1), (cesi, 1000)] {
        let other: Changes<'_> = &[("year", "2020"), ("total", "5")];
        let dataset = dataset(&[table(&rows), table(&[other])]);
        let [twice, once] = &dataset.report.files[..] else { panic!("two files") };
        let [first, second] = &twice.repeated.first[..] else { panic!("{:?}", twice.repeated) };
        assert_eq!((twice.repeated.rows, twice.superseded), (2, 3));
        assert_eq!((first.record_id.as_str(), first.line), ("G10001:2019", 2));
        assert_eq!(first.again_in_line, second.line);
        assert!(second.line < second.again_in_line, "{second:?}");
        assert_eq!((once.repeated.rows, once.superseded), (0, 0));
        let told = twice.to_string();
        let again = format!("line 2: G10001:2019, again in line {}", second.line);
        assert!(told.contains("of the same facility and year as a later row"), "{told}");
        assert!(told.contains(&again), "{told}");
        let totals: Vec<Value> = records(&dataset.tables.emissions)
            .iter()
            .map(|record| record["total_co2e"].clone())
            .collect();
        assert_eq!(totals, [json!(5 * tonnes), json!(4 * tonnes)]);
    }
}
