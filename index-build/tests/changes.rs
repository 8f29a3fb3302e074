//! `--changes` from outside: the summary, the list, and generations that are kept.
#![allow(clippy::expect_used, reason = "tests")]

mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use outfall_fixtures::{GhgrpEdition, ReleasesEdition, Shape, write_ghgrp, write_releases};
use support::text;

/// Runs the command for a data directory.
fn index_build(folder: &Path, arguments: &[&str]) -> Output {
    support::index_build(folder, &[&["--data", "data"], arguments].concat())
}

/// What a command that succeeds prints.
fn told(folder: &Path, arguments: &[&str]) -> String {
    let output = index_build(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Two editions of both files: the second restates some releases, loses one emission and has a
/// facility more.
fn editions() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let shape = Shape { has_defects: false, ..Shape::sized(400, 7) };
    let mut releases = Vec::new();
    write_releases(&shape, ReleasesEdition::TwoTitles, &mut releases).expect("releases");
    let mut emissions = Vec::new();
    write_ghgrp(&shape, GhgrpEdition::Of2024, &mut emissions).expect("emissions");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect(name);
    write("releases-1.csv", &releases);
    write("ghgrp-1.csv", &emissions);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*releases);
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (number, row) in reader.byte_records().enumerate() {
        let row = row.expect("a row");
        let restated = number > 0 && number.is_multiple_of(50);
        let is_quantity = |place: usize| restated && place == 15;
        let cells = row.iter().enumerate();
        let cells =
            cells.map(|(place, cell)| if is_quantity(place) { &b"123456.75"[..] } else { cell });
        writer.write_record(cells).expect("a row");
        if restated {
            let added = row.iter().enumerate();
            let added = added.map(|(place, cell)| if place == 1 { &b"99999"[..] } else { cell });
            writer.write_record(added).expect("a row");
        }
    }
    write("releases-2.csv", &writer.into_inner().expect("a file"));
    let lines = emissions.split_inclusive(|byte| *byte == b'\n').enumerate();
    let kept: Vec<&[u8]> = lines.filter(|(place, _)| *place != 3).map(|(_, line)| line).collect();
    write("ghgrp-2.csv", &kept.concat());
    folder
}

#[test]
fn what_changed_is_told_as_a_summary_and_as_a_list() {
    let folder = editions();
    let (first, second) =
        (["releases-1.csv", "ghgrp-1.csv"], ["releases-2.csv", "ghgrp-2.csv", "--allow-shrink"]);
    told(folder.path(), &first);
    let output = index_build(folder.path(), &["--changes"]);
    assert_eq!(output.status.code(), Some(66));
    assert!(text(&output.stderr).contains("gen-000001 was not compared"));

    let report = told(folder.path(), &second);
    let counts = report.lines().find(|line| line.starts_with("changes since gen-000001: "));
    let counts = counts.expect("a count of changes").to_owned();
    let summary = told(folder.path(), &["--changes"]);
    assert_eq!(summary.lines().next(), Some(format!("gen-000002, {counts}").as_str()));
    insta::assert_snapshot!("summary", summary);
    assert_eq!(told(folder.path(), &["--changes", "--since", "1"]), summary);

    let json = told(folder.path(), &["--changes", "--report", "json"]);
    insta::assert_snapshot!("summary-json", json);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["generation"], "gen-000002");

    let kept = fs::read(folder.path().join("data/gen-000002/changes.csv")).expect("a list");
    assert_eq!(told(folder.path(), &["--changes", "--list"]), text(&kept));
    for since in ["1", "gen-000001"] {
        assert_eq!(told(folder.path(), &["--changes", "--since", since, "--list"]), text(&kept));
    }
    // Any two that are kept, in either direction; the list of a build is of what was served then.
    told(folder.path(), &["--rollback"]);
    told(folder.path(), &second);
    let kept_again = fs::read(folder.path().join("data/gen-000003/changes.csv")).expect("a list");
    assert_eq!(kept_again, kept);
    let none = told(folder.path(), &["--changes", "--since", "2", "--list"]);
    assert_eq!(none.lines().count(), 1, "{none}");
    let there = told(folder.path(), &["--changes", "--since", "1", "--until", "2", "--list"]);
    assert_eq!(there, text(&kept));
    let back = told(folder.path(), &["--changes", "--since", "2", "--until", "1", "--list"]);
    let count = |list: &str, what: &str| list.lines().filter(|row| row.contains(what)).count();
    for (one, other) in [(",added,", ",removed,"), (",changed,", ",changed,")] {
        assert!(count(&there, one) > 0, "{one}");
        assert_eq!(count(&there, one), count(&back, other), "{one}");
    }
}

#[test]
fn what_cannot_be_compared_is_told_and_has_its_exit_code() {
    let folder = editions();
    let output = index_build(folder.path(), &["--changes", "--since", "7"]);
    assert_eq!(output.status.code(), Some(66));
    assert!(text(&output.stderr).contains("`data` holds no published index"));
    told(folder.path(), &["releases-1.csv"]);
    told(folder.path(), &["releases-2.csv"]);
    for (arguments, code, expected) in [
        (&["--since", "1"][..], 64, "--changes"),
        (&["--changes", "--since", "x"], 64, "not a generation"),
        (&["--changes", "--until", "1"], 64, "--since"),
        (&["--changes", "--list", "--report", "json"], 64, "--report"),
        (&["--changes", "--check"], 64, "--check"),
        (&["--changes", "releases-1.csv"], 64, "--changes"),
        (
            &["--changes", "--since", "7"],
            66,
            "`data` does not keep gen-000007; it keeps gen-000002 and gen-000001, so name one",
        ),
        (&["--changes", "--since", "1", "--until", "3"], 66, "does not keep gen-000003"),
    ] {
        let output = index_build(folder.path(), arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(expected), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    // A list that was tampered with is not told.
    let list = folder.path().join("data/gen-000002/changes.csv");
    let tampered = text(&fs::read(&list).expect("a list")).replacen("changed", "changeD", 1);
    fs::write(&list, tampered).expect("a file");
    let output = index_build(folder.path(), &["--changes"]);
    assert_eq!(output.status.code(), Some(66));
    assert!(text(&output.stderr).contains("changes.csv"));
    assert_eq!(index_build(folder.path(), &["--check"]).status.code(), Some(66));
}
