//! An index that is brought up to date, into a data directory.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use outfall_fixtures::{Fault, GHGRP, ServedFile, TestPortal, committed_dir};
use outfall_indexer::{BuildOptions, Silent};
use outfall_portal::{Limits, Portal, Update, UpdateError, Updated, last_update};
use outfall_query::{IndexError, Staging};

fn update(portal: &TestPortal, dir: &Path) -> Result<Updated, UpdateError<IndexError>> {
    let limits = Limits { tries: 2, pause: Duration::from_millis(1), ..Limits::default() };
    let portal = Portal::new(&portal.url(), limits).unwrap();
    let (data, downloads) = (dir.join("data"), dir.join("downloads"));
    let options = BuildOptions::of_files([]);
    let update = Update { portal, downloads, options };
    update.run(|| Staging::begin(&data), &Silent)
}

/// The emissions of the sample, without one of them.
fn fewer_emissions() -> Vec<u8> {
    let text = fs::read(committed_dir().join(GHGRP)).unwrap();
    let lines = text.split_inclusive(|byte| *byte == b'\n').enumerate();
    lines.filter(|(place, _)| *place != 3).flat_map(|(_, line)| line.to_vec()).collect()
}

#[test]
fn an_index_is_built_if_a_file_has_changed_and_only_then() {
    let dir = tempfile::tempdir().unwrap();
    let downloads = dir.path().join("downloads");
    let portal = TestPortal::over(committed_dir()).unwrap();
    assert_eq!(last_update(&downloads), None);

    let first = update(&portal, dir.path()).unwrap();
    assert!(first.is_new && first.build.is_some());
    let told = first.to_string();
    assert!(told.starts_with("npri-releases: downloaded, "), "{told}");
    assert!(told.ends_with("published gen-000001\n"), "{told}");
    let marked = last_update(&downloads).unwrap();

    let second = update(&portal, dir.path()).unwrap();
    assert_eq!((second.generation.as_str(), second.is_new), ("gen-000001", false));
    let told = second.to_string();
    assert!(told.contains("ghgrp: unchanged, ") && told.contains("nothing to do"), "{told}");
    assert!(!dir.path().join("data/gen-000002").exists());
    assert!(last_update(&downloads).unwrap() >= marked);

    let changed = ServedFile { etag: Some("\"two\""), ..ServedFile::csv(fewer_emissions()) };
    portal.publish(2, changed);
    let third = update(&portal, dir.path()).unwrap();
    assert_eq!((third.generation.as_str(), third.is_new), ("gen-000002", true));
    let told = third.to_string();
    for expected in [
        "npri-releases: unchanged",
        "ghgrp: downloaded",
        "changes since gen-000001: 0 added",
        "\nemission: ",
    ] {
        assert!(told.contains(expected), "{expected}: {told}");
    }
    let json = serde_json::to_value(&third).unwrap();
    assert_eq!(json["generation"], "gen-000002");
    assert_eq!(json["downloads"][2]["kind"], "ghgrp");
    assert_eq!(json["downloads"][2]["is_new"], true);
    assert!(json["build"]["changes"]["kinds"]["emission"]["years"].is_object(), "{json}");
}

#[test]
fn a_failure_leaves_what_is_served_and_the_next_update_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let portal = TestPortal::over(committed_dir()).unwrap();
    update(&portal, dir.path()).unwrap();
    let current = fs::read(dir.path().join("data/CURRENT")).unwrap();
    let marked = last_update(&dir.path().join("downloads"));

    // Half of the emissions are well formed, but half of the emissions are not all of them.
    let whole = fs::read(committed_dir().join(GHGRP)).unwrap();
    let half = whole.split_inclusive(|byte| *byte == b'\n').take(20).flatten().copied().collect();
    let half = ServedFile { etag: Some("\"half\""), ..ServedFile::csv(half) };
    let away = half.clone().with_faults(vec![Fault::Status(503); 2]);
    let page = ServedFile { content_type: "text/html", ..half.clone() };
    for (file, code, expected) in [
        (away, 69, "status 503"),
        (page, 66, "it is a web page"),
        (half, 77, "the build holds less than the served gen-000001"),
    ] {
        portal.publish(2, file);
        let error = update(&portal, dir.path()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_code(IndexError::exit_code), code, "{error}");
        assert_eq!(fs::read(dir.path().join("data/CURRENT")).unwrap(), current);
        assert_eq!(last_update(&dir.path().join("downloads")), marked);
    }

    // Beside another build, the files are downloaded and wait.
    portal.publish(2, ServedFile { etag: Some("\"new\""), ..ServedFile::csv(fewer_emissions()) });
    let other = Staging::begin(&dir.path().join("data")).unwrap();
    let error = update(&portal, dir.path()).unwrap_err();
    assert_eq!(error.exit_code(IndexError::exit_code), 75, "{error}");
    drop(other);
    let updated = update(&portal, dir.path()).unwrap();
    assert!(updated.is_new && updated.downloads.iter().all(|file| !file.is_new), "{updated}");
}
