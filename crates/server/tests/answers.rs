//! The shape of answers, and requests that mean the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use outfall_records::Province;
use support::{Answer, Server};

/// Requests that mean the same, row by row.
const SAME: [&[&str]; 17] = [
    &[
        "/release",
        "/release?",
        "/release?q=&province=&limit=&cursor=",
        "/release?q=%21%3F&offset=0",
    ],
    &[
        "/release?province=QC",
        "/release?province=qc",
        "/release?province=Qu%C3%A9bec",
        "/release?province=quebec",
        "/release?province=PQ",
        "/release?province=+QC+",
    ],
    &[
        "/release?province=BC&province=NL",
        "/release?province=Terre-Neuve-et-Labrador&province=Colombie-Britannique",
        "/release?province=newfoundland&province=british+columbia",
    ],
    &["/release?province=ON", "/release?province=&province=ontario"],
    &[
        "/emission?issued_after=2018-06-30",
        "/emission?date_from=2018",
        "/emission?date_after=2018-01-01",
        "/emission?issued_after=2018&date_from=2018-12-31",
    ],
    &[
        "/emission?issued_before=2018-06-30",
        "/emission?date_to=2018",
        "/emission?date_before=2018-01-01",
    ],
    &["/release?substance=7446-09-05", "/release?substance=7446-09-5"],
    &["/release?substance=NA+-+10", "/release?substance=na-10"],
    &[
        "/release?substance=sulphur+dioxide",
        "/release?substance=Sulfur,+Dioxide",
        "/release?substance=dioxyde+soufre",
        "/release?substance=DIOXYDE+DE+SOUFRE+-",
    ],
    &["/release?naics_code=31-33", "/release?naics_code=33", "/release?naics_code=31"],
    &[
        "/release?sort_by=date",
        "/release?sort_by=published",
        "/release?sort_by=CLOSING&sort_order=DESC",
    ],
    &[
        "/release?value_min=1",
        "/release?value_min=%2B1.0",
        "/release?value_min=+1e0",
        "/release?value_unit=reported&value_min=10e-1",
    ],
    &[
        "/release?value_unit=kg&value_min=1000",
        "/release?value_unit=tonnes&value_min=1",
        "/release?value_unit=G&value_min=1E6",
    ],
    &[
        "/release?q=sulphur+dioxide",
        "/release?q=SULFUR%20dioxide",
        "/release?q=dioxide+AND+sulphur",
    ],
    &["/release?q=%22sulphur+dioxide%22", "/release?q=%E2%80%9Csulfur+dioxide%E2%80%9D"],
    &["/release?facet_limit=3", "/release?facets=", "/release?facets=,", "/release?facet_sort=sum"],
    &["/release?q=-mercury", "/release?q=NOT+mercury", "/release?q=%E2%88%92mercury"],
];

fn records(answer: &Answer) -> (u64, Vec<String>) {
    (answer.count(), answer.ids())
}

#[test]
fn requests_of_one_meaning_have_one_answer() {
    let server = Server::over_sample();
    for same in SAME {
        let [first, rest @ ..] = same else { continue };
        let expected = records(&server.get(first));
        for target in rest {
            assert_eq!(records(&server.get(target)), expected, "{first} {target}");
        }
    }
}

#[test]
fn provinces_are_known_by_every_name() {
    let server = Server::over_sample();
    for province in Province::ALL {
        let by_code = server.get(&format!("/release?limit=3&province={}", province.code()));
        for name in [province.name_en(), province.name_fr()] {
            let name: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let by_name = server.get(&format!("/release?limit=3&province={name}"));
            assert_eq!(records(&by_name), records(&by_code), "{province:?}");
            assert_eq!(by_name.header("etag"), by_code.header("etag"));
        }
        let records = by_code.json()["results"].as_array().unwrap().clone();
        assert!(records.iter().all(|record| record["province"] == province.code()));
    }
}

#[test]
fn the_order_of_parameters_never_matters() {
    let server = Server::over_sample();
    let parameters = ["q=mercury", "province=ON", "province=QC", "sort_by=value", "limit=5"];
    let expected = server.get(&format!("/release?{}", parameters.join("&")));
    for turn in 1..parameters.len() {
        let mut turned = parameters;
        turned.rotate_left(turn);
        let answer = server.get(&format!("/release?{}", turned.join("&")));
        assert_eq!(answer.body, expected.body);
        assert_eq!(answer.header("etag"), expected.header("etag"));
    }
}

#[test]
fn the_envelope_has_its_fields_in_order() {
    let server = Server::over_sample();
    for (target, expected) in [
        ("/release?limit=1", "entity_type count offset limit next_cursor results"),
        ("/emission?limit=0", "entity_type count offset limit next_cursor results"),
        (
            "/release?limit=1&sort_by=value",
            "entity_type count offset limit next_cursor results warnings",
        ),
        (
            "/emission?limit=0&facets=year",
            "entity_type count offset limit next_cursor results facets",
        ),
        (
            "/release?facets=substance&sort_by=value",
            "entity_type count offset limit next_cursor results facets warnings",
        ),
        ("/release?q=%22zzz", "entity_type count offset limit next_cursor results warnings query"),
    ] {
        let body = server.get(target).body;
        let mut places: Vec<(usize, &str)> = Vec::new();
        let fields = "entity_type count offset limit next_cursor results facets warnings query";
        for field in fields.split(' ') {
            let place = body.find(&format!("\"{field}\":"));
            places.extend(place.map(|place| (place, field)));
        }
        places.sort_unstable();
        let found: Vec<&str> = places.into_iter().map(|(_, field)| field).collect();
        assert_eq!(found.join(" "), expected, "{target}: {body}");
    }
    assert!(
        server.get("/emission?limit=0").body.starts_with(r#"{"entity_type":"emission","count":"#)
    );
}

#[test]
fn records_show_their_fields_in_order() {
    let server = Server::over_sample();
    for (target, expected) in [
        (
            "/release?limit=1",
            "record_id facility_name substance_en substance_fr quantity units medium_en province \
             facility_id year substance_id cas_number medium_fr company_name city naics_code \
             naics_en naics_fr quantity_kg breakdown latitude longitude ghgrp_id source_url",
        ),
        (
            "/emission?limit=1",
            "record_id facility_name company_name total_co2e province naics_code year facility_id \
             npri_id city naics_en naics_fr co2 ch4_co2e n2o_co2e hfc_co2e pfc_co2e sf6_co2e \
             total_co2e_units latitude longitude source_url",
        ),
    ] {
        let body = server.get(target).body;
        let record = &body[body.find("\"results\":[").unwrap()..];
        let mut from = 0;
        for field in expected.split_whitespace() {
            let place = record[from..].find(&format!("\"{field}\":"));
            from += place.unwrap_or_else(|| panic!("{field} in {record}"));
        }
    }
}

#[test]
fn warnings_and_terms_say_what_was_odd() {
    let server = Server::over_sample();
    for (target, codes) in [
        ("/release?q=%22mercury", &["unbalanced-quote"][..]),
        ("/release?q=OR+mercury", &["dangling-operator"]),
        ("/release?q=mercury+OR", &["dangling-operator"]),
        ("/release?q=OR+%22mercury", &["unbalanced-quote", "dangling-operator"]),
        ("/release?q=Sainte%22Foy+plant", &["unbalanced-quote"]),
        ("/release?q=oil%22+-Ontario", &["unbalanced-quote"]),
        ("/release?q=oil%C2%AB%E2%88%92Ontario", &["unbalanced-quote"]),
        ("/release?q=lead+OR+-+benzene", &["dangling-operator"]),
        ("/release?q=lead+/+OR+benzene", &["dangling-operator"]),
        ("/release?q=%22lead%22-zinc+(%22gold+ore%22),+/", &["ignored-syntax"]),
        ("/release?q=lead*+substance:zinc", &["ignored-syntax"]),
        ("/release?q=lead+or+zinc", &["ignored-syntax"]),
        ("/release?q=(lead+OR", &["dangling-operator", "ignored-syntax"]),
        ("/release?q=%22lead%22-zinc,+benzo(a)pyrene+/", &[]),
        ("/release?value_min=0", &["mixed-units"]),
        ("/release?sort_by=value", &["mixed-units"]),
        ("/release?sort_by=value&value_unit=kg", &[]),
        ("/release?value_min=0&substance=NA-M16", &[]),
        ("/emission?value_min=0&sort_by=value", &[]),
        ("/release?q=mercury", &[]),
    ] {
        let json = server.get(target).json();
        let warnings = json["warnings"].as_array().into_iter().flatten();
        let mut found: Vec<&str> =
            warnings.map(|warning| warning["code"].as_str().unwrap()).collect();
        let mut expected = codes.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{target}");
        let french = server.send("GET", target, &[("accept-language", "fr")]);
        assert_eq!(french.header("content-language"), "fr", "{target}");
        assert_ne!(server.get(target).header("etag"), french.header("etag"), "{target}");
        let french = french.json();
        for (index, warning) in json["warnings"].as_array().into_iter().flatten().enumerate() {
            let twin = &french["warnings"][index];
            assert_eq!(warning["code"], twin["code"], "{target}");
            assert_ne!(warning["detail"], twin["detail"], "{target}");
        }
        assert_eq!(json["results"], french["results"], "{target}");
    }
    let mixed = server.get("/release?value_min=0&limit=0").json();
    let counts = mixed["warnings"][0]["counts"].as_object().unwrap();
    let counted: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counted, mixed["count"], "every match is of one unit");
    let json = server.get("/release?q=mercury+-zzz+zzyzx").json();
    let terms = &json["query"]["terms"];
    assert_eq!(terms[0]["text"], "mercury");
    assert_ne!(terms[0]["count"], 0);
    assert_eq!(terms[1]["text"], "-zzz");
    assert_eq!(terms[2], serde_json::json!({"text": "zzyzx", "count": 0, "count_alone": 0}));
    assert!(json["query"]["filters"].is_null());
}

#[test]
fn nothing_matches_says_what_each_filter_matches_alone() {
    let server = Server::over_sample();
    let count = |query: &str| server.get(&format!("/release?{query}&limit=0")).count();
    let target = "/release?province=pe&q=lead&value_unit=g&date_from=2015&value_max=1e3&province=Prince+Edward+Island&limit=5&issued_after=2015-03-01&substance=Lead&facet_limit=3";
    let query = &server.get(target).json()["query"];
    let expected = [
        ("province", "pe", count("province=PE")),
        ("province", "Prince Edward Island", count("province=PE")),
        ("substance", "Lead", count("substance=lead")),
        ("value_max", "1e3", count("value_max=1e3&value_unit=g")),
        ("date_from", "2015", count("date_from=2015")),
        ("issued_after", "2015-03-01", count("date_from=2015")),
    ];
    let expected = expected.map(|(parameter, value, count)| {
        serde_json::json!({"parameter": parameter, "value": value, "count": count})
    });
    assert_eq!(query["filters"], serde_json::json!(expected));
    assert_eq!(query["terms"][0]["count"], 0);
    assert_eq!(query["terms"][0]["count_alone"], count("q=lead"));
    assert_ne!(count("value_max=1e3&value_unit=g"), count("value_max=1e3"));
    // Words of the data, and cities, for what occurs nowhere.
    let query =
        &server.get("/release?q=benzine+-mercry&substance=tolune&city=zzzzz").json()["query"];
    assert_eq!(query["terms"][0]["did_you_mean"][0], "benzene");
    assert_eq!(query["terms"][1]["did_you_mean"][0], "mercury");
    assert_eq!(query["filters"][1]["did_you_mean"][0], "toluene");
    assert!(query["filters"][0]["did_you_mean"].is_null());
    // The radius belongs to its centre.
    let query = &server.get("/release?near=45.5,-73.6&within_km=400&year=1990").json()["query"];
    let around = count("near=45.5,-73.6&within_km=400");
    assert_ne!(around, count("near=45.5,-73.6"));
    let expected = serde_json::json!([
        {"parameter": "year", "value": "1990", "count": 0},
        {"parameter": "near", "value": "45.5,-73.6", "count": around},
    ]);
    assert_eq!(query["filters"], expected);
    // Without `q` there are filters alone, and without either there is nothing to tell.
    let query = &server.get("/release?province=NU&facility_id=0").json()["query"];
    assert_eq!(query.as_object().unwrap().keys().collect::<Vec<_>>(), ["filters"]);
    assert_eq!(query["filters"][1]["count"], 0);
    assert!(server.get("/release?q=--&limit=0").json()["query"].is_null());
    assert!(server.get("/release?province=ON&limit=0").json()["query"].is_null());
}

#[test]
fn an_answer_says_how_q_was_read() {
    let server = Server::over_sample();
    for (q, expected) in [
        ("lead OR mercury -Ontario", Some("(lead OR mercury) AND -Ontario")),
        (
            "(lead ore) OR (zinc NOT \u{ab}and its compounds\u{bb})",
            Some("lead AND (ore OR zinc) AND -\"and its compounds\""),
        ),
        ("\"sulphur dioxide", Some("\"sulphur dioxide\"")),
        ("-- \"\"", None),
    ] {
        let ask = |q: &str| {
            let q: String = q.bytes().map(|byte| format!("%{byte:02X}")).collect();
            server.get(&format!("/release?q={q}")).json()
        };
        let answer = ask(q);
        assert_eq!(answer["query"]["read_as"].as_str(), expected, "{q}");
        if let Some(reading) = expected {
            let again = ask(reading);
            assert_eq!(again["query"]["read_as"], reading);
            assert_eq!(again["count"], answer["count"], "{q}");
            assert_eq!(again["results"], answer["results"], "{q}");
        }
    }
}

#[test]
fn the_service_tells_what_it_is() {
    let server = Server::over_sample();
    let meta = server.send_bare("GET", "/meta", &[]).json();
    assert_eq!(meta["build_id"], server.get("/release").header("x-data-version"));
    assert_eq!(meta["kinds"]["release"]["records"], server.get("/release?limit=0").count());
    assert_eq!(meta["kinds"]["emission"]["records"], server.get("/emission?limit=0").count());
    assert_eq!(meta["licence"]["name"], "Open Government Licence – Canada");
    assert_eq!(meta["sources"][0]["sha256"].as_str().unwrap().len(), 64);
    let index = server.send_bare("GET", "/", &[]).json();
    for operation in index["operations"].as_array().unwrap() {
        let path = operation["path"].as_str().unwrap();
        let expected = if path == "/mcp" { 405 } else { 200 };
        assert_eq!(server.get(path).status, expected, "{operation}");
    }
    assert_eq!(server.send_bare("GET", "/health/live", &[]).json()["status"], "live");
    assert_eq!(server.send_bare("GET", "/health/ready", &[]).json()["status"], "ready");
}
