//! Builds generations on a real file system.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use outfall_indexer::{BuildError, BuildOptions, BuildReport, ReadError, Silent};
use outfall_query::{Generation, IndexError, Staging};
use outfall_store::{Current, StoreError};
use support::packed::{gzip, zip};
use support::{CANARY, Changes, ghgrp, npri, written};

fn build(options: &BuildOptions, data: &Path) -> Result<BuildReport, BuildError<IndexError>> {
    let sink = Staging::begin(data).map_err(BuildError::Sink)?;
    outfall_indexer::build(options, sink, &Silent)
}

#[test]
fn a_build_publishes_its_records_and_its_rejects() {
    let files = written(&[
        npri(&[&[], &[("quantity", "a,\"b\"")], &[("year", "x".repeat(300).as_str())]]),
        ghgrp(&[&[], &[("total", "")]]),
    ]);
    let data = files.folder.path().join("data");
    let options =
        BuildOptions { max_rejects: 0.7, ..BuildOptions::of_files(files.paths.iter().cloned()) };
    let report = build(&options, &data).unwrap();
    assert_eq!(report.generation, "gen-000001");
    assert_eq!(report.kinds["release"].records, 1);
    assert_eq!(report.kinds["emission"].records, 1);
    assert_eq!(Current::read(&data).unwrap().generation, "gen-000001");
    let rejects = fs::read_to_string(data.join("gen-000001/rejects.csv")).unwrap();
    let long = "x".repeat(200);
    let expected = format!(
        "file,line,column,value,reason\n\
         0.csv,3,Quantity / Quantité,\"a,\"\"b\"\"\",invalid-number\n\
         0.csv,4,Reporting_Year / Année,{long},invalid-year\n\
         1.csv,3,Total Emissions (tonnes CO2e) / Émissions totales (tonnes éq. CO2),,missing-value\n"
    );
    assert_eq!(rejects, expected);
    for entry in walk(&data) {
        let bytes = fs::read(&entry).unwrap();
        let is_found = bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
        assert!(!is_found, "{}", entry.display());
    }
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["files"][0]["rejected"]["invalid-number"], 1);
    assert_eq!(json["files"][0]["rejected_rows"][0]["line"], 3);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn the_index_that_was_served_stays_when_too_many_rows_are_rejected() {
    let files = written(&[npri(&[&[]]), npri(&[&[], &[("quantity", "")], &[("quantity", "x")]])]);
    let data = files.folder.path().join("data");
    let good = BuildOptions::of_files([files.paths[0].clone()]);
    build(&good, &data).unwrap();
    let bad = BuildOptions::of_files([files.paths[1].clone()]);
    let error = build(&bad, &data).unwrap_err();
    assert!(matches!(error, BuildError::Read(ReadError::TooManyRejects { .. })));
    let told = error.to_string();
    for expected in ["1 %", "3 rows read, 1 accepted, 2 rejected", "missing-value: 1", "line 4"] {
        assert!(told.contains(expected), "{told}");
    }
    assert_eq!(Current::read(&data).unwrap().generation, "gen-000001");
    let left: Vec<_> =
        walk(&data).into_iter().filter(|path| path.to_string_lossy().contains(".build-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Builds the files in a fresh data directory; returns the build id and the manifest.
fn identity(paths: &[PathBuf], threads: usize) -> (String, Vec<u8>) {
    let data = tempfile::tempdir().unwrap();
    let options =
        BuildOptions { threads: Some(threads), ..BuildOptions::of_files(paths.iter().cloned()) };
    let report = build(&options, data.path()).unwrap();
    let manifest = fs::read(data.path().join("gen-000001/manifest.json")).unwrap();
    (report.build_id, manifest)
}

#[test]
fn the_same_files_give_the_same_build_id_and_manifest_wherever_whenever_and_however() {
    let later = &[("category", "Fugitive"), ("category_fr", "Fugitives"), ("quantity", "3")];
    let contents = [
        npri(&[&[], later, &[("year", "2019")], &[("facility", ""), ("year", "2021")]]),
        npri(&[&[("id", "2"), ("category", "Spills"), ("method", "O - Engineering Estimates")]]),
        ghgrp(&[&[], &[("year", "2021"), ("facility", "Alma")]]),
    ];
    let files = written(&contents);
    let (id, manifest) = identity(&files.paths, 1);
    assert_eq!(identity(&files.paths, 3), (id.clone(), manifest.clone()), "another time");
    let elsewhere = written(&contents);
    assert_eq!(identity(&elsewhere.paths, 2), (id.clone(), manifest.clone()), "another path");

    let reversed: Vec<PathBuf> = files.paths.iter().rev().cloned().collect();
    assert_eq!(identity(&reversed, 2).0, id, "another order");
    let packed =
        written(&[gzip(&contents[0]), contents[1].clone(), zip(&[("a.csv", &contents[2])])]);
    assert_eq!(identity(&packed.paths, 2).0, id, "packed");

    let number = |text: &str, value: &str| {
        let text = String::from_utf8(contents[0].clone()).unwrap().replacen(text, value, 1);
        written(&[text.into_bytes(), contents[1].clone(), contents[2].clone()])
    };
    for (what, changed) in [
        ("a quantity", number("\"3\"", "\"3.1\"")),
        ("a method", number("C - Mass Balance", "M - Monitoring")),
        ("a name", number("Boreal", "Austral")),
        ("a column that is not read", number("Group (French) / Groupe (Français)", "Note")),
        ("a file more", written(&[&contents[..], &[ghgrp(&[&[("id", "G10002")]])]].concat())),
        ("a file less", written(&contents[..2])),
    ] {
        assert_ne!(identity(&changed.paths, 2).0, id, "{what}");
    }
}

#[test]
fn a_build_stops_as_soon_as_too_many_rows_are_rejected_whatever_is_to_come() {
    // More rows than are read at once, and too random to compress like a bomb.
    let bad_rows = |count: u64| -> Vec<u8> {
        let row = |number: u64| format!("{:x},b\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (1..=count).flat_map(|number| row(number).into_bytes()).collect()
    };
    let good = npri(&[&[] as Changes<'_>; 1000]);
    let header = good.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let with_bad = |count| [&good[..header], &bad_rows(count), &good[header..]].concat();
    let text = with_bad(500_000);
    for bytes in [text.clone(), gzip(&text)] {
        let files = written(&[bytes]);
        let data = files.folder.path().join("data");
        let error = build(&BuildOptions::of_files(files.paths), &data).unwrap_err();
        let BuildError::Read(ReadError::TooManyRejects {
            stopped_after: Some(rows), report, ..
        }) = &error
        else {
            panic!("{error}");
        };
        assert!(*rows < 400_000, "{rows}");
        assert_eq!(report.source.rejected["wrong-field-count"], *rows);
        assert!(error.to_string().contains("reading stopped after"), "{error}");
    }
    // A build tolerates the allowed number of bad rows, wherever they are.
    let files = written(&[with_bad(10)]);
    let data = files.folder.path().join("data");
    build(&BuildOptions::of_files(files.paths), &data).unwrap();
}

#[test]
fn the_list_of_rejected_rows_ends_and_says_so() {
    let good = npri(&[&[]]);
    let bad = "a,b\n".repeat(700_000).into_bytes();
    let files = written(&[[good, bad].concat(), ghgrp(&[&[], &[("total", "")]])]);
    let data = files.folder.path().join("data");
    let options =
        BuildOptions { max_rejects: 1.0, ..BuildOptions::of_files(files.paths.iter().cloned()) };
    let report = build(&options, &data).unwrap();
    let [first, second] = &report.files[..] else { panic!("{report}") };
    assert_eq!((first.source.rows, first.source.rejected["wrong-field-count"]), (700_001, 700_000));
    assert!(first.unlisted_rejects > 0 && second.unlisted_rejects == 1, "{report}");
    assert!(report.to_string().contains("are not listed in rejects.csv"), "{report}");

    let list = fs::read_to_string(data.join("gen-000001/rejects.csv")).unwrap();
    assert!(list.len() < 17 << 20, "{}", list.len());
    let last: Vec<&str> = list.lines().rev().take(2).collect();
    let left_out =
        |file: &str, count: u64| format!("{file},,,{count} more rejected rows,not-listed");
    assert_eq!(last, [left_out("1.csv", 1), left_out("0.csv", first.unlisted_rejects)]);
    assert_eq!(list.lines().count() as u64, 1 + 700_000 - first.unlisted_rejects + 2);
    Generation::open(&data).unwrap();
}

#[test]
fn nothing_is_published_of_headers_alone_or_beside_another_rebuild() {
    let files = written(&[npri(&[]), npri(&[&[]])]);
    let data = files.folder.path().join("data");
    let empty = build(&BuildOptions::of_files([files.paths[0].clone()]), &data);
    assert!(matches!(empty, Err(BuildError::NoRecords)));
    let _other = Staging::begin(&data).unwrap();
    let locked = build(&BuildOptions::of_files([files.paths[1].clone()]), &data);
    assert!(matches!(locked, Err(BuildError::Sink(IndexError::Store(StoreError::Locked { .. })))));
    assert!(Current::read(&data).is_err());
}
