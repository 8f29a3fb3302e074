//! Rows of NPRI releases, from the file to the record.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use outfall_records::{Record, Tables};
use serde_json::{Value, json};
use support::{Changes, dataset, json as records, locations, npri, rejects, releases};

#[test]
fn a_row_becomes_a_record() {
    let [record] = releases(&[npri(&[&[]])]).try_into().unwrap();
    let expected = json!({
        "record_id": "1:2020:71-43-2:air", "facility_name": "Alma Mill",
        "substance_en": "Benzene", "substance_fr": "Benzène", "quantity": 1.5, "units": "tonnes",
        "medium_en": "Air", "province": "QC", "facility_id": "1", "year": 2020,
        "substance_id": "71-43-2", "cas_number": "71-43-2", "medium_fr": "Air",
        "company_name": "Boreal Pulp Ltd.", "city": null, "naics_code": "322112",
        "naics_en": "Chemical Pulp Mills", "naics_fr": "Usines de pâte chimique",
        "quantity_kg": 1500,
        "breakdown": [{"category_en": "Stack / Point", "category_fr": "Cheminée",
            "quantity": 1.5, "estimation_method": "C - Mass Balance"}],
        "latitude": null, "longitude": null, "ghgrp_id": null,
        "source_url": outfall_records::RELEASE_SOURCE_URL,
    });
    assert_eq!(record, expected);
}

#[test]
fn cells_are_read_by_the_rules_of_the_official_files() {
    for (column, cell, field, expected) in [
        ("id", " 0000000042 ", "facility_id", json!("42")),
        ("year", " 1993 ", "year", json!(1993)),
        ("cas", "7446-09-05", "substance_id", json!("7446-09-5")),
        ("cas", "7783-06-04 0:00", "substance_id", json!("7783-06-4")),
        ("cas", "NA - D/F", "substance_id", json!("NA-DF")),
        ("cas", "NA - M16", "cas_number", json!(null)),
        ("quantity", "4.00E-06", "quantity", json!(0.000004)),
        ("quantity", " 1\u{a0}047.650 ", "quantity", json!(1047.65)),
        ("quantity", "12\u{202f}345", "quantity", json!(12345)),
        ("quantity", "0", "quantity", json!(0)),
        ("units", "g TEQ(ET)", "units", json!("g TEQ")),
        ("units", "g TEQ", "quantity_kg", json!(null)),
        ("units", "grams", "quantity_kg", json!(0.0015)),
        ("group", "Release to Air", "medium_en", json!("Air")),
        ("group", "Releases to Land", "medium_fr", json!("Sol")),
        ("group", "Releases to Water Bodies", "medium_en", json!("Water")),
        (
            "group",
            "Sum of release to all media (<1tonne)",
            "medium_en",
            json!("All media (<1 tonne)"),
        ),
        ("group", "", "medium_en", json!("Air")),
        ("province", "", "province", json!(null)),
        ("province", " on ", "province", json!("ON")),
        ("company", " Smith &amp;  Sons\tLtd. ", "company_name", json!("Smith & Sons Ltd.")),
        ("company", "(blank)", "company_name", json!(null)),
        ("company", "N/A", "company_name", json!(null)),
        ("company", "na", "company_name", json!(null)),
        ("facility", "Two\nlines", "facility_name", json!("Two lines")),
        ("facility", "the \"Mill\"", "facility_name", json!("the \"Mill\"")),
        ("facility", "(blank)", "facility_name", json!(null)),
        ("naics", "", "naics_code", json!(null)),
        ("naics", "31", "naics_code", json!("31")),
    ] {
        let dataset = dataset(&[npri(&[&[(column, cell)]])]);
        assert_eq!(rejects(&dataset), [""; 0], "{column} {cell:?}");
        assert_eq!(records(&dataset.tables.releases)[0][field], expected, "{column} {cell:?}");
    }
}

#[test]
fn a_blank_method_is_none_and_the_code_na_is_not() {
    for (method, expected) in [
        ("", json!(null)),
        ("NA - Not Applicable", json!("NA - Not Applicable")),
        ("M3 - Source Testing", json!("M3 - Source Testing")),
    ] {
        let [record] = releases(&[npri(&[&[("method", method)]])]).try_into().unwrap();
        assert_eq!(record["breakdown"][0]["estimation_method"], expected);
    }
}

#[test]
fn rows_that_cannot_be_right_are_rejected_by_name() {
    for (column, cell, expected) in [
        ("year", "", "invalid-year Reporting_Year="),
        ("year", "20", "invalid-year Reporting_Year=20"),
        ("year", "1890", "invalid-year Reporting_Year=1890"),
        ("year", "2\n020", "control-character Reporting_Year=2\n020"),
        ("id", "", "invalid-facility-id NPRI_ID="),
        ("id", "0", "invalid-facility-id NPRI_ID=0"),
        ("id", "1a", "invalid-facility-id NPRI_ID=1a"),
        ("cas", "", "invalid-substance CAS_Number="),
        ("cas", "benzene", "invalid-substance CAS_Number=benzene"),
        ("cas", "71-\n43-2", "control-character CAS_Number=71-\n43-2"),
        ("cas", "04/06/7783", "invalid-substance CAS_Number=04/06/7783"),
        ("quantity", "", "missing-value Quantity="),
        ("quantity", " ", "missing-value Quantity="),
        ("quantity", "n/a", "missing-value Quantity=n/a"),
        ("quantity", "NaN", "invalid-number Quantity=NaN"),
        ("quantity", "inf", "invalid-number Quantity=inf"),
        ("quantity", "1e400", "invalid-number Quantity=1e400"),
        ("quantity", "-0.5", "invalid-number Quantity=-0.5"),
        ("quantity", "1,5", "invalid-number Quantity=1,5"),
        ("quantity", "=1+1", "invalid-number Quantity==1+1"),
        ("units", "", "invalid-units Units="),
        ("units", "litres", "invalid-units Units=litres"),
        ("province", "ZZ", "invalid-province PROVINCE=ZZ"),
        ("naics", "pulp", "invalid-naics NAICS=pulp"),
        ("facility", "a\0b", "control-character ="),
    ] {
        let dataset = dataset(&[npri(&[&[("id", "7")], &[(column, cell)]])]);
        assert_eq!(rejects(&dataset), [format!("3 {expected}")], "{column} {cell:?}");
        assert_eq!(dataset.tables.releases.len(), 1);
    }
    let groups: Changes<'_> = &[("group", "Recycling"), ("group_fr", "Recyclage")];
    let dataset = dataset(&[npri(&[groups])]);
    assert_eq!(rejects(&dataset), ["2 invalid-medium Group (English)=Recycling"]);
}

/// The quantity, the unit and the breakdown's quantities of the only record.
fn folded(rows: &[Changes<'_>]) -> String {
    let tables = dataset(&[npri(rows)]).tables.releases;
    assert_eq!(tables.len(), 1);
    let Record::Release(release) = tables.record(0) else {
        panic!("a release");
    };
    let parts = release.breakdown.iter().map(|part| part.quantity.to_string());
    let parts: Vec<String> = parts.collect();
    format!("{} {} = {}", release.quantity, release.unit.name(), parts.join(" + "))
}

#[test]
fn rows_of_one_record_are_added_exactly_in_their_largest_unit() {
    let q = |quantity, units| [("quantity", quantity), ("units", units)];
    for (rows, expected) in [
        (vec![q("0.1", "tonnes"), q("0.2", "tonnes")], "0.3 tonnes = 0.1 + 0.2"),
        (vec![q("0.5", "kg"), q("0.50", "kg")], "1 kg = 0.5 + 0.5"),
        (vec![q("1", "kg"), q("1", "grams")], "1.001 kg = 1 + 0.001"),
        (
            vec![q("1", "grams"), q("2", "tonnes"), q("3", "kg")],
            "2.003001 tonnes = 0.000001 + 2 + 0.003",
        ),
        (vec![q("0.1", "g TEQ"), q("0.2", "g TEQ(ET)")], "0.3 g TEQ = 0.1 + 0.2"),
        (vec![q("1", "kg"), q("9", "g TEQ"), q("2", "kg")], "3 kg = 1 + 2"),
        (vec![q("1", "kg"), q("1", "kg"), q("1", "kg")], "3 kg = 1 + 1 + 1"),
    ] {
        let rows: Vec<Changes<'_>> = rows.iter().map(|row| row.as_slice()).collect();
        assert_eq!(folded(&rows), expected);
    }
    let dataset = dataset(&[npri(&[&[("units", "kg")], &[("units", "g TEQ")]])]);
    assert_eq!(rejects(&dataset), ["3 mixed-teq Units=g TEQ"]);
    let huge: [Changes<'_>; 2] = [
        &[("quantity", "999999999999.5")],
        &[("quantity", "0.000000000000001"), ("units", "grams")],
    ];
    let dataset = support::dataset(&[npri(&huge)]);
    assert_eq!(rejects(&dataset), ["3 invalid-number Quantity=0.000000000000001"]);
}

#[test]
fn amounts_that_cannot_be_added_up_stop_the_build() {
    // The largest number of a row, in tonnes, has room 170,141 times.
    let ids: Vec<String> = (1..=170_142).map(|id| id.to_string()).collect();
    let largest = ("quantity", "999999999999.999999999999999");
    let rows: Vec<[(&str, &str); 2]> =
        ids.iter().map(|id| [("id", id.as_str()), largest]).collect();
    let rows: Vec<Changes<'_>> = rows.iter().map(|row| row.as_slice()).collect();
    let whole = support::try_read(&[npri(&rows[1..])]);
    assert_eq!(whole.unwrap().tables.releases.len(), ids.len() - 1);
    let error = support::try_read(&[npri(&rows)]).unwrap_err();
    assert_eq!(error.exit_code(), 65);
    assert_eq!(
        error.to_string(),
        "the numbers of the releases up to 9:2020:71-43-2:air are too large to be added up: \
         together they are more than 1.7e20; check the files for impossible numbers"
    );
}

#[test]
fn every_medium_is_a_record_of_its_own() {
    let media = ["Releases to Water Bodies", "Releases to Air", "Releases to Land"];
    let rows: Vec<[(&str, &str); 1]> = media.iter().map(|group| [("group", *group)]).collect();
    let rows: Vec<Changes<'_>> = rows.iter().map(|row| row.as_slice()).collect();
    let ids: Vec<Value> =
        releases(&[npri(&rows)]).into_iter().map(|record| record["record_id"].clone()).collect();
    assert_eq!(ids, ["1:2020:71-43-2:air", "1:2020:71-43-2:land", "1:2020:71-43-2:water"]);
}

#[test]
fn the_last_row_of_a_record_wins_and_a_blank_wins_nothing() {
    let first: Changes<'_> = &[
        ("facility", "Old Mill"),
        ("company", "Old Co."),
        ("substance_en", "Benzol"),
        ("naics", "322111"),
        ("naics_en", "Mechanical"),
        ("province", "ON"),
    ];
    let last: Changes<'_> = &[("company", ""), ("province", ""), ("substance_en", "")];
    let [record] = releases(&[npri(&[first, last])]).try_into().unwrap();
    for (field, expected) in [
        ("facility_name", "Alma Mill"),
        ("company_name", "Old Co."),
        ("substance_en", "Benzol"),
        ("substance_fr", "Benzène"),
        ("province", "ON"),
        ("naics_code", "322112"),
        ("naics_en", "Chemical Pulp Mills"),
    ] {
        assert_eq!(record[field], expected, "{field}");
    }
    // A title belongs to its code: it never comes from a row with another code.
    let last: Changes<'_> = &[("naics", "999999"), ("naics_en", ""), ("naics_fr", "")];
    let [record] = releases(&[npri(&[first, last])]).try_into().unwrap();
    assert_eq!((&record["naics_code"], &record["naics_en"]), (&json!("999999"), &json!(null)));
}

#[test]
fn blanks_are_filled_with_what_is_known_of_other_years() {
    let rows: [Changes<'_>; 5] = [
        &[("year", "2021"), ("facility", "New Mill"), ("naics_en", "New title")],
        &[("year", "2019"), ("facility", "Old Mill")],
        &[("year", "2021"), ("cas", "50-00-0"), ("facility", "Newest Mill")],
        &[("year", "2022"), ("facility", ""), ("naics_en", ""), ("company", "")],
        &[("year", "2022"), ("id", "2"), ("facility", "(blank)")],
    ];
    let dataset = dataset(&[npri(&rows)]);
    let shown = records(&dataset.tables.releases);
    let filled = &shown[0];
    assert_eq!(filled["record_id"], "1:2022:71-43-2:air");
    assert_eq!(filled["facility_name"], "Newest Mill");
    assert_eq!(filled["naics_en"], "Chemical Pulp Mills", "the last row of the latest year");
    assert_eq!(filled["company_name"], json!(null));
    assert_eq!(shown[1]["facility_name"], json!(null));
    let record = dataset.tables.releases.record(0);
    assert_eq!(record.site().every_name, ["Newest Mill", "New Mill", "Old Mill"]);
    assert_eq!(record.substance().unwrap().every_name, ["Benzene", "Benzène"]);
}

#[test]
fn the_title_of_the_older_edition_is_english() {
    let text = String::from_utf8(npri(&[&[]])).unwrap();
    let text = text
        .replace("\"NAICS Title EN / Titre Code SCIAN EN\"", "\"NAICS Title / Titre Code_SCIAN\"");
    let text = text.replace("\"NAICS Title FR / Titre Code SCIAN FR\",", "");
    let text = text.replace("\"Usines de pâte chimique\",", "");
    let dataset = dataset(&[text.into_bytes()]);
    assert_eq!(dataset.report.files[0].source.vintage, "17 columns, until 2023");
    let [record] = records(&dataset.tables.releases).try_into().unwrap();
    assert_eq!(record["naics_en"], "Chemical Pulp Mills");
    assert_eq!(record["naics_fr"], json!(null));
}

#[test]
fn a_date_is_recovered_only_with_one_substance_of_that_name() {
    let h2s = [("cas", "7783-06-04"), ("substance_en", "Hydrogen sulphide")];
    let date = |text, name| [("year", "2021"), ("cas", text), ("substance_en", name)];
    for (row, expected) in [
        (date("04/06/7783", "HYDROGEN Sulphide"), Some("1:2021:7783-06-4:air")),
        (date("06/04/7783", "Hydrogen sulphide"), Some("1:2021:7783-06-4:air")),
        (date("04/06/7783", "Hydrogen"), None),
        (date("04/06/7784", "Hydrogen sulphide"), None),
    ] {
        // The default row has the French name of another substance.
        let row = [&row[..], &[("substance_fr", "")]].concat();
        let dataset = dataset(&[npri(&[&row, &h2s])]);
        let ids: Vec<Value> = records(&dataset.tables.releases)
            .iter()
            .map(|record| record["record_id"].clone())
            .collect();
        match expected {
            Some(id) => assert_eq!(ids[0], id),
            None => {
                assert_eq!(ids, ["1:2020:7783-06-4:air"]);
                assert_eq!(rejects(&dataset).len(), 1);
            }
        }
    }
    // A name that only a rejected row gives is not known.
    let blank = [&h2s[..], &[("quantity", "")]].concat();
    let date = [&date("04/06/7783", "Hydrogen sulphide")[..], &[("substance_fr", "")]].concat();
    assert!(dataset(&[npri(&[&blank, &date])]).tables.releases.is_empty());
}

#[test]
fn a_later_file_replaces_whole_records() {
    let old: [Changes<'_>; 3] = [
        &[("quantity", "5"), ("category", "Fugitive")],
        &[("quantity", "7")],
        &[("quantity", "3"), ("year", "2019")],
    ];
    let new: [Changes<'_>; 1] = [&[("quantity", "1")]];
    let dataset = dataset(&[npri(&old), npri(&new)]);
    let shown = records(&dataset.tables.releases);
    let quantities: Vec<&Value> = shown.iter().map(|record| &record["quantity"]).collect();
    assert_eq!(quantities, [&json!(1), &json!(3)]);
    assert_eq!(dataset.report.files[0].superseded, 2);
    assert_eq!(dataset.report.files[1].superseded, 0);
}

#[test]
fn locations_give_city_and_coordinates() {
    let place = |changes: &[Changes<'_>]| {
        let [record] = releases(&[locations(changes), npri(&[&[]])]).try_into().unwrap();
        ["city", "latitude", "longitude"].map(|field| record[field].clone())
    };
    assert_eq!(place(&[&[]]), [json!("Alma"), json!(48.5), json!(-71.6)]);
    assert_eq!(place(&[&[("id", "2")]]), [json!(null), json!(null), json!(null)]);
    assert_eq!(
        place(&[&[("city", "N/A"), ("latitude", "0"), ("longitude", "0.00000000")]]),
        [json!(null), json!(null), json!(null)]
    );
    let several: [Changes<'_>; 4] = [
        &[("year", "2010"), ("city", "Old")],
        &[("year", "2020"), ("city", "First"), ("address", "two\nlines")],
        &[("year", "2020"), ("city", " Last \n  City &amp; District ")],
        &[("year", "2012"), ("city", "Older")],
    ];
    assert_eq!(place(&several)[0], "Last City & District");
}

#[test]
fn records_stand_in_canonical_order_and_sites_in_that_of_their_first_record() {
    let mut rows = Vec::new();
    for year in ["2019", "2020"] {
        for id in ["10", "1", "2", "100"] {
            for cas in ["NA - M16", "71-43-2", "NA - 08", "7446-09-05", "71-43-3"] {
                rows.push([("year", year), ("id", id), ("cas", cas)]);
            }
        }
    }
    let rows: Vec<Changes<'_>> = rows.iter().map(|row| row.as_slice()).collect();
    let tables = dataset(&[npri(&rows)]).tables.releases;
    assert_canonical(&tables);
    assert_eq!(tables.len(), 40);
}

/// Asserts that records are in canonical order, and sites in the order of their first record.
fn assert_canonical(tables: &Tables) {
    let keys: Vec<_> = tables
        .records()
        .map(|record| (std::cmp::Reverse(record.year()), record.record_id()))
        .collect();
    assert!(keys.is_sorted() && keys.windows(2).all(|pair| pair[0] != pair[1]));
    let mut seen = Vec::new();
    for record in tables.records() {
        let site = tables.sites.iter().position(|site| **site == *record.site()).unwrap();
        if !seen.contains(&site) {
            assert_eq!(site, seen.len(), "sites are numbered by their first record");
            seen.push(site);
        }
    }
    assert_eq!(seen.len(), tables.sites.len());
}

#[test]
fn rows_that_are_the_same_in_every_column_are_reported_and_all_counted() {
    let other = &[("method", "O - Engineering Estimates")];
    let dataset = dataset(&[npri(&[&[], &[("year", "2019")], &[], other, &[]]), npri(&[other])]);
    let [twice, once] = &dataset.report.files[..] else { panic!("two files") };
    // The later file replaces the record of 2020, so the first file's rows for it are not counted.
    assert_eq!((twice.repeated.rows, once.repeated.rows), (0, 0));

    let dataset = support::dataset(&[npri(&[&[], &[("year", "2019")], &[], other, &[]])]);
    let repeated = &dataset.report.files[0].repeated;
    assert_eq!(repeated.rows, 2);
    let lines: Vec<_> = repeated.first.iter().map(|row| (row.line, row.again_in_line)).collect();
    assert_eq!(lines, [(2, 4), (4, 6)]);
    assert_eq!(repeated.first[0].record_id, "1:2020:71-43-2:air");
    let told = dataset.report.files[0].to_string();
    assert!(told.contains("the same in every column as a later row; each is counted: 2"), "{told}");
    assert_eq!(records(&dataset.tables.releases)[0]["quantity"], json!(6));
}
