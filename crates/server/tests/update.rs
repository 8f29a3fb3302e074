//! `outfall update`, by hand and while the index is served, against a portal on this machine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs::{self, File};
use std::path::Path;
use std::process::{Output, Stdio};

use outfall_fixtures::{GHGRP, ServedFile, TestPortal, committed_dir};
use outfall_query::Staging;
use serde_json::Value;

use process::{Service, outfall, run, wait_until};

fn portal() -> TestPortal {
    TestPortal::over(committed_dir()).unwrap()
}

fn update(dir: &Path, portal: &TestPortal, arguments: &[&str]) -> Output {
    let always = ["update", "--data", "data", "--portal", &portal.url()];
    run(dir, &[&always, arguments].concat())
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The emissions of the sample without one of its rows, as another version of the file.
fn emissions_without(row: usize, etag: &'static str) -> ServedFile {
    let text = fs::read(committed_dir().join(GHGRP)).unwrap();
    let lines = text.split_inclusive(|byte| *byte == b'\n').enumerate();
    let kept = lines.filter(|(place, _)| *place != row).flat_map(|(_, line)| line.to_vec());
    ServedFile { etag: Some(etag), ..ServedFile::csv(kept.collect()) }
}

/// A page that a portal shows instead of a file.
fn sorry() -> ServedFile {
    let page = ServedFile::csv(b"<html>Sorry</html>".to_vec());
    ServedFile { content_type: "text/html", etag: Some("\"sorry\""), ..page }
}

#[test]
fn one_command_leads_to_current_data() {
    let dir = tempfile::tempdir().unwrap();
    let portal = portal();
    let listing = json(&update(dir.path(), &portal, &["--dry-run", "--report", "json"]));
    assert_eq!(
        listing["files"][0]["url"],
        portal.at(&format!("/files/{}", TestPortal::file_name(0)))
    );
    assert!(!dir.path().join("data").exists(), "a dry run leaves nothing");

    let first = json(&update(dir.path(), &portal, &["--report", "json"]));
    assert_eq!((&first["generation"], &first["is_new"]), (&"gen-000001".into(), &true.into()));
    let second = json(&update(dir.path(), &portal, &["--report", "json"]));
    assert_eq!((&second["generation"], &second["build"]), (&"gen-000001".into(), &Value::Null));

    portal.publish(2, emissions_without(3, "\"two\""));
    let third = update(dir.path(), &portal, &[]);
    let told = String::from_utf8(third.stdout).unwrap();
    assert!(third.status.success(), "{told}");
    assert!(told.contains("changes since gen-000001: "), "{told}");
    assert!(told.ends_with("published gen-000002\n"), "{told}");
    let found = run(dir.path(), &["search", "--limit", "1", "--format", "json"]);
    assert!(json(&found)["count"].as_u64().unwrap() > 0);
}

#[test]
fn every_failure_of_an_update_has_its_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let portal = portal();
    assert!(update(dir.path(), &portal, &[]).status.success());
    let current = fs::read(dir.path().join("data/CURRENT")).unwrap();
    portal.publish(2, sorry());
    let nowhere = ["update", "--data", "data", "--portal", "nowhere"];
    let held = Staging::begin(&dir.path().join("held")).unwrap();
    fs::write(dir.path().join("occupied"), "a file, not a folder").unwrap();
    for (output, code, expected) in [
        (run(dir.path(), &nowhere), 64, "not the address of a portal"),
        (update(dir.path(), &portal, &[]), 66, "it is a web page"),
        (update(dir.path(), &portal, &["--download-dir", "occupied"]), 74, "occupied"),
        (update(dir.path(), &portal, &["--download-dir", "held"]), 75, "another rebuild holds"),
    ] {
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(expected) && output.stdout.is_empty(), "{told}");
        assert_eq!(fs::read(dir.path().join("data/CURRENT")).unwrap(), current);
    }
    drop(held);
    let help = String::from_utf8(run(dir.path(), &["update", "--help"]).stdout).unwrap();
    for code in ["0", "64", "65", "66", "69", "71", "73", "74", "75", "77"] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(code)), "{code}: {help}");
    }
}

/// The value of a metric.
fn metric(service: &Service, name: &str) -> u64 {
    let (_, text) = service.get("/metrics", "");
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap().parse().unwrap()
}

#[test]
fn a_service_keeps_its_index_up_to_date() {
    let dir = tempfile::tempdir().unwrap();
    let (portal, log) = (portal(), dir.path().join("log"));
    let serve = ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--auth", "off"];
    let url = portal.url();
    let every_second = ["--update-every", "1s", "--portal", &url];
    let mut command = outfall(dir.path(), &[&serve[..], &every_second].concat());
    command.stderr(Stdio::from(File::create(&log).unwrap()));
    let service = Service::spawn(command);
    let is_ready = || service.get("/health/ready", "").0 == 200;
    wait_until(is_ready);
    let first = service.build_id();

    // Nothing is built while nothing has changed.
    let done = metric(&service, "outfall_updates_total");
    wait_until(|| metric(&service, "outfall_updates_total") > done + 1);
    assert!(!dir.path().join("data/gen-000002").exists());

    portal.publish(2, emissions_without(3, "\"two\""));
    wait_until(|| service.build_id() != first);
    let second = service.build_id();
    assert_eq!(metric(&service, "outfall_update_failures_total"), 0);

    portal.publish(2, sorry());
    wait_until(|| metric(&service, "outfall_update_failing") == 1);
    assert!(metric(&service, "outfall_update_failures_total") > 0);
    assert_eq!((service.build_id(), is_ready()), (second.clone(), true));
    assert!(!service.get("/health/ready", "").1.contains("degraded"));
    let said = fs::read_to_string(&log).unwrap();
    assert!(
        said.contains("the index was not updated") && said.contains("it is a web page"),
        "{said}"
    );

    portal.publish(2, emissions_without(4, "\"three\""));
    wait_until(|| service.build_id() != second);
    assert_eq!(metric(&service, "outfall_update_failing"), 0);
}

#[test]
fn an_update_waits_while_another_build_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (portal, log) = (portal(), dir.path().join("log"));
    let serve = ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--auth", "off"];
    let url = portal.url();
    let other = Staging::begin(&dir.path().join("data")).unwrap();
    let mut command =
        outfall(dir.path(), &[&serve[..], &["--update-every", "1s", "--portal", &url]].concat());
    command.stderr(Stdio::from(File::create(&log).unwrap()));
    let service = Service::spawn(command);
    wait_until(|| fs::read_to_string(&log).unwrap().contains("the index is not updated now"));
    assert_eq!(metric(&service, "outfall_update_failures_total"), 0);
    assert_eq!(service.get("/health/ready", "").0, 503);
    drop(other);
    wait_until(|| service.get("/health/ready", "").0 == 200);
}

#[test]
fn a_stop_ends_an_update_too() {
    let dir = tempfile::tempdir().unwrap();
    let portal = portal();
    let silent = [outfall_fixtures::Fault::FallSilent(10)];
    let file = ServedFile::csv(fs::read(committed_dir().join(GHGRP)).unwrap());
    portal.publish(2, file.with_faults(silent));
    let url = portal.url();
    let mut service = Service::start(
        dir.path(),
        &[
            "serve",
            "--data",
            "data",
            "--listen",
            "127.0.0.1:0",
            "--auth",
            "off",
            "--update-every",
            "1s",
            "--portal",
            &url,
        ],
    );
    let part = dir.path().join("data/downloads/ghgrp/part");
    wait_until(|| part.exists());
    service.signal("TERM");
    assert!(service.ended().success());
    wait_until(|| outfall_store::lock(&dir.path().join("data/downloads")).is_ok());
}

#[test]
fn updates_need_a_directory_to_update() {
    let dir = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["serve", "--update-every", "7d"][..], "--update-every needs the --data"),
        (&["--update-every", "7d", "--auth", "off"], "--update-every needs the --data"),
        (&["serve", "--data", "data", "--update-every", "7"], "such as `7d`"),
        (
            &[
                "serve",
                "--backend",
                "opensearch",
                "--url",
                "http://127.0.0.1:1",
                "--auth",
                "off",
                "--update-every",
                "7d",
            ],
            "--from-portal",
        ),
    ] {
        let output = run(dir.path(), arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(64), "{told}");
        assert!(told.contains(expected), "{told}");
    }
}
