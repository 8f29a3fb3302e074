//! `cargo deny`: checks the licence, source, version and known faults of every dependency against
//! `deny.toml`.
//!
//! The program is compiled into its own folder under `target/`. Its database of known faults is a
//! remote git repository; if that cannot be reached, the rest is still checked.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use crate::tool::{self, Skipped, root};

const VERSION: &str = "0.20.2";
/// How long the database may take to download.
const PATIENCE: Duration = Duration::from_secs(120);

/// Compiles the program, if it is missing.
pub(crate) fn install(cargo: &Path) -> Option<PathBuf> {
    tool::install_crate(cargo, "cargo-deny", VERSION)
}

pub(crate) fn run(cargo: &Path) -> anyhow::Result<Option<Skipped>> {
    let Some(program) = install(cargo) else {
        return Ok(Some(format!("cargo-deny {VERSION} cannot be installed from crates.io")));
    };
    judge(&program, PATIENCE)
}

fn judge(program: &Path, patience: Duration) -> anyhow::Result<Option<Skipped>> {
    check(program, &["licenses", "bans", "sources"])?;
    match fetch_database(program, patience)? {
        Fetched::Yes => check(program, &["advisories"]).map(|()| None),
        Fetched::No(reason) => {
            Ok(Some(format!("advisories, for their database cannot be fetched: {reason}")))
        }
    }
}

/// Checks these subjects against `deny.toml`; a warning counts as an error.
fn check(program: &Path, subjects: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new(program);
    command.args(["--locked", "check", "-D", "warnings"]).args(subjects).current_dir(root());
    let status =
        command.status().with_context(|| format!("{} did not start", program.display()))?;
    ensure!(status.success(), "cargo deny found something in {}", subjects.join(", "));
    Ok(())
}

/// Whether the database is there, or why not.
#[derive(Debug, PartialEq, Eq)]
enum Fetched {
    Yes,
    No(String),
}

fn fetch_database(program: &Path, patience: Duration) -> anyhow::Result<Fetched> {
    let mut command = Command::new(program);
    command.args(["--locked", "fetch", "db"]).current_dir(root());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(Fetched::No(format!("no answer within {} s", patience.as_secs())));
        }
        thread::sleep(Duration::from_millis(100));
    };
    if status.success() {
        return Ok(Fetched::Yes);
    }
    let mut said = String::new();
    child.stderr.take().context("no standard error")?.read_to_string(&mut said)?;
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Ok(Fetched::No(last.unwrap_or("it does not say why").trim().to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::fs;

    use super::*;

    /// The result with a `cargo deny` that runs `fetch` for `fetch db`, `advisories` for
    /// advisories, and `rest` for everything else.
    fn judged(fetch: &str, advisories: &str, rest: &str) -> anyhow::Result<Option<Skipped>> {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("cargo-deny");
        let cases = format!("*'fetch db') {fetch} ;; *advisories) {advisories} ;; *) {rest} ;;");
        let script = folder.path().join("script");
        fs::write(&script, format!("#!/bin/sh\ncase \"$*\" in {cases} esac\n")).unwrap();
        // A separate process writes the program. If this process had it open for writing, a child
        // that another test forks at that moment would hold it open too, and the system does not
        // start a file that is open for writing.
        let mut install = Command::new("install");
        assert!(install.arg("--mode=755").args([&script, &program]).status().unwrap().success());
        judge(&program, Duration::from_secs(5))
    }

    #[test]
    fn an_advisory_fails_and_a_database_out_of_reach_is_skipped() {
        assert_eq!(judged("exit 0", "exit 0", "exit 0").unwrap(), None);
        for (fetch, reason) in [
            ("echo first >&2; echo 'fatal: no such host' >&2; exit 1", "fatal: no such host"),
            ("exit 1", "it does not say why"),
            ("exec sleep 600", "no answer within 5 s"),
        ] {
            let skipped = judged(fetch, "exit 1", "exit 0").unwrap().unwrap();
            assert!(skipped.ends_with(reason), "{skipped}");
        }
        let found = judged("exit 0", "exit 1", "exit 0").unwrap_err().to_string();
        assert!(found.contains("advisories"), "{found}");
        let found = judged("exit 1", "exit 0", "exit 1").unwrap_err().to_string();
        assert!(found.contains("licenses"), "{found}");
    }
}
