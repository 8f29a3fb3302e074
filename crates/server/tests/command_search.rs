//! `outfall search` finds what the service finds, and reports faults as the service does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::io::Read;
use std::process::Stdio;

use process::{Service, outfall, publish, run};

/// Requests, each as a query string and as flags.
const REQUESTS: [(&str, &[&str]); 11] = [
    ("/release", &[]),
    ("/release?q=sulphur+OR+mercury+-Ontario", &["sulphur OR mercury", "--", "-Ontario"]),
    ("/release?q=-mercury", &["-mercury"]),
    ("/release?q=-mercury", &["--", "-mercury"]),
    ("/release?q=-mercury+lead&province=ON", &["-mercury", "--province", "ON", "lead"]),
    ("/release?q=lead+OR+-hg+-5&limit=3", &["lead", "OR", "-hg", "--limit", "3", "-5"]),
    ("/release?value_min=-5&limit=3", &["--value-min", "-5", "--limit=3"]),
    (
        "/release?province=QC&province=ON&sort_by=value&value_unit=kg&value_min=0.5&limit=7",
        &[
            "--province",
            "QC",
            "--province",
            "ON",
            "--sort-by",
            "value",
            "--value-unit",
            "kg",
            "--value-min",
            "0.5",
            "--limit",
            "7",
        ],
    ),
    (
        "/emission?date_from=2015&date_before=2019-12-31&sort_order=asc&offset=3",
        &[
            "--emission",
            "--date-from",
            "2015",
            "--date-before",
            "2019-12-31",
            "--sort-order",
            "asc",
            "--offset",
            "3",
        ],
    ),
    ("/emission?q=%22no%20such%20words%22", &["--emission", "\"no such words\""]),
    (
        "/release?substance=NA+-+D%2FF&naics_code=31-33",
        &["--substance", "NA - D/F", "--naics-code", "31-33"],
    ),
];

#[test]
fn flags_and_parameters_find_the_same() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 3);
    let serve = ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--auth", "off"];
    let service = Service::start(dir.path(), &serve);
    for (target, flags) in REQUESTS {
        for format in ["json", "ndjson", "csv", "geojson"] {
            let flags = [&["search", "--format", format][..], flags].concat();
            let found = run(dir.path(), &flags);
            assert!(found.status.success(), "{flags:?}: {found:?}");
            let separator = if target.contains('?') { '&' } else { '?' };
            let (status, body) = service.get(&format!("{target}{separator}format={format}"), "");
            assert_eq!(status, 200, "{target}: {body}");
            let printed = String::from_utf8(found.stdout).unwrap();
            let line_end = if format == "json" { "\n" } else { "" };
            assert_eq!(printed, body + line_end, "{flags:?}");
        }
    }
}

#[test]
fn a_file_that_is_no_text_is_the_one_of_the_service() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 3);
    let serve = ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--auth", "off"];
    let service = Service::start(dir.path(), &serve);
    let flags = ["search", "--format", "parquet", "--province", "ON", "mercury"];
    let printed = run(dir.path(), &flags).stdout;
    let mut served = Vec::new();
    let target = "/release?q=mercury&province=ON&format=parquet";
    service.stream(target).read_to_end(&mut served).unwrap();
    assert!(printed.ends_with(b"PAR1") && printed == served);
}

#[test]
fn a_table_shows_a_page_and_how_much_there_is() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 3);
    let table = |flags: &[&str]| {
        let output = run(dir.path(), &[&["search", "--format", "table"][..], flags].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let mut all = String::new();
    for line in [
        "--limit=2",
        "--emission --limit=2 --sort-by=value",
        "--limit=0",
        "zzz benzene",
        "--limit=0 --facets=province,units --facet-limit=3",
        "--emission --limit=0 --facets=facility,year --facet-sort=sum --facet-limit=2",
        "--limit=0 --facets=medium*facility --facet-limit=1",
    ] {
        let flags: Vec<&str> = line.split(' ').collect();
        all += &format!("outfall search {line}\n{}\n", table(&flags));
    }
    insta::assert_snapshot!("table", all);
}

#[test]
fn nothing_found_is_explained_on_standard_error() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 3);
    let mut all = String::new();
    for flags in [
        &["zzz", "lead"][..],
        &["\"lead", "--province", "pe", "--value-min", "5"],
        &["--date-from", "1990", "--date-to", "1991"],
        &["Albrta", "--province", "AB"],
        &["lead"],
    ] {
        let output = run(dir.path(), &[&["search", "--format", "table"][..], flags].concat());
        assert!(output.status.success(), "{flags:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        all += &format!("outfall search {}\n{said}\n", flags.join(" "));
    }
    insta::assert_snapshot!("nothing", all);
}

#[test]
fn what_is_wrong_is_said_and_told_by_the_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 3);
    for (flags, code, said) in [
        (&["--limit", "5000", "--province", "zz"][..], 64, "limit must be between 0 and 1000"),
        (&["--limit", "5000", "--province", "zz"], 64, "province must be"),
        (&["--emission", "--substance", "mercury"], 64, "substance"),
        (&["--provnce", "ON"], 64, "'--province'"),
        (&["--format", "csv", "--cursor", "AAAA"], 64, "cursor"),
        (&["--data", "nowhere"], 66, "no published index"),
    ] {
        let output = run(dir.path(), &[&["search"][..], flags].concat());
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{flags:?}: {printed}");
        assert!(printed.contains(said), "{flags:?}: {printed}");
        assert!(output.stdout.is_empty(), "{flags:?}");
    }
    let unclosed = run(dir.path(), &["search", "\"mercury"]);
    assert_eq!(unclosed.status.code(), Some(0));
    assert!(!unclosed.stderr.is_empty(), "a warning stands on standard error");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 3);
    let mut search = outfall(dir.path(), &["search", "--format", "ndjson"]);
    let mut child = search.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
}
