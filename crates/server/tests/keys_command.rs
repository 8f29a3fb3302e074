//! `outfall keys`, as an operator types it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Stdio;

use outfall_server::keys::{KeyCheck, KeyFile, KeyStore};
use serde_json::Value;

use process::key_file::{entry, is_root, text, without_override, write_keys};
use process::{add_key, outfall, run};

/// A user that no test runs as.
const OTHER: u32 = 65_534;

/// The names in a folder, in order.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn commands_at_once_lose_nothing_and_keep_link_owner_and_mode() {
    const EACH: usize = 25;
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("kept")).unwrap();
    let file = dir.path().join("kept/real.json");
    let old = |number: usize| format!("prk_old-{number:02}-of-an-earlier-day");
    let entries: Vec<Value> =
        (0..EACH).map(|number| entry(&old(number), &format!("old-{number}"))).collect();
    write_keys(&file, &entries);
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    if is_root() {
        chown(&file, Some(OTHER), Some(OTHER)).unwrap();
    }
    let before = fs::metadata(&file).unwrap();
    symlink("kept/real.json", dir.path().join("keys.json")).unwrap();

    let commands = (0..EACH)
        .flat_map(|number| [("revoke", format!("old-{number}")), ("add", format!("new-{number}"))]);
    let running: Vec<_> = commands
        .map(|(verb, name)| {
            let mut command = outfall(dir.path(), &["keys", verb, &name, "--keys", "keys.json"]);
            (verb, command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        })
        .collect();
    let mut made = Vec::new();
    for (verb, child) in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
        if verb == "add" {
            made.push(String::from_utf8(output.stdout).unwrap().trim().to_owned());
        }
    }
    let store = KeyStore::reading(&file).unwrap();
    for key in &made {
        assert!(matches!(store.check(key.as_bytes()), KeyCheck::Active(_)), "a key was lost");
    }
    for number in 0..EACH {
        let check = store.check(old(number).as_bytes());
        assert!(matches!(check, KeyCheck::Disabled(_)), "a revocation was lost: {check:?}");
    }
    assert_eq!(KeyFile::read(&file).unwrap().keys.len(), 2 * EACH);
    let after = fs::metadata(&file).unwrap();
    for what in [MetadataExt::uid, MetadataExt::gid, MetadataExt::mode] {
        assert_eq!(what(&after), what(&before));
    }
    assert!(fs::symlink_metadata(dir.path().join("keys.json")).unwrap().is_symlink());
    assert_eq!(names(&dir.path().join("kept")), ["real.json", "real.json.lock"]);
    let lock = fs::metadata(dir.path().join("kept/real.json.lock")).unwrap();
    assert_eq!((lock.uid(), lock.mode() & 0o777), (before.uid(), 0o600));
}

#[test]
fn a_new_file_of_root_is_for_the_owner_of_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("etc");
    fs::create_dir(&folder).unwrap();
    if is_root() {
        chown(&folder, Some(OTHER), Some(OTHER)).unwrap();
    }
    let output = run(dir.path(), &["keys", "add", "client", "--keys", "etc/keys.json"]);
    assert!(output.status.success(), "{}", text(&output));
    let (file, folder) = (fs::metadata(folder.join("keys.json")).unwrap(), fs::metadata(folder));
    let folder = folder.unwrap();
    assert_eq!((file.uid(), file.gid()), (folder.uid(), folder.gid()));
    assert_eq!(file.mode() & 0o777, 0o600);
}

#[test]
fn who_may_not_change_the_file_is_told_so_and_changes_nothing() {
    let folder_only = |dir: &Path| {
        fs::set_permissions(dir.join("etc"), Permissions::from_mode(0o555)).unwrap();
    };
    let of_another = |dir: &Path| {
        fs::set_permissions(dir.join("etc/keys.json"), Permissions::from_mode(0o644)).unwrap();
        chown(dir.join("etc/keys.json"), Some(OTHER), Some(OTHER)).unwrap();
    };
    let dangling = |dir: &Path| {
        fs::remove_file(dir.join("etc/keys.json")).unwrap();
        symlink("nowhere", dir.join("etc/keys.json")).unwrap();
    };
    type Case<'a> = (&'a dyn Fn(&Path), &'a str);
    let mut cases: Vec<Case<'_>> = vec![
        (&folder_only, "Permission denied"),
        (&dangling, "is a link to `nowhere`, which does not exist"),
    ];
    if is_root() {
        cases.push((&of_another, "belongs to the user with the id 65534"));
    }
    for (hinder, message) in cases {
        for verb in ["add", "revoke"] {
            let dir = tempfile::tempdir().unwrap();
            fs::create_dir(dir.path().join("etc")).unwrap();
            let path = dir.path().join("etc/keys.json");
            write_keys(&path, &[entry("prk_1234-and-more", "client")]);
            hinder(dir.path());
            let before = fs::read(&path).ok();
            let command = outfall(dir.path(), &["keys", verb, "client", "--keys", "etc/keys.json"]);
            let output = without_override(command).output().unwrap();
            assert_eq!(output.status.code(), Some(66), "{}", text(&output));
            assert!(text(&output).contains(message), "{}", text(&output));
            assert_eq!(fs::read(&path).ok(), before);
            assert_eq!(names(&dir.path().join("etc")), ["keys.json"]);
            // So that users other than root can remove the folder.
            fs::set_permissions(dir.path().join("etc"), Permissions::from_mode(0o755)).unwrap();
        }
    }
}

#[test]
fn a_list_has_a_header_and_whole_seconds() {
    let dir = tempfile::tempdir().unwrap();
    let mut revoked = entry("prk_1111-and-more", "revoked\u{1b}[2J client");
    revoked["is_disabled"] = true.into();
    let mut expired = entry("prk_2222-and-more", "expired");
    expired["expires_on"] = "2020-02-29".into();
    write_keys(&dir.path().join("keys.json"), &[revoked, expired]);
    let output = run(dir.path(), &["keys", "list", "--keys", "keys.json"]);
    let listed = String::from_utf8(output.stdout).unwrap();
    let expected = "\
ID        STATE    CREATED               LAST DAY    CLIENT
prk_1111  revoked  2026-01-02T03:04:05Z  -           revoked\u{fffd}[2J client
prk_2222  expired  2026-01-02T03:04:05Z  2020-02-29  expired
";
    assert_eq!(listed, expected);
    let key = add_key(dir.path(), "new");
    let file = fs::read_to_string(dir.path().join("keys.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    let created = file["keys"][2]["created_at"].as_str().unwrap();
    assert_eq!((created.len(), created.ends_with('Z')), ("2026-01-02T03:04:05Z".len(), true));
    assert_eq!(file["keys"][2]["id"].as_str(), key.get(..8));
}
