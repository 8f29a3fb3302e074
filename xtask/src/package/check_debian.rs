//! Installs the Debian package in an empty root, runs the service from there, upgrades it over an
//! index, and removes it; also checks it with systemd and lintian.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use outfall_fixtures::committed_files;

use super::programs::without_settings;
use super::tree;
use crate::service::Service;
use crate::tool::{self, Skipped, root};

/// The exposure that `systemd-analyze security` may find, of 100.
const EXPOSURE: &str = "20";

/// Tries out the package; returns what could not be tried here.
pub(super) fn check(older: &Path, newer: &Path, folder: &Path) -> anyhow::Result<Vec<Skipped>> {
    let mut skipped = Vec::new();
    if tool::is_superuser() && tool::is_there("systemd-sysusers", "--version") {
        install_upgrade_remove(older, newer, &folder.join("root"))?;
        units(&folder.join("units"), newer)?;
    } else {
        skipped.push("installing the Debian package: it needs root and systemd".to_owned());
    }
    if tool::ensure("lintian", "--version") {
        let overrides = root().join("packaging/lintian-suppressed.txt");
        let mut lintian = Command::new("lintian");
        lintian.args(["--fail-on", "error,warning", "--allow-root", "--suppress-tags-from-file"]);
        tree::run(lintian.arg(overrides).arg(newer))?;
    } else {
        skipped.push("lintian cannot be installed".to_owned());
    }
    Ok(skipped)
}

/// A root folder with packages of its own.
struct Root(PathBuf);

impl Root {
    fn empty(folder: &Path) -> anyhow::Result<Self> {
        for name in ["etc", "var/lib/dpkg/info", "var/lib/dpkg/updates"] {
            fs::create_dir_all(folder.join(name))?;
        }
        fs::write(folder.join("var/lib/dpkg/status"), "")?;
        Ok(Self(folder.to_owned()))
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// Runs `dpkg` on this root. The scripts of the package run outside of it, with `DPKG_ROOT`;
    /// its dependencies are those of the machine.
    fn dpkg(&self, action: &str, what: &Path) -> anyhow::Result<()> {
        let mut dpkg = Command::new("dpkg");
        dpkg.arg("--root").arg(&self.0).arg("--log").arg(self.at("dpkg.log"));
        dpkg.args(["--force-script-chrootless", "--force-depends", action]).arg(what);
        tree::run(&mut dpkg)
    }

    /// A command of the installed programs.
    fn program(&self, name: &str) -> Command {
        without_settings(Command::new(self.at("usr/bin").join(name)))
    }

    /// Serves the index from the folder that the unit uses, until `outfall health` reports that the
    /// service is ready; returns this report, which names the build.
    fn serve(&self) -> anyhow::Result<String> {
        let mut serve = self.program("outfall");
        serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(self.at("var/lib/outfall"));
        let service = Service::run(serve.arg("--keys").arg(self.at("etc/outfall/keys.json")))?;
        let mut health = self.program("outfall");
        health.args(["health", "--listen", service.url.trim_start_matches("http://")]);
        let told = health.output().context("`outfall health` does not start")?;
        ensure!(told.status.success(), "the installed service is not ready: {told:?}");
        Ok(String::from_utf8(told.stdout)?)
    }

    /// Fails unless a file or folder is there, or is not, as expected.
    fn expect(&self, path: &str, is_there: bool) -> anyhow::Result<()> {
        ensure!(self.at(path).exists() == is_there, "`/{path}`: expected {is_there}");
        Ok(())
    }
}

fn install_upgrade_remove(older: &Path, newer: &Path, folder: &Path) -> anyhow::Result<()> {
    let root = Root::empty(folder)?;
    root.dpkg("--install", older)?;
    for path in [
        "usr/lib/systemd/system/outfall.service",
        "usr/share/bash-completion/completions/index-build",
        "usr/share/doc/outfall/copyright",
        "var/lib/outfall",
        "etc/outfall/environment",
    ] {
        root.expect(path, true)?;
    }
    let users = fs::read_to_string(root.at("etc/passwd"))?;
    ensure!(users.lines().any(|line| line.starts_with("outfall:")), "no user was made: {users}");
    let mut owner = Command::new("stat");
    owner.args(["--format", "%a %u"]).arg(root.at("var/lib/outfall"));
    let owner = String::from_utf8(owner.output()?.stdout)?;
    ensure!(owner.starts_with("750 ") && owner.trim() != "750 0", "/var/lib/outfall: {owner}");

    let mut build = root.program("index-build");
    tree::run(build.arg("--data").arg(root.at("var/lib/outfall")).args(committed_files()))?;
    let mut key = root.program("outfall");
    key.args(["keys", "add", "newsroom", "--keys"]).arg(root.at("etc/outfall/keys.json"));
    tree::run(&mut key)?;
    let served = root.serve()?;
    let settings = root.at("etc/outfall/environment");
    fs::write(&settings, "OUTFALL_EXPLORER=1200\n")?;

    root.dpkg("--install", newer)?;
    let status = fs::read_to_string(root.at("var/lib/dpkg/status"))?;
    let version = format!("\nVersion: {}-1\n", env!("CARGO_PKG_VERSION"));
    ensure!(status.contains(&version), "the upgrade did not happen: {status}");
    ensure!(root.serve()? == served, "the upgrade changed what is served");
    ensure!(fs::read_to_string(&settings)?.contains("1200"), "the upgrade lost the settings");
    let mut whole = root.program("index-build");
    tree::run(whole.arg("--data").arg(root.at("var/lib/outfall")).arg("--check"))?;

    let package = Path::new("outfall");
    root.dpkg("--remove", package)?;
    for path in ["usr/bin/outfall", "usr/lib/systemd/system/outfall.service"] {
        root.expect(path, false)?;
    }
    for path in ["var/lib/outfall/CURRENT", "etc/outfall/keys.json", "etc/outfall/environment"] {
        root.expect(path, true)?;
    }
    root.dpkg("--install", newer)?;
    ensure!(root.serve()? == served, "the package does not find what its removal kept");
    root.dpkg("--purge", package)?;
    for path in ["var/lib/outfall", "etc/outfall", "usr/bin/index-build"] {
        root.expect(path, false)?;
    }
    Ok(())
}

/// Lets systemd check every unit of the package, together with the program that it starts and the
/// units of the machine that it refers to.
fn units(folder: &Path, package: &Path) -> anyhow::Result<()> {
    tree::run(Command::new("dpkg-deb").arg("--extract").arg(package).arg(folder))?;
    let installed = folder.join("usr/lib/systemd/system");
    for unit in fs::read_dir("/usr/lib/systemd/system").context("the units of the machine")? {
        let unit = unit?;
        let name = unit.file_name();
        let kind = Path::new(&name).extension().unwrap_or_default();
        if ["target", "slice"].iter().any(|base| kind == *base) {
            fs::copy(unit.path(), installed.join(&name))?;
        }
    }
    fs::create_dir(folder.join("bin"))?;
    fs::copy("/bin/kill", folder.join("bin/kill"))?;
    for unit in fs::read_dir(root().join("packaging/systemd"))? {
        let unit = installed.join(unit?.file_name());
        let mut verify = Command::new("systemd-analyze");
        verify.args(["verify", "--man=no", "--root"]).arg(folder);
        tree::run(verify.arg(&unit))?;
        if unit.extension().is_some_and(|kind| kind == "service") {
            let mut security = Command::new("systemd-analyze");
            security.args(["security", "--offline=yes", "--no-pager", "--threshold", EXPOSURE]);
            tree::run(security.arg(&unit))?;
        }
    }
    Ok(())
}
