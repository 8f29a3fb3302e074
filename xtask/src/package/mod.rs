//! `cargo xtask package`: what people install, a Debian package for this machine's processor, with
//! its checksum.
//!
//! With `--check`, installs it in an empty root, starts the service from there, upgrades and removes
//! it. Programs are then compiled without optimisation, into a folder of their own.

mod check_debian;
mod debian;
mod licences;
mod programs;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use self::programs::Profile;
use crate::tool::{Skipped, root};

/// The list of SHA-256 checksums, which `sha256sum --check` reads.
const CHECKSUMS: &str = "SHA256SUMS";

/// What to do with the packages.
#[derive(Debug, clap::Args)]
pub(crate) struct PackageArgs {
    /// Compile without optimisation, and try out what comes of it; a step of `test`.
    #[arg(long)]
    check: bool,
}

/// The folder of the finished packages; `cargo-deb` finds the files of the package below it.
fn folder() -> PathBuf {
    root().join("target/package")
}

/// Makes the packages, or checks them; says what could not be made or checked here.
pub(crate) fn run(cargo: &Path, args: &PackageArgs) -> anyhow::Result<Option<Skipped>> {
    if args.check {
        return check(cargo);
    }
    let mut skipped = Vec::new();
    let folder = folder();
    let mut made = Vec::new();
    match debian::tree(cargo, Profile::Release)? {
        Ok(()) => made.push(debian::package(cargo, Profile::Release, &folder, None)?),
        Err(reason) => skipped.push(reason),
    }
    if !made.is_empty() {
        write_checksums(&folder, &made)?;
    }
    for path in made {
        eprintln!("made {}", path.display());
    }
    Ok(summary(skipped))
}

/// Makes the packages in another folder, and tries out each of them.
pub(crate) fn check(cargo: &Path) -> anyhow::Result<Option<Skipped>> {
    let folder = folder().join("check");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut skipped = Vec::new();
    match debian::tree(cargo, Profile::Dev)? {
        Ok(()) => {
            let older =
                debian::package(cargo, Profile::Dev, &folder.join("older"), Some("0.0.1-1"))?;
            let newer = debian::package(cargo, Profile::Dev, &folder, None)?;
            skipped.extend(check_debian::check(&older, &newer, &folder)?);
        }
        Err(reason) => skipped.push(reason),
    }
    Ok(summary(skipped))
}

/// Writes the checksums of files that are in the folder.
fn write_checksums(folder: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    let names = files.iter().filter_map(|file| file.file_name());
    let summed = Command::new("sha256sum").arg("--").args(names).current_dir(folder).output();
    let summed = summed.context("sha256sum does not start")?;
    ensure!(summed.status.success(), "sha256sum failed");
    Ok(fs::write(folder.join(CHECKSUMS), summed.stdout)?)
}

fn summary(skipped: Vec<Skipped>) -> Option<Skipped> {
    (!skipped.is_empty()).then(|| skipped.join("\nSKIPPED: "))
}
