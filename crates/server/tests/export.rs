//! A file has every match: the same records, in the same order, as a walk over the pages.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod parquet_table;
mod support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;
use serde_json::value::RawValue;
use support::{Answer, Server};

/// Requests without a limit, an offset or a format.
const LISTS: [&str; 7] = [
    "/release?",
    "/emission?",
    "/release?q=sulphur+OR+mercury&sort_by=relevance",
    "/release?province=QC&sort_by=value&sort_order=asc&value_unit=kg",
    "/emission?sort_by=value&date_from=2018",
    "/release?facility_id=no-such-facility",
    "/emission?q=%22no+such+words%22",
];

/// The records of a walk by cursor.
fn walk(server: &Server, list: &str) -> Vec<Value> {
    let mut records = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = server.get(&format!("{list}&limit=997{cursor}")).json();
        records.extend(page["results"].as_array().unwrap().iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return records,
        }
    }
}

fn lines(answer: &Answer) -> Vec<Value> {
    assert!(answer.body.is_empty() || answer.body.ends_with('\n'), "{}", answer.body);
    answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The header and the rows of a CSV answer.
fn table(answer: &Answer) -> (Vec<String>, Vec<Vec<String>>) {
    let text = answer.body.strip_prefix("\u{feff}").unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let cells = |row: &csv::StringRecord| row.iter().map(str::to_owned).collect();
    let header = cells(reader.headers().unwrap());
    (header, reader.records().map(|row| cells(&row.unwrap())).collect())
}

/// The cells that a record must have: numbers as they are written, to the last digit.
fn cells(line: &str, header: &[String]) -> Vec<String> {
    let record: BTreeMap<String, &RawValue> = serde_json::from_str(line).unwrap();
    let cell = |name: &String| match record[name].get() {
        "null" => String::new(),
        text if text.starts_with('"') => serde_json::from_str(text).unwrap(),
        number => number.to_owned(),
    };
    header.iter().map(cell).collect()
}

#[test]
fn a_file_has_the_records_of_a_walk_in_the_same_order() {
    let server = Server::over_sample();
    for list in LISTS {
        let expected = walk(&server, list);
        assert_eq!(server.get(&format!("{list}&limit=0")).count(), expected.len() as u64);
        let ndjson = server.get(&format!("{list}&format=ndjson"));
        assert_eq!(lines(&ndjson), expected, "{list}");

        let (header, rows) = table(&server.get(&format!("{list}&format=csv")));
        assert!(!header.contains(&"breakdown".to_owned()), "{list}");
        let expected: Vec<_> = ndjson.body.lines().map(|line| cells(line, &header)).collect();
        assert_eq!(rows, expected, "{list}");

        let parquet = parquet_table::table(server.get_bytes(&format!("{list}&format=parquet")));
        assert_eq!(parquet, (header, rows), "{list}");

        let geojson = server.get(&format!("{list}&format=geojson"));
        let features: Vec<String> = ndjson.body.lines().map(feature).collect();
        let expected = match &features[..] {
            [] => String::new(),
            features => format!("\n{}", features.join(",\n")),
        };
        let expected = format!("{{\"type\":\"FeatureCollection\",\"features\":[{expected}\n]}}\n");
        assert!(geojson.body == expected, "{list}");
        assert_eq!(geojson.json()["features"].as_array().unwrap().len(), features.len());
    }
}

/// The feature that a record must be: its coordinates as they are written, to the last digit.
fn feature(line: &str) -> String {
    let record: BTreeMap<String, &RawValue> = serde_json::from_str(line).unwrap();
    let [id, latitude, longitude] =
        ["record_id", "latitude", "longitude"].map(|name| record[name].get());
    let geometry = match latitude == "null" || longitude == "null" {
        true => "null".to_owned(),
        false => format!("{{\"type\":\"Point\",\"coordinates\":[{longitude},{latitude}]}}"),
    };
    format!("{{\"type\":\"Feature\",\"id\":{id},\"geometry\":{geometry},\"properties\":{line}}}")
}

#[test]
fn the_columns_of_csv_are_the_fields_of_the_records() {
    let server = Server::over_sample();
    for path in ["/release", "/emission"] {
        let record = server.get(&format!("{path}?limit=1")).body;
        let (header, _) = table(&server.get(&format!("{path}?limit=1&format=csv")));
        // The names appear in the text of the record in the same order.
        let mut rest = record.split_once("\"results\":").unwrap().1;
        for name in &header {
            rest = rest.split_once(&format!("\"{name}\":")).unwrap().1;
        }
        let fields = server.get(&format!("{path}?limit=1")).json()["results"][0].clone();
        let nested = usize::from(path == "/release");
        assert_eq!(header.len() + nested, fields.as_object().unwrap().len(), "{path}");
    }
}

#[test]
fn limit_and_offset_cut_a_file_and_have_no_maximum() {
    let server = Server::over_sample();
    let whole = lines(&server.get("/release?format=ndjson"));
    assert!(whole.len() > 1500, "the sample is too small to pass a page");
    for (part, expected) in [
        ("limit=0", &whole[..0]),
        ("limit=1", &whole[..1]),
        ("limit=1000", &whole[..1000]),
        ("limit=1500", &whole[..1500]),
        ("limit=4000000000", &whole[..]),
        ("offset=1400", &whole[1400..]),
        ("offset=3&limit=1001", &whole[3..1004]),
        ("offset=4000000000", &whole[..0]),
        ("limit=18446744073709551616", &whole[..]),
        ("limit=%2B99999999999999999999999999999999999999&offset=1400", &whole[1400..]),
        ("offset=18446744073709551616", &whole[..0]),
        ("offset=18446744073709551616&limit=18446744073709551616", &whole[..0]),
    ] {
        let answer = server.get(&format!("/release?format=ndjson&{part}"));
        assert_eq!(answer.status, 200, "{part}: {}", answer.body);
        assert_eq!(lines(&answer), expected, "{part}");
        let collection = server.get(&format!("/release?format=geojson&{part}")).json();
        let properties = collection["features"].as_array().unwrap().iter();
        assert!(properties.map(|feature| &feature["properties"]).eq(expected), "{part}");
        let file = server.get_bytes(&format!("/release?format=parquet&{part}"));
        let (_, rows) = parquet_table::table(file);
        assert!(
            rows.iter().map(|row| &row[0]).eq(expected.iter().map(|record| &record["record_id"])),
            "{part}"
        );
    }
    let whole_tag = server.get("/release?format=ndjson").header("etag");
    let same = server.get("/release?format=ndjson&limit=18446744073709551616");
    assert_eq!(same.header("etag"), whole_tag, "the same file has another tag");
    // Anything but a number is refused, and a page keeps its bounds.
    for (query, code) in [
        ("format=csv&limit=18446744073709551616x", "invalid-value"),
        ("format=csv&offset=1e3", "invalid-value"),
        ("format=csv&limit=%2B", "invalid-value"),
        ("format=csv&limit=-18446744073709551616", "out-of-range"),
        ("format=ndjson&offset=-1", "out-of-range"),
        ("format=geojson&limit=-1", "out-of-range"),
        ("format=parquet&offset=1e3", "invalid-value"),
        ("limit=18446744073709551616", "out-of-range"),
        ("offset=18446744073709551616", "out-of-range"),
        ("format=json&limit=1001", "out-of-range"),
    ] {
        let refused = server.get(&format!("/release?{query}"));
        assert_eq!((refused.status, &refused.json()["errors"][0]["code"]), (400, &code.into()));
    }
}

#[test]
fn the_parameter_decides_over_accept_and_headers_tell_what_the_file_is() {
    let server = Server::over_sample();
    let data_version = server.get("/emission?limit=0").header("x-data-version");
    for (accept, query, media_type, extension) in [
        ("*/*", "", "application/json", None),
        ("text/csv", "", "text/csv; charset=utf-8", Some("csv")),
        ("application/x-ndjson", "", "application/x-ndjson", Some("ndjson")),
        ("text/csv", "&format=json", "application/json", None),
        ("text/html", "&format=NDJSON", "application/x-ndjson", Some("ndjson")),
        ("application/geo+json", "", "application/geo+json", Some("geojson")),
        ("application/vnd.apache.parquet", "", "application/vnd.apache.parquet", Some("parquet")),
        ("text/csv", "&format=parquet", "application/vnd.apache.parquet", Some("parquet")),
    ] {
        for method in ["GET", "HEAD"] {
            let target = format!("/emission?limit=2{query}");
            let asked = [
                ("x-gateway-key", server.keys.active.as_str()),
                ("x-gateway-host", "localhost"),
                ("accept", accept),
            ];
            let (status, headers, body) = server.send_for_bytes(method, &target, &asked);
            let header = |name| headers.get(name).map_or("", |value| value.to_str().unwrap());
            assert_eq!(status, 200, "{accept} {query}");
            assert_eq!(header("content-type"), media_type, "{method} {accept} {query}");
            let disposition = extension.map_or_else(String::new, |extension| {
                format!("attachment; filename=\"outfall-emission-{data_version}.{extension}\"")
            });
            assert_eq!(header("content-disposition"), disposition, "{accept} {query}");
            assert_eq!(body.is_empty(), method == "HEAD", "{method} {accept} {query}");
            let headers = [("accept", accept), ("if-none-match", header("etag"))];
            assert_eq!(server.send(method, &target, &headers).status, 304, "{accept} {query}");
        }
    }
    let tag = |accept| server.send("GET", "/emission", &[("accept", accept)]).header("etag");
    assert_ne!(tag("text/csv"), tag("application/json"));
    assert_eq!(tag("text/csv"), server.get("/emission?format=csv").header("etag"));
}

#[test]
fn a_third_export_of_a_key_waits_for_one_of_the_others() {
    let server = Server::over_sample();
    let begin = || {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let key = &server.keys.active;
        let head = format!(
            "GET /release?format=ndjson HTTP/1.1\r\nhost: x\r\nx-gateway-host: localhost\r\n\
             x-gateway-key: {key}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut status = String::new();
        reader.read_line(&mut status).unwrap();
        assert!(status.contains(" 200 "), "{status}");
        reader
    };
    // The file is larger than what the sockets and the channel hold, so both stay unfinished.
    let (first, mut second) = (begin(), begin());
    let refused = server.get("/emission?format=csv");
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["code"], "too-many-exports");
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(server.get("/emission?limit=1").status, 200, "a page is no export");

    // An export whose client goes away, or that ends, makes room.
    drop(first);
    let mut rest = Vec::new();
    let until = Instant::now() + Duration::from_secs(60);
    while server.get("/emission?format=csv").status != 200 {
        assert!(Instant::now() < until, "the slot of a client that left is not free");
        std::thread::sleep(Duration::from_millis(20));
    }
    while !rest.ends_with(b"\r\n0\r\n\r\n") {
        let mut buffer = [0; 65_536];
        let read = second.read(&mut buffer).unwrap();
        assert_ne!(read, 0, "the other file broke off");
        rest.extend_from_slice(&buffer[..read]);
    }
}
