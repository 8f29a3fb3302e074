//! Facets count and sum every match, on every page, to the last digit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeMap;

use outfall_records::Decimal;
use serde_json::Value;
use serde_json::value::RawValue;
use support::{Answer, Server};

/// Every facet, with the fields of a record that hold its value and its English name.
const FIELDS: [(&str, &str, &str); 8] = [
    ("province", "province", ""),
    ("year", "year", "year"),
    ("naics_code", "naics_code", "naics_en"),
    ("substance", "substance_id", "substance_en"),
    ("medium", "medium_en", "medium_en"),
    ("facility", "facility_id", "facility_name"),
    ("company", "company_name", "company_name"),
    ("units", "units", "units"),
];

/// Requests without facets, which match all, most, few or no records.
const LISTS: [&str; 8] = [
    "/release?",
    "/release?q=-mercury",
    "/release?q=mercury",
    "/release?province=ON&province=AB&date_from=2010",
    "/release?q=dioxins&sort_by=value",
    "/release?q=%22no+such+words%22",
    "/emission?",
    "/emission?date_to=2015&sort_order=asc",
];

/// Counts and sums by value; the empty text stands for `null`.
type Table = BTreeMap<String, (u64, BTreeMap<String, Decimal>)>;

/// The facet that a list must have, counted from every one of its records.
fn recounted(server: &Server, list: &str, field: &str) -> Table {
    let mut table = Table::new();
    for line in server.get(&format!("{list}&format=ndjson")).body.lines() {
        let record: BTreeMap<&str, &RawValue> = serde_json::from_str(line).unwrap();
        let text = |field: &str| match record[field].get() {
            "null" => String::new(),
            text if text.starts_with('"') => serde_json::from_str(text).unwrap(),
            number => number.to_owned(),
        };
        let (count, sums) = table.entry(text(field)).or_default();
        *count += 1;
        let (name, value) = match record.get("total_co2e") {
            Some(_) => ("tonnes", text("total_co2e")),
            None if text("units") == "g TEQ" => ("g_teq", text("quantity")),
            None => ("kg", text("quantity_kg")),
        };
        *sums.entry(name.to_owned()).or_default() += value.parse::<Decimal>().unwrap();
    }
    table
}

/// The facet of an answer, by its values or by its English names.
fn counted(answer: &Answer, facet: &str, key: &str) -> Table {
    let body: BTreeMap<&str, &RawValue> = serde_json::from_str(&answer.body).unwrap();
    let facets: BTreeMap<&str, &RawValue> = serde_json::from_str(body["facets"].get()).unwrap();
    let entries: Vec<BTreeMap<&str, &RawValue>> =
        serde_json::from_str(facets[facet].get()).unwrap();
    let entry = |entry: &BTreeMap<&str, &RawValue>| {
        let key: Option<String> = serde_json::from_str(entry[key].get()).unwrap();
        let sums: BTreeMap<String, &RawValue> = serde_json::from_str(entry["sum"].get()).unwrap();
        let sums = sums.into_iter().filter(|(_, sum)| sum.get() != "null");
        let sums = sums.map(|(name, sum)| (name, sum.get().parse().unwrap())).collect();
        (key.unwrap_or_default(), (entry["count"].get().parse().unwrap(), sums))
    };
    entries.iter().map(entry).collect()
}

fn is_on(facet: &str, list: &str) -> bool {
    list.starts_with("/release") || !["substance", "medium", "units"].contains(&facet)
}

#[test]
fn facets_are_what_a_recount_of_every_record_gives() {
    let server = Server::over_sample();
    for list in LISTS {
        for (facet, field, name) in FIELDS {
            if !is_on(facet, list) {
                continue;
            }
            let target = format!("{list}&limit=0&facets={facet}&facet_limit=1000");
            let answer = server.get(&target);
            let key = if facet == "medium" { "label_en" } else { "value" };
            assert_eq!(counted(&answer, facet, key), recounted(&server, list, field), "{target}");
            if name == field {
                assert_eq!(
                    counted(&answer, facet, "label_en"),
                    recounted(&server, list, name),
                    "{target}"
                );
            }
        }
    }
}

#[test]
fn facets_are_the_same_on_every_page_and_change_no_page() {
    let server = Server::over_sample();
    let facets = "facets=year,facility&facet_limit=3";
    let plain = server.get("/release?q=sulphur+OR+mercury&limit=20").json();
    let first = server.get(&format!("/release?q=sulphur+OR+mercury&limit=20&{facets}"));
    let expected = &first.json()["facets"];
    assert_eq!(expected["facility"].as_array().unwrap().len(), 3);
    let cursor = plain["next_cursor"].as_str().unwrap();
    assert_eq!(first.json()["next_cursor"], cursor);
    assert_eq!(first.json()["results"], plain["results"]);
    assert!(first.header("link").contains(facets), "{}", first.header("link"));
    for rest in ["&limit=0", "&limit=1&offset=30", &format!("&limit=7&cursor={cursor}")] {
        let answer = server.get(&format!("/release?q=sulphur+OR+mercury&{facets}{rest}")).json();
        assert_eq!(&answer["facets"], expected, "{rest}");
        assert_eq!(answer["count"], plain["count"], "{rest}");
    }
    for other in ["", "&facets=year*medium&facet_sort=sum"] {
        let target = format!("/release?q=sulphur+OR+mercury&limit=20&cursor={cursor}{other}");
        assert_eq!(server.get(&target).status, 200, "a walk goes on with or without facets");
    }
}

#[test]
fn facets_of_one_meaning_have_one_answer() {
    let server = Server::over_sample();
    let expected = server.get("/emission?limit=0&facets=province,year");
    for same in ["year,province", "Province,%20YEAR%20", "province,,year,province&facet_limit=20"] {
        let answer = server.get(&format!("/emission?limit=0&facets={same}"));
        assert_eq!(answer.body, expected.body, "{same}");
        assert_eq!(answer.header("etag"), expected.header("etag"), "{same}");
    }
    let crossed = server.get("/emission?limit=0&facets=year*province");
    for same in ["YEAR%20*%20Province", "%20year*province,year%2Aprovince"] {
        let answer = server.get(&format!("/emission?limit=0&facets={same}"));
        assert_eq!(answer.body, crossed.body, "{same}");
    }
    for other in ["province", "province,year&facet_limit=2", "province,year&facet_sort=sum"] {
        let answer = server.get(&format!("/emission?limit=0&facets={other}"));
        assert_ne!(answer.header("etag"), expected.header("etag"), "{other}");
    }
    assert_eq!(server.get("/emission?limit=0").json()["facets"], Value::Null);
}

#[test]
fn what_a_list_leaves_out_is_told() {
    let server = Server::over_sample();
    let codes = |target: &str| -> Vec<String> {
        let page = server.get(target).json();
        let warnings = page["warnings"].as_array().cloned().unwrap_or_default();
        warnings.iter().map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
    };
    for (target, expected) in [
        ("/release?limit=0&substance=7446-09-5&facets=year,province,medium,units", &[][..]),
        ("/release?limit=0&substance=7446-09-5&facets=facility&facet_limit=2", &["facet-limited"]),
        (
            "/release?limit=0&substance=7446-09-5&facets=year*facility&facet_limit=1",
            &["facet-limited"],
        ),
        ("/release?limit=0&facets=year", &["mixed-substances"]),
        ("/release?limit=0&facets=year*substance&facet_limit=1000", &["mixed-substances"]),
        ("/release?limit=0&facets=substance&facet_limit=1000", &[]),
        ("/release?limit=0&facets=facility,company", &["facet-limited", "mixed-substances"]),
        ("/emission?limit=0&facets=year,province", &[]),
        ("/emission?limit=0&facets=facility", &["facet-limited"]),
        ("/release?limit=0&q=zzz&facets=facility,year", &[]),
        ("/release?limit=0&facet_sort=sum&facet_limit=0", &[]),
    ] {
        assert_eq!(codes(target), expected, "{target}");
    }
    let page =
        server.get("/release?limit=0&facets=facility,year,year*company&facet_limit=2").json();
    let [limited, mixed] = [&page["warnings"][0], &page["warnings"][1]];
    let detail = limited["detail"].as_str().unwrap();
    assert!(detail.contains("facility, year*company;"), "{detail}");
    let substances = server.get("/release?limit=0&facets=substance&facet_limit=0").json();
    assert_eq!(mixed["substances"], substances["facet_info"]["substance"]["values"]);
    let count = mixed["substances"].to_string();
    assert!(mixed["detail"].as_str().unwrap().contains(&count), "{mixed}");
    for (facet, whole) in [("facility", "facility"), ("year", "year"), ("year*company", "year")] {
        let info = &page["facet_info"][facet];
        let listed = page["facets"][facet].as_array().unwrap();
        let counts = listed.iter().map(|entry| entry["count"].as_u64().unwrap());
        match facet == whole {
            true => {
                let left_out = info["left_out_count"].as_u64().unwrap();
                assert_eq!(counts.sum::<u64>() + left_out, page["count"].as_u64().unwrap());
                assert_eq!(
                    info["values"],
                    info["left_out"].as_u64().unwrap() + listed.len() as u64
                );
            }
            false => assert_eq!(counts.sum::<u64>(), page["count"].as_u64().unwrap()),
        }
    }
}

#[test]
fn a_facility_is_where_its_newest_record_says() {
    let server = Server::over_sample();
    for target in
        ["/release?q=mercury&province=ON", "/emission?date_to=2015", "/release?date_to=1999"]
    {
        let page = server.get(&format!("{target}&limit=0&facets=facility&facet_limit=1000")).json();
        let entries = page["facets"]["facility"].as_array().unwrap();
        assert!(!entries.is_empty(), "{target}");
        for entry in entries.iter().step_by(7) {
            let id = entry["value"].as_str().unwrap();
            let newest = server.get(&format!("{target}&facility_id={id}&limit=1")).json();
            for field in ["province", "city", "latitude", "longitude"] {
                assert_eq!(entry[field], newest["results"][0][field], "{target} {id} {field}");
            }
        }
    }
}

#[test]
fn a_facet_is_read_as_it_is_written() {
    let server = Server::over_sample();
    let mut all = String::new();
    for target in [
        "/release?limit=0&facets=province,medium,units&q=dioxins+OR+benzene&facet_limit=3",
        "/release?limit=0&facets=substance,facility,company,naics_code&facet_limit=1",
        "/release?limit=0&q=sulphur&facets=substance,facility&facet_limit=2&facet_sort=sum",
        "/release?limit=0&substance=7446-09-5&date_from=2023&facets=year*medium,year",
        "/emission?limit=0&facets=province&facet_limit=2",
        "/emission?limit=0&facets=company&q=zzz",
    ] {
        all += &format!("GET {target}\n{}\n\n", server.get(target).body);
    }
    insta::assert_snapshot!("facets", all);
    let provinces = server.get("/release?limit=0&facets=province&facet_limit=1000").json();
    for entry in provinces["facets"]["province"].as_array().unwrap() {
        // The parameter takes the value as it is.
        let Some(code) = entry["value"].as_str() else { continue };
        let answer = server.get(&format!("/release?limit=0&province={code}"));
        assert_eq!(entry["count"], answer.count(), "{entry}");
    }
}
