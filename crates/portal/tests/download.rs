//! Official files from a portal that behaves, and from one that does not.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::time::Duration;

use outfall_fixtures::{Fault, GHGRP, LOCATIONS, RELEASES, ServedFile, TestPortal, committed_dir};
use outfall_indexer::{FileKind, Silent};
use outfall_portal::{Downloaded, Downloads, Found, Limits, OFFICIAL_FILES, Portal, PortalError};
use serde_json::json;

const NAMES: [&str; 3] = [RELEASES, LOCATIONS, GHGRP];

fn limits() -> Limits {
    Limits {
        silence: Duration::from_secs(2),
        tries: 3,
        pause: Duration::from_millis(1),
        ..Limits::default()
    }
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(committed_dir().join(name)).unwrap()
}

fn releases_file() -> ServedFile {
    ServedFile::csv(sample(RELEASES))
}

fn portal_of_sample() -> TestPortal {
    TestPortal::over(committed_dir()).unwrap()
}

fn client(portal: &TestPortal) -> Portal {
    Portal::new(&portal.url(), limits()).unwrap()
}

fn find(portal: &TestPortal) -> Vec<Found> {
    client(portal).find().unwrap()
}

/// Does something to a file.
type Harm = fn(&Path);

/// Downloads the releases, with one connection for each request.
fn releases(portal: &TestPortal, folder: &Path) -> Result<Downloaded, PortalError> {
    let to = Downloads::open(folder).unwrap();
    client(portal).download(&find(portal)[0], &to, &Silent)
}

/// The names of what is in the place of the releases.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("npri-releases")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_file_is_found_and_sent_once() {
    let portal = portal_of_sample();
    let folder = tempfile::tempdir().unwrap();
    let to = Downloads::open(folder.path()).unwrap();
    for is_new in [true, false] {
        for (found, name) in find(&portal).iter().zip(NAMES) {
            let file = client(&portal).download(found, &to, &Silent).unwrap();
            assert_eq!((file.kind, file.is_new), (found.file.kind, is_new));
            let expected = folder.path().join(found.file.kind.name()).join(found.file.name);
            assert_eq!(file.path, expected);
            assert!(fs::read(&file.path).unwrap() == sample(name));
            assert_eq!(file.bytes, sample(name).len() as u64);
        }
        let asked = portal.asked("if-none-match");
        assert_eq!(asked.len(), 3);
        assert!(asked.iter().all(|tag| tag.is_some() != is_new), "{asked:?}");
    }
    assert_eq!(names(folder.path()), [TestPortal::file_name(0), "version.json"]);
}

#[test]
fn the_generator_and_the_client_mean_the_same_files() {
    let names = OFFICIAL_FILES.map(|file| file.name);
    assert_eq!(names, [0, 1, 2].map(TestPortal::file_name));
}

#[test]
fn a_file_is_sent_again_if_it_has_changed_here_or_there() {
    let portal = portal_of_sample();
    let folder = tempfile::tempdir().unwrap();
    let mut path = releases(&portal, folder.path()).unwrap().path;
    let later = Some("Sun, 02 Nov 2025 00:00:00 GMT");
    let two = Some("\"two\"");
    for (etag, last_modified, is_new) in [
        (Some("\"one\""), later, false),
        (two, later, true),
        // A tag was asked for, and there is none.
        (None, later, true),
        (None, later, false),
        (None, Some("Mon, 03 Nov 2025 00:00:00 GMT"), true),
        // Without both, the file is sent each time.
        (None, None, true),
        (None, None, true),
        (two, None, true),
        (two, None, false),
    ] {
        portal.publish(0, ServedFile { etag, last_modified, ..releases_file() });
        let file = releases(&portal, folder.path()).unwrap();
        assert_eq!(file.is_new, is_new, "{etag:?} {last_modified:?}");
        path = file.path;
    }
    let harms: [(&str, Harm); 3] = [
        ("changed", |path| fs::write(path, "year\n").unwrap()),
        ("removed", |path| fs::remove_file(path).unwrap()),
        ("a link", |path| {
            let aside = path.with_extension("aside");
            fs::rename(path, &aside).unwrap();
            std::os::unix::fs::symlink(aside, path).unwrap();
        }),
    ];
    for (what, harm) in harms {
        harm(&path);
        let file = releases(&portal, folder.path()).unwrap();
        assert!(file.is_new, "{what}");
        assert!(fs::read(&file.path).unwrap() == sample(RELEASES), "{what}");
        assert!(fs::symlink_metadata(&file.path).unwrap().is_file(), "{what}");
    }
}

#[test]
fn a_file_that_breaks_off_goes_on_where_it_stopped() {
    let body = sample(RELEASES);
    let from = |bytes: usize| Some(format!("bytes={bytes}-"));
    for (faults, ranges) in [
        (vec![Fault::BreakOff(100_000)], vec![None, from(100_000)]),
        (
            vec![Fault::BreakOff(100_000), Fault::BreakOff(50_000), Fault::Status(503)],
            vec![None, from(100_000), from(150_000), from(150_000)],
        ),
        (vec![Fault::FallSilent(65_536)], vec![None, from(65_536)]),
        (vec![Fault::Status(500), Fault::Status(429)], vec![None, None, None]),
        (vec![Fault::BreakOff(0)], vec![None, None]),
        (vec![Fault::Slow], vec![None]),
        (vec![Fault::Chunked], vec![None]),
        // The rest of another place is not put together with what is there.
        (vec![Fault::BreakOff(100_000), Fault::WrongRange], vec![None, from(100_000), None]),
    ] {
        let portal = portal_of_sample();
        let folder = tempfile::tempdir().unwrap();
        portal.publish(0, releases_file().with_faults(faults));
        let file = releases(&portal, folder.path()).unwrap();
        assert!(fs::read(file.path).unwrap() == body, "{ranges:?}");
        assert_eq!(portal.asked("range"), ranges);
    }
    // Chunks that break off are noticed, and the rest is asked for.
    let portal = portal_of_sample();
    let folder = tempfile::tempdir().unwrap();
    portal.publish(0, releases_file().with_faults([Fault::BrokenChunks(100_000)]));
    let file = releases(&portal, folder.path()).unwrap();
    assert!(fs::read(file.path).unwrap() == body);
}

#[test]
fn a_file_that_changes_while_it_is_sent_is_taken_whole_in_its_new_version() {
    let (old, new) = (releases_file(), sample(RELEASES).to_ascii_uppercase());
    let second = ServedFile { etag: Some("\"two\""), ..ServedFile::csv(new.clone()) };
    let bare = |file: &ServedFile| ServedFile { etag: None, last_modified: None, ..file.clone() };
    let weak = ServedFile { etag: Some("W/\"one\""), last_modified: None, ..old.clone() };
    for (first, second) in [
        (old.clone(), second.clone()),
        // Without a tag or a date nothing can be continued.
        (bare(&old), bare(&second)),
        (weak, second),
    ] {
        let portal = portal_of_sample();
        let folder = tempfile::tempdir().unwrap();
        let replaced = Fault::Replace(100_000, Box::new(second));
        portal.publish(0, first.with_faults([replaced]));
        let file = releases(&portal, folder.path()).unwrap();
        assert!(fs::read(file.path).unwrap() == new);
    }
}

#[test]
fn a_later_call_goes_on_where_an_earlier_one_gave_up() {
    let portal = portal_of_sample();
    let folder = tempfile::tempdir().unwrap();
    let failing = vec![Fault::Status(500); 3];
    portal.publish(
        0,
        releases_file().with_faults([vec![Fault::BreakOff(100_000)], failing].concat()),
    );
    let error = releases(&portal, folder.path()).unwrap_err();
    assert!(matches!(&error, PortalError::Unavailable { .. }), "{error}");
    assert!(error.to_string().contains("500"), "{error}");
    assert_eq!(portal.asked("range").len(), 3, "a try that got anywhere begins the count anew");
    portal.publish(0, releases_file());
    assert!(releases(&portal, folder.path()).unwrap().is_new);
    assert_eq!(portal.asked("range"), [Some("bytes=100000-".to_owned())]);
}

#[test]
fn redirects_are_followed_to_other_hosts_and_never_out_of_http() {
    let other = portal_of_sample();
    for fault in [None, Some(Fault::BreakOff(100_000))] {
        let portal = portal_of_sample();
        let folder = tempfile::tempdir().unwrap();
        let path = other.publish(0, releases_file().with_faults(fault));
        let there = other.at_localhost(&path);
        portal.publish(0, ServedFile::default().with_faults(vec![Fault::Redirect(there); 2]));
        let file = releases(&portal, folder.path()).unwrap();
        assert!(fs::read(file.path).unwrap() == sample(RELEASES));
    }
    let portal = portal_of_sample();
    let endless = portal.at(&portal.publish(0, releases_file()));
    for (to, expected) in [
        (endless.as_str(), "leads on more than"),
        // Without a host it is a path like any other.
        ("file:///etc/passwd", "refused with status 404"),
        ("ftp://localhost/releases.csv", "leads to no address of HTTP"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let faults = vec![Fault::Redirect(to.to_owned()); 60];
        portal.publish(0, releases_file().with_faults(faults));
        let told = releases(&portal, folder.path()).unwrap_err().to_string();
        assert!(told.contains(expected) && told.contains(&endless), "{to}: {told}");
    }
}

/// An archive of copies of the releases.
fn archive(names: &[&str]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(&sample(RELEASES)).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn what_is_not_the_file_is_refused_and_what_was_there_stays() {
    let page = b"<!DOCTYPE html><html>Sorry</html>".to_vec();
    let cut = Fault::WithoutLength;
    for (body, content_type, fault, expected) in [
        (page.clone(), "text/html; charset=utf-8", None, "it is a web page"),
        ([b"\xef\xbb\xbf\n ", &page[..]].concat(), "text/csv", None, "it is a web page"),
        (sample(GHGRP), "text/csv", None, "GHGRP"),
        (b"a,b\n1,2\n".to_vec(), "text/csv", None, "not the header"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(), "text/csv", None, "not the header"),
        (archive(&["a.csv", "b.csv"]), "application/zip", None, "2 files"),
        (archive(&[]), "application/zip", None, "0 files"),
        (archive(&["a.csv"])[..20_000].to_vec(), "application/zip", None, "cannot read"),
        (Vec::new(), "text/csv", None, "it is empty"),
        (sample(RELEASES), "text/csv", Some(cut), "does not say where it ends"),
        (sample(RELEASES), "text/csv", Some(Fault::Status(403)), "refused with status 403"),
        (sample(RELEASES), "text/csv", Some(Fault::Status(404)), "refused with status 404"),
    ] {
        let portal = portal_of_sample();
        let folder = tempfile::tempdir().unwrap();
        let before = releases(&portal, folder.path()).unwrap();
        let kept = names(folder.path());
        let other = ServedFile { etag: Some("\"two\""), content_type, ..ServedFile::csv(body) };
        let path = portal.publish(0, other.with_faults(fault));
        let error = releases(&portal, folder.path()).unwrap_err();
        let told = error.to_string();
        assert!(told.contains(expected) && told.contains(&portal.at(&path)), "{expected}: {told}");
        assert_eq!(error.exit_code(), 66, "{told}");
        assert_eq!(names(folder.path()), kept, "{expected}");
        assert!(fs::read(&before.path).unwrap() == sample(RELEASES));
        // Nothing of it is left that the next call would take for the file.
        portal.publish(0, releases_file());
        assert!(!releases(&portal, folder.path()).unwrap().is_new, "{expected}");
    }
}

#[test]
fn a_file_may_be_packed() {
    let portal = portal_of_sample();
    let folder = tempfile::tempdir().unwrap();
    portal.publish(0, ServedFile::csv(archive(&["a.csv"])));
    assert_eq!(releases(&portal, folder.path()).unwrap().kind, FileKind::NpriReleases);
}

#[test]
fn a_file_that_is_too_long_is_refused() {
    let portal = portal_of_sample();
    let few = Limits { longest_file: 100_000, ..limits() };
    let client = Portal::new(&portal.url(), few).unwrap();
    for (fault, expected) in [
        (None, "longer than any official file"),
        (Some(Fault::Chunked), "more is sent than it should have"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let to = Downloads::open(folder.path()).unwrap();
        portal.publish(0, releases_file().with_faults(fault));
        let told = client.download(&find(&portal)[0], &to, &Silent).unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

#[test]
fn if_the_likeliest_resource_is_another_file_the_next_one_is_taken() {
    let portal = portal_of_sample();
    let folder = tempfile::tempdir().unwrap();
    let path = "/files/old/NPRI-INRP_ReleasesRejets_1994-present.csv";
    let old =
        json!({"name": {"en": "Old", "fr": "Vieux"}, "format": "CSV", "url": portal.at(path)});
    portal.list(0, old);
    for other in [
        ServedFile::csv(sample(LOCATIONS)),
        releases_file().with_faults([Fault::Status(404)]),
        ServedFile { content_type: "text/html", ..releases_file() },
    ] {
        portal.serve(path, other);
        let file = releases(&portal, folder.path()).unwrap();
        assert_eq!((file.kind, file.url.contains("/old/")), (FileKind::NpriReleases, false));
        assert!(fs::read(file.path).unwrap() == sample(RELEASES));
    }
}

#[test]
fn a_portal_that_lists_too_little_or_is_none_is_told() {
    let portal = TestPortal::start().unwrap();
    portal.publish(0, ServedFile::default());
    let fail = |url: &str, limits| Portal::new(url, limits).unwrap().find().unwrap_err();
    let long = vec![b' '; 2_000];
    let huge = Limits { longest_description: 1_000, ..limits() };
    for (status, body, limits, expected) in [
        (
            200,
            &br#"{"success":false,"error":{"message":"Maintenance"}}"#[..],
            limits(),
            "Maintenance",
        ),
        (404, br#"{"success":false,"error":{"message":"Not found"}}"#, limits(), "Not found"),
        (200, b"<html>Sorry</html>", limits(), "no answer of CKAN's API"),
        (404, b"<html>Sorry</html>", limits(), "status 404"),
        (200, b"{\"success\":true", limits(), "no answer of CKAN's API"),
        (200, &long, huge, "longer than 1000 bytes"),
    ] {
        portal.answer_api(status, body);
        let error = fail(&portal.url(), limits);
        let told = error.to_string();
        assert!(told.contains(expected) && told.contains("package_show?id=40e01423"), "{told}");
        assert!(matches!(error, PortalError::Unexpected { .. }), "{told}");
    }
    portal.answer_api(500, "");
    let told = fail(&portal.url(), limits()).to_string();
    assert!(told.contains("Not found"), "after one failure, the next answer counts: {told}");
    portal.publish(2, ServedFile::default());
    let error = fail(&portal.url(), limits());
    let told = error.to_string();
    assert!(matches!(error, PortalError::NotListed { .. }), "{told}");
    for expected in ["NPRI-INRP_Geolocations", "`NPRI-INRP_ReleasesRejets_1993-present.csv`"] {
        assert!(told.contains(expected), "{told}");
    }
    let error = fail("http://127.0.0.1:1", limits());
    assert!(matches!(error, PortalError::Unavailable { .. }), "{error}");
    assert_eq!(error.exit_code(), 69);
}

#[test]
fn a_folder_is_used_by_one_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let _first = Downloads::open(folder.path()).unwrap();
    let second = Downloads::open(folder.path());
    assert_eq!(second.unwrap_err().exit_code(), 75);
}
