//! The command on a real cluster: it builds, checks and rolls back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Trial};
use outfall_fixtures::{GHGRP, RELEASES, TestPortal, committed_dir};
use outfall_opensearch::{Client, Connection, Names, remove_all};

/// The variable that names the nodes, separated by commas.
const URLS: &str = "OUTFALL_OPENSEARCH_URLS";

fn main() -> ExitCode {
    let is_there = env::var(URLS).is_ok_and(|urls| !urls.is_empty());
    let trial = Trial::test("a_cluster_is_built_for_checked_and_rolled_back", || {
        a_cluster_is_built_for_checked_and_rolled_back();
        Ok(())
    });
    let reason = format!("skipped: no cluster: {URLS} is not set; see `cargo xtask opensearch`");
    let trial = if is_there { trial } else { trial.with_kind(reason).with_ignored_flag(true) };
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

/// Indexes that are removed at the end.
struct Kept(Names);

impl Drop for Kept {
    fn drop(&mut self) {
        let urls = env::var(URLS).unwrap().split(',').map(str::to_owned).collect();
        let client = Client::new(&Connection { urls, ..Connection::default() }).unwrap();
        remove_all(&client, &self.0).unwrap();
    }
}

fn a_cluster_is_built_for_checked_and_rolled_back() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = format!("build-{}", std::process::id());
    let _kept = Kept(Names::with_prefix(&prefix).unwrap());
    let run = |arguments: &[&str]| index_build(folder.path(), &prefix, arguments);
    let [releases, emissions] =
        [RELEASES, GHGRP].map(|file| committed_dir().join(file).display().to_string());

    let (code, told) = run(&["--check"]);
    assert_eq!(code, Some(66), "{told}");
    let (code, told) = run(&[&releases, &emissions, "--shards", "3"]);
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(told.lines().last(), Some(&*format!("published {prefix}-gen-000001")));
    assert!(folder.path().join(format!("{prefix}-gen-000001.rejects.csv")).is_file());

    // Without the releases it holds much less than what is served.
    let (code, told) = run(&[&emissions]);
    assert_eq!(code, Some(77), "{told}");
    let (code, told) = run(&[&emissions, "--allow-shrink"]);
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = run(&["--check"]);
    assert_eq!((code, &*told), (Some(0), &*format!("{prefix}-gen-000002 is whole\n")));
    let (code, told) = run(&["--rollback"]);
    assert_eq!((code, &*told), (Some(0), &*format!("published {prefix}-gen-000001\n")));

    // The portal has the locations too, so its files are others; then they are the same.
    let portal = TestPortal::over(committed_dir()).unwrap().url();
    let update = ["--from-portal", "--portal", &portal, "--download-dir", "downloads"];
    let (code, told) = run(&update);
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(told.lines().last(), Some(&*format!("published {prefix}-gen-000003")));
    let (code, told) = run(&update);
    assert_eq!(code, Some(0), "{told}");
    let expected = format!("{prefix}-gen-000003 was built from these files before");
    assert!(told.contains(&expected), "{told}");
}

/// Runs the command for the cluster; gives its exit code and what it printed, or else why it
/// failed.
fn index_build(folder: &Path, prefix: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let urls = env::var(URLS).unwrap();
    let output: Output = Command::new(env!("CARGO_BIN_EXE_index-build"))
        .current_dir(folder)
        .args(["--to", "opensearch", "--url", &urls, "--prefix", prefix])
        .args(arguments)
        .output()
        .unwrap();
    let printed = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code(), String::from_utf8(printed).unwrap())
}
