//! The keys of a running service: keys that change, and a key file that cannot be read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::fs::{CWD, FileType, Mode};
use serde_json::Value;

use process::key_file::{entry, text, without_override, write_keys};
use process::{Service, add_key, outfall, publish, run, wait_until};

const SERVE: [&str; 9] = [
    "serve",
    "--data",
    "data",
    "--listen",
    "127.0.0.1:0",
    "--keys",
    "keys.json",
    "--rate-limit",
    "0",
];

#[test]
fn a_key_works_until_it_is_revoked() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let first = add_key(dir.path(), "first");
    let service = Service::start(dir.path(), &SERVE);
    assert_eq!(service.get("/release", &first).0, 200);
    assert_eq!(service.get("/release", "prk_unknown_unknown_unknown").0, 401);

    let second = add_key(dir.path(), "second");
    service.wait_for("/release", &second, 200);
    let output = run(dir.path(), &["keys", "revoke", "first", "--keys", "keys.json"]);
    assert!(output.status.success(), "{output:?}");
    service.wait_for("/release", &first, 403);
    assert_eq!(service.get("/release", &second).0, 200);

    let listed = run(dir.path(), &["keys", "list", "--keys", "keys.json"]).stdout;
    let listed = String::from_utf8(listed).unwrap();
    assert!(listed.contains("revoked") && listed.contains("second"), "{listed}");
    let file = fs::read_to_string(dir.path().join("keys.json")).unwrap();
    for key in [first, second] {
        assert!(!listed.contains(&key) && !file.contains(&key));
    }
}

#[test]
fn a_key_expires_after_its_last_day() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let add = |name, day| {
        let arguments = ["keys", "add", name, "--expires", day, "--keys", "keys.json"];
        let output = run(dir.path(), &arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let (past, future) = (add("past", "9998-12-31"), add("future", "9999-12-31"));
    let file = fs::read_to_string(dir.path().join("keys.json")).unwrap();
    fs::write(dir.path().join("keys.json"), file.replace("9998-12-31", "2020-02-29")).unwrap();
    let service = Service::start(dir.path(), &SERVE);
    let (status, body) = service.get("/release", &past);
    assert!(status == 403 && body.contains("key-expired"), "{body}");
    assert_eq!(service.get("/release", &future).0, 200);
    let listed = run(dir.path(), &["keys", "list", "--keys", "keys.json"]).stdout;
    let listed = String::from_utf8(listed).unwrap();
    assert!(listed.contains("expired") && listed.contains("9999-12-31"), "{listed}");
}

#[test]
fn a_broken_key_file_keeps_the_old_keys_and_refuses_to_start() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let key = add_key(dir.path(), "client");
    let service = Service::start(dir.path(), &SERVE);
    let whole = fs::read(dir.path().join("keys.json")).unwrap();
    fs::write(dir.path().join("keys.json"), &whole[..whole.len() / 2]).unwrap();
    // The service looks at the file every second; the key has to work all the while.
    let mut asked = 0;
    wait_until(|| {
        assert_eq!(service.get("/release?limit=0", &key).0, 200);
        asked += 1;
        asked > 25
    });
    drop(service);
    let output = run(dir.path(), &SERVE);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(66), "{message}");
    assert!(message.contains("is not a key file"), "{message}");
    fs::remove_file(dir.path().join("keys.json")).unwrap();
    let message = run(dir.path(), &SERVE).stderr;
    assert!(String::from_utf8_lossy(&message).contains("outfall keys add"));
}

#[test]
fn keys_that_begin_alike_are_limited_and_revoked_apart() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let [first, second, third] =
        ["first", "second", "third"].map(|name| format!("prk_same-{name}-key"));
    let path = dir.path().join("keys.json");
    write_keys(&path, &[entry(&first, "one"), entry(&second, "two"), entry(&third, "two")]);
    let limited = [&SERVE[..7], &["--rate-limit", "1", "--rate-burst", "1"]].concat();
    let service = Service::start(dir.path(), &limited);
    for (key, status) in [(&first, 200), (&first, 429), (&second, 200), (&third, 200)] {
        assert_eq!(service.get("/release?limit=0", key).0, status, "{key}");
    }
    let revoke = |wanted: &str| run(dir.path(), &["keys", "revoke", wanted, "--keys", "keys.json"]);
    let refused = revoke("prk_same");
    assert_eq!(refused.status.code(), Some(66));
    assert!(text(&refused).contains("is the id of 3 keys: one, two, two"), "{}", text(&refused));
    assert_eq!(text(&revoke(&second)), "1 revoked\n");
    service.wait_for("/release?limit=0", &second, 403);
    for key in [&first, &third] {
        assert_eq!(service.get("/release?limit=0", key).0, 429, "{key}");
    }
}

#[test]
fn of_a_key_that_is_listed_twice_the_strictest_entry_counts() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let changed = |key: &str, field: &str, value: Value| {
        let mut entry = entry(key, "client");
        entry[field] = value;
        entry
    };
    let [disabled, expired, good] =
        ["disabled", "expired", "good"].map(|name| format!("prk_{name}-key-of-a-client"));
    let entries = [
        changed(&disabled, "is_disabled", true.into()),
        entry(&disabled, "again"),
        changed(&expired, "expires_on", "2020-02-29".into()),
        changed(&expired, "expires_on", "9999-12-31".into()),
        entry(&expired, "again"),
        entry(&good, "client"),
        entry(&good, "again"),
    ];
    for order in ["as written", "reversed"] {
        let mut entries = entries.clone();
        if order == "reversed" {
            entries.reverse();
        }
        write_keys(&dir.path().join("keys.json"), &entries);
        let service = Service::start(dir.path(), &SERVE);
        for (key, code) in [(&disabled, "key-disabled"), (&expired, "key-expired")] {
            let (status, body) = service.get("/release?limit=0", key);
            assert!(status == 403 && body.contains(code), "{order}: {body}");
        }
        assert_eq!(service.get("/release?limit=0", &good).0, 200, "{order}");
        let metrics = service.get("/metrics", "").1;
        for line in ["outfall_keys{state=\"active\"} 1", "outfall_keys{state=\"refused\"} 2"] {
            assert!(metrics.contains(line), "{metrics}");
        }
    }
}

#[test]
fn a_key_file_that_cannot_be_read_is_reported_and_followed_again() {
    let dir = tempfile::tempdir().unwrap();
    publish(dir.path(), 1);
    let lasting = add_key(dir.path(), "lasting");
    let path = dir.path().join("keys.json");
    let whole = fs::read(&path).unwrap();
    let log = dir.path().join("log");
    let mut command = without_override(outfall(dir.path(), &SERVE));
    command.stderr(File::create(&log).unwrap());
    let service = Service::spawn(command);
    let health = || service.get("/health/ready", "").1;
    assert!(health().contains("\"status\":\"ready\"") && !health().contains("reasons"));

    let in_one_step = |bytes: &[u8], mode: u32| {
        fs::write(dir.path().join("new"), bytes).unwrap();
        fs::set_permissions(dir.path().join("new"), Permissions::from_mode(mode)).unwrap();
        fs::rename(dir.path().join("new"), &path).unwrap();
    };
    let pipe = || rustix::fs::mknodat(CWD, &path, FileType::Fifo, Mode::RUSR, 0).unwrap();
    let endless = || symlink("/dev/zero", &path).unwrap();
    let folder = || fs::create_dir(&path).unwrap();
    let nothing = || {};
    let long = || File::create(&path).unwrap().set_len((16 << 20) + 1).unwrap();
    let half = || in_one_step(&whole[..whole.len() / 2], 0o600);
    let unreadable = || in_one_step(&whole, 0o000);
    let dangling = || symlink("nowhere", &path).unwrap();
    let cases: [(&dyn Fn(), &str); 8] = [
        (&pipe, "it is a pipe"),
        (&endless, "it is a device"),
        (&folder, "it is a directory"),
        (&nothing, "there is no key file"),
        (&long, "longer than 16777216 bytes"),
        (&half, "is not a key file"),
        (&unreadable, "Permission denied"),
        (&dangling, "is a link to"),
    ];
    let logged = |text: &str| fs::read_to_string(&log).unwrap().matches(text).count();
    for (number, (spoil, reason)) in cases.into_iter().enumerate() {
        fs::remove_file(&path).unwrap();
        spoil();
        wait_until(|| health().contains("\"reasons\":[\"key-file-unreadable\"]"));
        assert!(health().contains("\"status\":\"degraded\""), "{reason}");
        assert!(service.get("/metrics", "").1.contains("\noutfall_key_file_unreadable 1\n"));
        assert_eq!(service.get("/release?limit=0", &lasting).0, 200, "{reason}");
        wait_until(|| logged(reason) > 0);
        for _ in 0..3 {
            let looked = logged("looking at the published index");
            service.signal("HUP");
            wait_until(|| logged("looking at the published index") > looked);
        }
        // Between two cases there is no file for a moment.
        assert!(logged(reason) == 1 || reason == "there is no key file", "{reason} again");

        let refused = without_override(outfall(dir.path(), &SERVE)).output().unwrap();
        assert_eq!(refused.status.code(), Some(66), "{reason}: {}", text(&refused));
        assert!(text(&refused).contains("keys.json"), "{reason}: {}", text(&refused));

        fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).ok();
        in_one_step(&whole, 0o600);
        let key = add_key(dir.path(), &format!("client-{number}"));
        service.wait_for("/release?limit=0", &key, 200);
        wait_until(|| !health().contains("degraded"));
        assert!(service.get("/metrics", "").1.contains("\noutfall_key_file_unreadable 0\n"));
    }
}
