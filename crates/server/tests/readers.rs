//! Independent readers find in each file what CSV has: pyarrow in Parquet, shapely in GeoJSON.
//!
//! `cargo xtask readers` installs them. Where they are missing, the test is shown as ignored.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Trial};
use support::Server;

/// Requests with numbers of every form, nulls in every column, and without a record.
const LISTS: [&str; 5] = [
    "/release?",
    "/emission?",
    "/release?substance=NA-DF&sort_by=value&sort_order=asc",
    "/emission?q=%22no+such+words%22",
    "/release?limit=0",
];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/readers/bin/python3");
    let mut probe = Command::new(&python);
    probe.args(["-c", "import pyarrow, shapely"]).stdout(Stdio::null()).stderr(Stdio::null());
    let is_there = probe.status().is_ok_and(|status| status.success());
    let trial = Trial::test("files_have_what_csv_has", move || {
        files_have_what_csv_has(&python);
        Ok(())
    });
    let trial = match is_there {
        true => trial,
        false => trial
            .with_ignored_flag(true)
            .with_kind("pyarrow and shapely are missing: `cargo xtask readers` installs them"),
    };
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

fn files_have_what_csv_has(python: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/same_as_csv.py");
    let server = Server::over_sample();
    for list in LISTS {
        let folder = tempfile::tempdir().unwrap();
        for format in ["csv", "parquet", "geojson"] {
            let path: PathBuf = folder.path().join(format!("records.{format}"));
            fs::write(path, server.get_bytes(&format!("{list}&format={format}"))).unwrap();
        }
        let compared = Command::new(python).arg(&script).arg(folder.path()).output().unwrap();
        assert!(compared.status.success(), "{list}: {compared:?}");
        let records = server.get(&format!("{list}&format=ndjson")).body.lines().count();
        let said = String::from_utf8(compared.stdout).unwrap();
        assert!(said.starts_with(&format!("{records} records, ")), "{list}: {said}");
    }
}
