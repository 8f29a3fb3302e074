//! How a running service follows the data directory when its files are good, bad or repaired.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use process::{Service, publish, wait_until};

const SERVE: [&str; 7] = ["serve", "--data", "data", "--listen", "127.0.0.1:0", "--auth", "off"];

fn wait_for_status(service: &Service, status: &str) {
    let wanted = format!("\"status\":\"{status}\"");
    wait_until(|| service.get("/health/ready", "").1.contains(&wanted));
}

fn is_degraded(service: &Service) -> bool {
    service.get("/metrics", "").1.contains("outfall_index_degraded 1\n")
}

/// Puts something else in place of a file.
type Harm = fn(&Path);

/// Harms to a file, which is moved away beforehand.
const HARMS: [(&str, Harm); 8] = [
    ("nothing", |_| ()),
    ("nonsense", |path| fs::write(path, "gen-000009 nonsense\n").unwrap()),
    ("half a line", |path| fs::write(path, "gen-0000").unwrap()),
    ("a folder", |path| fs::create_dir(path).unwrap()),
    ("a pipe", |path| mknodat(CWD, path, FileType::Fifo, Mode::RUSR, 0).unwrap()),
    ("a link to itself moved", |path| symlink(path.with_extension("aside"), path).unwrap()),
    ("a link to an endless device", |path| symlink("/dev/zero", path).unwrap()),
    ("a terabyte", |path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap()),
];

#[test]
fn a_bad_current_is_degraded_until_it_is_put_right_and_changes_no_answer() {
    let dir = tempfile::tempdir().unwrap();
    let first = publish(dir.path(), 1).build_id;
    let service = Service::start(dir.path(), &SERVE);
    let current = dir.path().join("data/CURRENT");
    let aside = current.with_extension("aside");
    for (what, harm) in HARMS {
        fs::rename(&current, &aside).unwrap();
        harm(&current);
        wait_for_status(&service, "degraded");
        assert!(is_degraded(&service), "{what}");
        assert_eq!(service.build_id(), first, "{what}");
        let _ = fs::remove_dir(&current);
        fs::rename(&aside, &current).unwrap();
        wait_for_status(&service, "ready");
        assert!(!is_degraded(&service), "{what}");
    }
    let second = publish(dir.path(), 2).build_id;
    wait_until(|| service.build_id() == second);
}

#[test]
fn a_published_index_is_taken_over_once_its_files_are_right() {
    let dir = tempfile::tempdir().unwrap();
    let first = publish(dir.path(), 1).build_id;
    let at = |name: &str| dir.path().join("data").join(name);
    let service = Service::start(dir.path(), &SERVE);
    let before = fs::read(at("CURRENT")).unwrap();
    let second = publish(dir.path(), 2).build_id;
    wait_until(|| service.build_id() == second);
    let now = fs::read(at("CURRENT")).unwrap();
    for (file, harms) in [
        ("manifest.json", &HARMS[3..7]),
        ("release/tables.bin", &HARMS[..2]),
        ("rejects.csv", &HARMS[6..]),
    ] {
        let path = at("gen-000002").join(file);
        for (what, harm) in harms {
            fs::write(at("CURRENT"), &before).unwrap();
            wait_until(|| service.build_id() == first);
            wait_for_status(&service, "ready");
            fs::rename(&path, at("aside")).unwrap();
            harm(&path);
            fs::write(at("CURRENT"), &now).unwrap();
            wait_for_status(&service, "degraded");
            assert_eq!(service.build_id(), first, "{what} for {file}");
            // `CURRENT` stays as it is: only the file is repaired.
            let _ = fs::remove_dir(&path);
            fs::rename(at("aside"), &path).unwrap();
            wait_until(|| service.build_id() == second);
            wait_for_status(&service, "ready");
        }
    }
}

#[test]
fn a_start_on_an_older_index_takes_over_the_published_one_once_it_is_mended() {
    let dir = tempfile::tempdir().unwrap();
    let first = publish(dir.path(), 1).build_id;
    let second = publish(dir.path(), 2).build_id;
    let path = dir.path().join("data/gen-000002/release/tables.bin");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, "").unwrap();
    let service = Service::start(dir.path(), &SERVE);
    assert_eq!(service.build_id(), first);
    wait_for_status(&service, "degraded");
    fs::write(&path, whole).unwrap();
    wait_until(|| service.build_id() == second);
    wait_for_status(&service, "ready");
}

#[test]
fn a_rollback_to_what_is_served_is_no_trouble() {
    let dir = tempfile::tempdir().unwrap();
    let first = publish(dir.path(), 1).build_id;
    let service = Service::start(dir.path(), &SERVE);
    publish(dir.path(), 2);
    fs::write(dir.path().join("data/gen-000002/manifest.json"), "{}").unwrap();
    wait_for_status(&service, "degraded");
    outfall_query::roll_back(&dir.path().join("data")).unwrap();
    wait_for_status(&service, "ready");
    assert_eq!(service.build_id(), first);
}

#[test]
fn the_same_files_published_again_are_the_same_data() {
    let dir = tempfile::tempdir().unwrap();
    let first = publish(dir.path(), 1).build_id;
    let service = Service::start(dir.path(), &SERVE);
    let tag = |service: &Service| service.header("/release?limit=1", "etag");
    let before = tag(&service);
    assert_eq!(publish(dir.path(), 1).build_id, first);
    wait_until(|| service.get("/metrics", "").1.contains("outfall_index_loads_total 2\n"));
    assert_eq!((service.build_id(), tag(&service)), (first, before));
    let meta: serde_json::Value = serde_json::from_str(&service.get("/meta", "").1).unwrap();
    assert!(meta["built_at"].as_str().unwrap().starts_with("20"), "{meta}");
}
