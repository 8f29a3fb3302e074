//! `--from-portal` from outside, against a portal on this machine.
#![allow(clippy::expect_used, reason = "tests")]

mod support;

use outfall_fixtures::{Fault, ServedFile, TestPortal, committed_dir};
use serde_json::Value;
use support::{index_build, text};

#[test]
fn an_index_is_built_from_a_portal_only_if_something_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let portal = TestPortal::over(committed_dir()).expect("a portal");
    let url = portal.url();
    let always = ["--data", "data", "--from-portal", "--portal", &url];
    let build = |more: &[&str]| index_build(folder.path(), &[&always, more].concat());

    let listed = build(&["--dry-run"]);
    let told = text(&listed.stdout);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    assert!(told.contains("ghgrp: PDGES-GHGRP-GHGEmissionsGES-2004-Present.csv\n"), "{told}");
    assert!(!folder.path().join("data").exists(), "a dry run leaves nothing");

    let first = build(&[]);
    let (told, progress) = (text(&first.stdout), text(&first.stderr));
    assert_eq!(first.status.code(), Some(0), "{progress}");
    assert_eq!(told.lines().last(), Some("published gen-000001"));
    assert!(
        progress.contains("downloading NPRI-INRP_ReleasesRejets_1993-present.csv"),
        "{progress}"
    );

    let second = build(&["--report", "json"]);
    let report: Value = serde_json::from_slice(&second.stdout).expect("JSON");
    assert_eq!((&report["is_new"], &report["generation"]), (&false.into(), &"gen-000001".into()));
    assert!(!text(&second.stderr).contains("downloading"), "{}", text(&second.stderr));

    // Files that were given by hand and are the same count as well, wherever they were.
    let elsewhere = build(&["--download-dir", "elsewhere", "--report", "json"]);
    let report: Value = serde_json::from_slice(&elsewhere.stdout).expect("JSON");
    assert_eq!(
        (&report["is_new"], &report["downloads"][0]["is_new"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn failures_have_exit_codes_and_name_the_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let portal = TestPortal::over(committed_dir()).expect("a portal");
    let gone = ServedFile::default().with_faults([Fault::Status(410)]);
    let gone = portal.at(&portal.publish(2, gone));
    let url = portal.url();
    let (to_data, from) = (["--data", "data"], ["--from-portal", "--portal", &url]);
    let cluster = ["--to", "opensearch", "--url", "http://127.0.0.1:1"];
    for (arguments, code, expected) in [
        (&[&to_data[..], &["--portal", &url]].concat(), 64, "--from-portal"),
        (&[&to_data[..], &["--dry-run"]].concat(), 64, "--from-portal"),
        (&[&to_data[..], &from, &["releases.csv"]].concat(), 64, "cannot be used with"),
        (&[&to_data[..], &["--from-portal", "--portal", "x"]].concat(), 64, "address of a portal"),
        (&[&cluster[..], &from].concat(), 64, "--download-dir"),
        (&[&to_data[..], &from].concat(), 66, &gone),
    ] {
        let output = index_build(folder.path(), arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(expected), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!folder.path().join("data/CURRENT").exists(), "{arguments:?}");
    }
}

#[test]
fn files_for_a_cluster_are_downloaded_before_it_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let portal = TestPortal::over(committed_dir()).expect("a portal");
    let url = portal.url();
    let to_cluster = ["--to", "opensearch", "--url", "http://127.0.0.1:1"];
    let from = ["--from-portal", "--portal", &url, "--download-dir", "downloads"];
    let run = |more: &[&str]| index_build(folder.path(), &[&to_cluster[..], &from, more].concat());
    let listed = run(&["--dry-run"]);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    assert!(text(&listed.stdout).contains("npri-releases: "), "{}", text(&listed.stdout));
    for is_downloaded in [true, false] {
        let output = run(&[]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(69), "{told}");
        assert!(told.contains("cannot be asked"), "{told}");
        assert_eq!(told.contains("downloading "), is_downloaded, "{told}");
        assert!(output.stdout.is_empty());
    }
}
