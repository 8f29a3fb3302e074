//! A start without `--data` serves the sample to those who just look. The sample never replaces
//! their own data, and is never taken for it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use outfall_query::Staging;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use process::{Service, publish, run};

const PLAIN: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// Runs a line in a shell, with a key in `KEY`, and returns the JSON that it prints. On a machine
/// without curl, sends the line's request itself.
fn paste(service: &Service, line: &str, key: &str) -> serde_json::Value {
    let answer = if Command::new("curl").arg("--version").output().is_ok() {
        let output = Command::new("sh").args(["-c", line]).env("KEY", key).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    } else {
        let (_, target) = line.rsplit_once(&service.base).unwrap();
        let known = line.split("x-gateway-key: ").nth(1).and_then(|rest| rest.split('\'').next());
        let key = known.filter(|known| !known.starts_with('$')).unwrap_or(key);
        service.get(target.trim_end_matches('\''), key).1
    };
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{line}: {error}: {answer}"))
}

fn curl_lines(printed: &str) -> Vec<&str> {
    printed.lines().filter(|line| line.starts_with("curl")).collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Asserts that every line to paste finds records; returns their kinds.
fn answered(service: &Service, key: &str) -> Vec<String> {
    let kinds = curl_lines(&service.printed).into_iter().map(|line| {
        let answer = paste(service, line, key);
        assert_eq!(answer["results"].as_array().map(Vec::len), Some(3), "{line}: {answer}");
        answer["entity_type"].as_str().unwrap().to_owned()
    });
    kinds.collect()
}

#[test]
fn the_first_start_serves_the_sample_and_prints_lines_that_work() {
    let dir = tempfile::tempdir().unwrap();
    let service = Service::start(dir.path(), &PLAIN);
    assert!(service.printed.contains("serves the sample data"), "{}", service.printed);
    assert_eq!(answered(&service, ""), ["release", "emission"]);
    let first = service.printed.clone();
    let page = format!("Explore the data in a browser: {}/", service.base);
    assert!(first.trim_start().starts_with(&page), "{first}");
    assert!(service.send("/", "", &[("accept", "text/html")]).1.contains("<html lang=\"en\""));
    drop(service);

    let current = fs::read(dir.path().join("data/CURRENT")).unwrap();
    let service = Service::start(dir.path(), &PLAIN);
    assert_eq!(fs::read(dir.path().join("data/CURRENT")).unwrap(), current);
    assert_eq!(answered(&service, ""), ["release", "emission"]);
    let key =
        |printed: &str| printed.split("x-gateway-key: ").nth(1).map(|rest| rest[..42].to_owned());
    assert_eq!(key(&service.printed), key(&first), "the key stays");
    drop(service);

    // A revoked key is not printed again.
    assert!(run(dir.path(), &["keys", "revoke", "demo"]).status.success());
    let service = Service::start(dir.path(), &PLAIN);
    assert_eq!(answered(&service, ""), ["release", "emission"]);
    drop(service);

    let open = Service::start(dir.path(), &[&PLAIN[..], &["--auth", "off"]].concat());
    assert!(!open.printed.contains("x-gateway"), "{}", open.printed);
    assert_eq!(answered(&open, ""), ["release", "emission"]);
    drop(open);

    // An index that is published over the sample is not called the sample.
    publish(dir.path(), 1);
    let service = Service::start(dir.path(), &PLAIN);
    assert!(!service.printed.contains("sample"), "{}", service.printed);
    assert_eq!(answered(&service, ""), ["release", "emission"]);
}

#[test]
fn another_index_is_called_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let report = publish(dir.path(), 1);
    let without_keys = run(dir.path(), &PLAIN);
    let said = String::from_utf8(without_keys.stderr).unwrap();
    assert_eq!(without_keys.status.code(), Some(66), "{said}");
    assert!(said.contains("outfall keys add NAME --keys data/keys.json"), "{said}");

    let key = run(dir.path(), &["keys", "add", "me"]).stdout;
    let key = String::from_utf8(key).unwrap().trim().to_owned();
    let before =
        (names(&dir.path().join("data")), fs::read(dir.path().join("data/keys.json")).unwrap());
    let service = Service::start(dir.path(), &PLAIN);
    let printed = &service.printed;
    assert!(!printed.contains("sample"), "{printed}");
    for kind in ["release", "emission"] {
        let info = &report.kinds[kind];
        let years: Vec<&u16> = info.years.keys().collect();
        let (first, last) = (years[0], years[years.len() - 1]);
        let expected = format!("{} {kind}s of {first} to {last}", info.records);
        assert!(printed.contains(&expected), "{expected}: {printed}");
    }
    for file in &report.files {
        assert!(printed.contains(&file.source.name), "{printed}");
    }
    assert_eq!(answered(&service, &key), ["release", "emission"]);
    let after =
        (names(&dir.path().join("data")), fs::read(dir.path().join("data/keys.json")).unwrap());
    assert_eq!(before, after, "nothing is put beside it");
}

#[test]
fn only_what_there_is_can_be_pasted() {
    let dir = tempfile::tempdir().unwrap();
    let (corpus, shape) = (tempfile::tempdir().unwrap(), outfall_fixtures::Shape::sized(400, 1));
    outfall_fixtures::write_corpus(corpus.path(), &shape).unwrap();
    let file = corpus.path().join(outfall_fixtures::GHGRP);
    let options = outfall_indexer::BuildOptions::of_files([file]);
    outfall_indexer::build(
        &options,
        Staging::begin(&dir.path().join("data")).unwrap(),
        &outfall_indexer::Silent,
    )
    .unwrap();
    let service = Service::start(dir.path(), &[&PLAIN[..], &["--auth", "off"]].concat());
    assert!(!service.printed.contains("release"), "{}", service.printed);
    assert_eq!(answered(&service, ""), ["emission"]);
}

#[test]
fn damage_is_told_instead_of_lines_that_fail() {
    let dir = tempfile::tempdir().unwrap();
    let damage = |generation: &str| {
        fs::write(dir.path().join("data").join(generation).join("release/tables.bin"), "damage")
            .unwrap();
    };
    let open = [&PLAIN[..], &["--auth", "off"]].concat();
    for _ in 0..2 {
        publish(dir.path(), 1);
    }
    damage("gen-000002");
    let service = Service::start(dir.path(), &open);
    let printed = &service.printed;
    assert!(printed.contains("older index") && printed.contains("gen-000002"), "{printed}");
    assert_eq!(answered(&service, ""), ["release", "emission"]);
    drop(service);

    damage("gen-000001");
    let service = Service::start(dir.path(), &open);
    let printed = &service.printed;
    assert!(printed.contains("nothing to serve") && printed.contains("gen-000002"), "{printed}");
    assert!(!printed.contains("sample data") && curl_lines(printed).is_empty(), "{printed}");
    assert_eq!(service.get("/health/ready", "").0, 503);
    drop(service);

    // Even without `CURRENT`, the sample is not built among the damaged generations.
    fs::remove_file(dir.path().join("data/CURRENT")).unwrap();
    let service = Service::start(dir.path(), &open);
    assert!(service.printed.contains("nothing to serve"), "{}", service.printed);
    assert!(!dir.path().join("data/gen-000003").exists());
}

#[test]
fn the_sample_is_not_put_among_other_files() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("data")).unwrap();
    fs::write(dir.path().join("data/notes.txt"), "mine").unwrap();
    let refused = run(dir.path(), &PLAIN);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(66), "{said}");
    assert!(said.contains("`notes.txt`") && said.contains("--data"), "{said}");
    assert_eq!(names(&dir.path().join("data")).len(), 1);
}
