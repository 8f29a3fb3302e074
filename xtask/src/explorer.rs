//! Builds the explorer from `explorer/`, and checks it: that the committed files are what its
//! sources build, and what it does in a browser.
//!
//! Both need Node.js and packages from npm; where these are not available, a check is skipped and
//! says so.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::service::Service;
use crate::tool::{self, Profile, Skipped, root};

/// The folder of the built files, below that of the workspace.
const BUILT: &str = "crates/server/assets/explorer";
/// More requests an hour than the tests send.
const REQUESTS: &str = "100000";

/// Builds the files that are committed.
pub(crate) fn build() -> anyhow::Result<()> {
    if let Some(missing) = install() {
        bail!(missing);
    }
    build_to(&root().join(BUILT))
}

/// Checks that the committed files are what the sources build.
pub(crate) fn check(_: &Path) -> anyhow::Result<Option<Skipped>> {
    if let Some(missing) = install() {
        return Ok(Some(missing));
    }
    let fresh = root().join("target/explorer/built");
    if fresh.exists() {
        fs::remove_dir_all(&fresh)?;
    }
    build_to(&fresh)?;
    let (committed, fresh) = (files(&root().join(BUILT))?, files(&fresh)?);
    let names: Vec<&String> = committed.keys().chain(fresh.keys()).collect();
    let stale = names.into_iter().find(|name| committed.get(*name) != fresh.get(*name));
    if let Some(stale) = stale {
        bail!("`{BUILT}/{stale}` is not what `explorer/` builds; run `cargo xtask explorer`");
    }
    Ok(None)
}

/// Runs the tests of the sources, and those of the page in Chromium over the sample.
pub(crate) fn test(cargo: &Path) -> anyhow::Result<Option<Skipped>> {
    let mut tests = npm(&["test", "--silent"]);
    in_browser(
        cargo,
        Profile::Debug,
        None,
        &mut tests,
        "the explorer does not do what its tests say",
    )
}

/// Prints how long the page takes to draw and to answer, in Chromium over an index, or else over the
/// sample.
pub(crate) fn budgets(cargo: &Path, data: Option<&Path>) -> anyhow::Result<Option<Skipped>> {
    let mut program = Command::new("node");
    program.arg("budgets.mjs").current_dir(root().join("explorer"));
    in_browser(cargo, Profile::Release, data, &mut program, "the explorer was not measured")
}

/// Runs a program that drives a browser at a service over an index, or else over the sample.
fn in_browser(
    cargo: &Path,
    profile: Profile,
    data: Option<&Path>,
    program: &mut Command,
    failure: &'static str,
) -> anyhow::Result<Option<Skipped>> {
    if let Some(missing) = install() {
        return Ok(Some(missing));
    }
    let Some(chromium) = chromium() else {
        return Ok(Some("the explorer in a browser: Chromium cannot be installed".to_owned()));
    };
    let folder = root().join("target/explorer");
    fs::create_dir_all(&folder)?;
    let port = free_port()?;
    let embedder = format!("http://localhost:{port}");
    let mut flags =
        ["--explorer", REQUESTS, "--embed-origins", &embedder].map(OsString::from).to_vec();
    if let Some(data) = data {
        let data = data.canonicalize().with_context(|| format!("`{}`", data.display()))?;
        flags.extend(["--auth".into(), "off".into(), "--data".into(), data.into()]);
    }
    let service = Service::start(cargo, profile, &folder, &flags)?;
    let status = program
        .env("OUTFALL_URL", &service.url)
        .env("OUTFALL_EMBEDDER", port.to_string())
        .env("CHROMIUM", chromium)
        .status()?;
    ensure!(status.success(), failure);
    Ok(None)
}

/// A port for the other site of the tests, which the service must know before that site listens.
fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// The name of a Chromium, which is installed if it is missing and installing is permitted.
fn chromium() -> Option<&'static str> {
    let is_there = |name: &&str| tool::is_there(name, "--version");
    let known = ["chromium", "google-chrome"].into_iter().find(is_there);
    known.or_else(|| tool::ensure("chromium", "--version").then_some("chromium"))
}

/// Installs the packages that the lockfile names; returns the reason if it cannot.
fn install() -> Option<Skipped> {
    let lock = root().join("explorer/package-lock.json");
    let mark = root().join("explorer/node_modules/.package-lock.json");
    let modified = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    // Installing the same packages again takes as long as the first time.
    if modified(&mark) >= modified(&lock) && modified(&mark).is_some() {
        return None;
    }
    let is_done = npm(&["ci", "--no-audit", "--no-fund", "--silent"]).status();
    let is_done = is_done.is_ok_and(|status| status.success());
    (!is_done).then(|| "the explorer: its packages cannot be installed (Node.js, npm)".to_owned())
}

/// Checks the types, and writes the built files to a folder.
fn build_to(folder: &Path) -> anyhow::Result<()> {
    ensure!(npm(&["run", "--silent", "check"]).status()?.success(), "the explorer has type errors");
    let built = Command::new("node")
        .arg("build.mjs")
        .arg(folder)
        .current_dir(root().join("explorer"))
        .status()?;
    ensure!(built.success(), "the explorer was not built");
    Ok(())
}

fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(root().join("explorer"));
    command
}

/// The files of a folder by name.
fn files(folder: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let entries = fs::read_dir(folder).with_context(|| format!("`{}`", folder.display()))?;
    let read = entries.map(|entry| {
        let entry = entry?;
        Ok((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?))
    });
    read.collect()
}
