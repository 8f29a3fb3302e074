//! `/release/places` and `/emission/places`: every facility of the matches, with exact sums.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use outfall_fixtures::{Shape, Spread, write_corpus};
use outfall_indexer::{BuildOptions, Silent};
use outfall_query::{EmbeddedBackend, Staging};
use outfall_records::Decimal;
use rust_decimal::RoundingStrategy;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use support::{Answer, Server};

/// Filters that keep all, some or no records.
const LISTS: [&str; 10] = [
    "/release?",
    "/release?q=mercury",
    "/release?q=dioxins&value_unit=g_teq",
    "/release?province=ON&province=AB&date_from=2010",
    "/release?near=43,-80&within_km=200&medium=air",
    "/release?value_min=10&value_unit=kg&naics_code=31-33",
    "/release?q=%22no+such+words%22",
    "/emission?",
    "/emission?year=2010-2015&company=wolf+den",
    "/emission?bbox=-120,48,-100,60",
];

/// The columns of sums, in the order of [`Facility::sums`].
const SUMS: [&str; 3] = ["kg", "g_teq", "tonnes"];

/// Records asked for at once, as the client of the tests reads no larger body than theirs.
const PART: usize = 5_000;

/// A facility as its records tell it: the coordinates of the newest, the number of all, their sums.
#[derive(Debug, Default, PartialEq)]
struct Facility {
    /// Longitude and latitude as they are written; `null` where the record has none.
    place: [String; 2],
    count: u64,
    sums: Vec<Option<Decimal>>,
}

/// The facilities of a list by id, from every one of its records.
fn walked(server: &Server, list: &str) -> BTreeMap<String, Facility> {
    let mut records: Vec<BTreeMap<String, Box<RawValue>>> = Vec::new();
    loop {
        let target = format!("{list}&format=ndjson&limit={PART}&offset={}", records.len());
        let part = server.get(&target).body;
        records.extend(part.lines().map(|line| serde_json::from_str(line).unwrap()));
        if part.lines().count() < PART {
            break;
        }
    }
    let text = |record: &BTreeMap<String, Box<RawValue>>, field: &str| {
        let json = record[field].get();
        serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned())
    };
    records.sort_by_key(|record| {
        let year: i32 = text(record, "year").parse().unwrap();
        (-year, text(record, "record_id"))
    });
    let mut facilities = BTreeMap::<String, Facility>::new();
    for record in &records {
        let facility = facilities.entry(text(record, "facility_id")).or_insert_with(|| Facility {
            place: ["longitude", "latitude"].map(|field| text(record, field)),
            count: 0,
            sums: vec![None; if list.starts_with("/release") { 2 } else { 1 }],
        });
        facility.count += 1;
        let (column, field) = match record.get("units") {
            None => (0, "total_co2e"),
            Some(units) if units.get() == "\"g TEQ\"" => (1, "quantity"),
            Some(_) => (0, "quantity_kg"),
        };
        let value: Decimal = text(record, field).parse().unwrap();
        *facility.sums[column].get_or_insert_default() += value;
    }
    facilities
}

/// The same list of places.
fn asked(server: &Server, list: &str) -> Answer {
    let answer = server.get(&list.replacen('?', "/places?", 1));
    assert_eq!(answer.status, 200, "{list}: {}", answer.body);
    answer
}

/// The facilities of an answer by id, from its columns.
fn told(answer: &Answer) -> BTreeMap<String, Facility> {
    let body: BTreeMap<&str, &RawValue> = serde_json::from_str(&answer.body).unwrap();
    let columns: BTreeMap<&str, Vec<&RawValue>> =
        serde_json::from_str(body["places"].get()).unwrap();
    let ids = &columns["facility_id"];
    assert!(columns.values().all(|column| column.len() == ids.len()), "{}", answer.body);
    let sums: Vec<_> = SUMS.into_iter().filter_map(|name| columns.get(name)).collect();
    let facility = |(number, id): (usize, &&RawValue)| {
        let sum = |sum: &RawValue| {
            let number = |text| Decimal::from_str_exact(text).or(Decimal::from_scientific(text));
            (sum.get() != "null").then(|| number(sum.get()).unwrap())
        };
        let facility = Facility {
            place: ["longitude", "latitude"].map(|name| columns[name][number].get().to_owned()),
            count: columns["count"][number].get().parse().unwrap(),
            sums: sums.iter().map(|column| sum(column[number])).collect(),
        };
        (serde_json::from_str(id.get()).unwrap(), facility)
    };
    ids.iter().enumerate().map(facility).collect()
}

/// Asserts that the places of a list are those that its records tell, and says how many there are.
fn assert_walked(server: &Server, list: &str) -> usize {
    let mut expected = walked(server, list);
    let facilities = expected.len();
    let matches: u64 = expected.values().map(|facility| facility.count).sum();
    let is_nowhere = |facility: &Facility| facility.place.iter().any(|degrees| degrees == "null");
    let nowhere: Vec<u64> =
        expected.values().filter(|own| is_nowhere(own)).map(|own| own.count).collect();
    expected.retain(|_, facility| !is_nowhere(facility));
    let answer = asked(server, list);
    let json = answer.json();
    assert_eq!(json["count"], matches, "{list}");
    assert_eq!(json["facilities"], facilities, "{list}");
    let without = json!({"facilities": nowhere.len(), "count": nowhere.iter().sum::<u64>()});
    assert_eq!(json["nowhere"], without, "{list}");
    assert_eq!(told(&answer), expected, "{list}");
    let ids = json["places"]["facility_id"].as_array().unwrap();
    let ids: Vec<&str> = ids.iter().map(|id| id.as_str().unwrap()).collect();
    assert!(ids.is_sorted(), "{list}: {ids:?}");
    facilities
}

#[test]
fn places_are_what_a_walk_of_every_record_gives() {
    let server = Server::over_sample();
    let found = LISTS.map(|list| assert_walked(&server, list));
    assert!(found.iter().filter(|facilities| **facilities > 3).count() >= 7, "{found:?}");
    assert!(asked(&server, LISTS[0]).json()["nowhere"]["count"].as_u64() > Some(0));
}

#[test]
fn there_are_more_of_them_than_a_facet_may_list() {
    let folder = tempfile::tempdir().unwrap();
    let shape = Shape { facilities: 15_000, spread: Spread::Even, ..Shape::sized(120_000, 5) };
    write_corpus(folder.path(), &shape).unwrap();
    let files = [outfall_fixtures::RELEASES, outfall_fixtures::LOCATIONS, outfall_fixtures::GHGRP];
    let files = files.map(|file| folder.path().join(file));
    let mut options = BuildOptions::of_files(files);
    options.max_rejects = 0.5;
    let data = folder.path().join("data");
    outfall_indexer::build(&options, Staging::begin(&data).unwrap(), &Silent).unwrap();
    let server = Server::start(|_| {}, Some(Arc::new(EmbeddedBackend::open(&data).unwrap())));
    let facilities = assert_walked(&server, "/release?");
    assert!(facilities > 1_000, "{facilities} facilities");
    // What a page of all facilities of the country weighs is this many times 14,000.
    let key = ("x-gateway-key", server.keys.active.as_str());
    let headers = [key, ("x-gateway-host", "localhost"), ("accept-encoding", "gzip")];
    let (_, _, body) = server.send_for_bytes("GET", "/release/places", &headers);
    let each = body.len() / facilities;
    assert!(each <= 20, "{each} bytes a facility");
    let (_, _, body) = server.send_for_bytes("GET", "/release/places?digits=2", &headers);
    let all = body.len() * 14_000 / facilities;
    assert!(all <= 120_000, "{all} bytes for the facilities of the country");
}

#[test]
fn sums_are_rounded_only_where_that_is_asked_for() {
    let server = Server::over_sample();
    for list in LISTS {
        let (exact, list) = (told(&asked(&server, list)), list.replacen('?', "?digits=2&", 1));
        let answer = asked(&server, &list);
        assert_eq!(answer.json()["digits"], 2, "{list}");
        let mut rounded = told(&answer);
        for (id, facility) in &exact {
            let of = rounded.remove(id).unwrap();
            assert_eq!((&of.place, of.count), (&facility.place, facility.count), "{list}: {id}");
            let expected = facility.sums.iter().map(|sum| {
                let away = RoundingStrategy::MidpointAwayFromZero;
                sum.and_then(|sum| sum.round_sf_with_strategy(2, away))
            });
            assert_eq!(of.sums, expected.collect::<Vec<_>>(), "{list}: {id}");
        }
        assert!(rounded.is_empty(), "{list}: {rounded:?}");
    }
    let exact = asked(&server, "/release?digits=0");
    assert_eq!(exact.body, asked(&server, "/release?").body);
    assert!(exact.json().get("digits").is_none());
    for (target, code) in [
        ("/release?digits=2", "parameter-not-applicable"),
        ("/emission?digits=2", "parameter-not-applicable"),
        ("/release/places?digits=16", "out-of-range"),
        ("/release/places?digits=two", "invalid-value"),
        ("/release/places?digits=2&digits=3", "repeated-parameter"),
    ] {
        let refused = server.get(target);
        assert_eq!((refused.status, &refused.json()["errors"][0]["code"]), (400, &json!(code)));
    }
}

#[test]
fn they_are_asked_for_answered_and_refused_as_records_are() {
    let server = Server::over_sample();
    let answer = asked(&server, "/release?q=lead+OR+mercury&province=on");
    let json = answer.json();
    let columns: Vec<&String> = json["places"].as_object().unwrap().keys().collect();
    assert_eq!(columns, ["count", "facility_id", "g_teq", "kg", "latitude", "longitude"]);
    let codes = |json: &Value| json["warnings"][0]["code"].as_str().map(str::to_owned);
    assert_eq!(codes(&json).as_deref(), Some("mixed-substances"));
    assert_eq!(json["query"], json!({"read_as": "lead OR mercury"}));
    for header in ["etag", "x-data-version", "cache-control", "ratelimit", "vary"] {
        let of_records = server.get("/release?q=lead+OR+mercury&province=on").header(header);
        assert_eq!(answer.header(header).is_empty(), of_records.is_empty(), "{header}");
    }
    assert_eq!(answer.header("link"), "");
    let tag = answer.header("etag");
    let same = "/release/places?province=Ontario&q=lead+OR+mercury";
    assert_eq!(server.get(same).header("etag"), tag);
    let known = server.send("GET", same, &[("if-none-match", tag.as_str())]);
    assert_eq!((known.status, known.body.as_str()), (304, ""));
    let others = ["/release?q=lead+OR+mercury&province=on", "/release/places?q=mercury"];
    assert!(others.iter().all(|other| server.get(other).header("etag") != tag));
    let csv = server.send("GET", same, &[("accept", "text/csv")]);
    assert_eq!(csv.header("content-type"), "application/json", "there is no other form");

    assert_eq!(server.send_bare("GET", "/release/places", &[]).status, 401);
    assert_eq!(server.send("POST", "/release/places", &[]).status, 405);
    assert_eq!(server.send("HEAD", "/emission/places", &[]).status, 200);
    let near = server.get("/release/place").json();
    assert!(near["detail"].as_str().unwrap().contains("/release/places"), "{near}");
    let none = server.get("/release/places?q=mercry").json();
    assert_eq!(none["query"]["terms"][0]["did_you_mean"][0], "mercury");
    assert_eq!((&none["places"]["facility_id"], &none["facilities"]), (&json!([]), &json!(0)));
}

#[test]
fn what_chooses_records_is_refused_with_everything_else_that_is_wrong() {
    let server = Server::over_sample();
    let given = "limit=x&provnce=ON&sort_by=value&format=csv&facets=year&cursor=&year=2020-2010";
    for (operation, language, word) in
        [("release", "en", "every facility"), ("emission", "fr", "toutes les installations")]
    {
        let target = format!("/{operation}/places?{given}");
        let answer = server.send("GET", &target, &[("accept-language", language)]);
        assert_eq!(answer.status, 400, "{}", answer.body);
        let problem = answer.json();
        let errors = problem["errors"].as_array().unwrap().iter();
        let told: Vec<(&str, &str)> = errors
            .map(|error| (error["parameter"].as_str().unwrap(), error["code"].as_str().unwrap()))
            .collect();
        let of_records = "parameter-not-applicable";
        let expected = [
            ("limit", of_records),
            ("provnce", "unknown-parameter"),
            ("sort_by", of_records),
            ("format", of_records),
            ("facets", of_records),
            ("year", "empty-range"),
        ];
        assert_eq!(told, expected);
        let detail = problem["errors"][0]["detail"].as_str().unwrap();
        assert!(detail.contains(word) && detail.contains(&format!("/{operation};")), "{detail}");
    }
}
