//! `cargo xtask package`: what people install, for this machine's processor, with checksums: a Debian
//! package, and a tarball of static programs that an image for containers is built from.
//!
//! With `--check`, installs the package in an empty root, starts the service from there, upgrades and
//! removes it; runs the static programs where there is nothing else; builds and runs the image.
//! Programs are then compiled without optimisation, and packed into a folder of their own.

mod check_debian;
mod check_tarball;
mod container;
mod debian;
mod licences;
mod programs;
mod question;
mod tarball;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use self::programs::prepare;
use crate::tool::{Profile, Skipped, root};

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

/// Makes the packages, or checks them; returns what could not be made or checked here.
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
    match tarball::tree(cargo, Profile::Release)? {
        Ok(tree) => made.push(tarball::pack(&tree, Profile::Release, &folder)?),
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
    match debian::tree(cargo, Profile::Debug)? {
        Ok(()) => {
            let older =
                debian::package(cargo, Profile::Debug, &folder.join("older"), Some("0.0.1-1"))?;
            let newer = debian::package(cargo, Profile::Debug, &folder, None)?;
            skipped.extend(check_debian::check(&older, &newer, &folder)?);
        }
        Err(reason) => skipped.push(reason),
    }
    match tarball::tree(cargo, Profile::Debug)? {
        Ok(tree) => {
            let packed = tarball::pack(&tree, Profile::Debug, &folder)?;
            write_checksums(&folder, std::slice::from_ref(&packed))?;
            let unpacked = check_tarball::check(&packed, &folder)?;
            skipped.extend(container::check(&unpacked)?);
        }
        Err(reason) => skipped.push(reason),
    }
    Ok(summary(skipped))
}

/// Writes the checksums of files that are in the folder.
fn write_checksums(folder: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    let names = files.iter().filter_map(|file| file.file_name());
    let mut sums = Command::new("sha256sum");
    let summed = tree::output(sums.arg("--").args(names).current_dir(folder))?;
    Ok(fs::write(folder.join(CHECKSUMS), summed)?)
}

fn summary(skipped: Vec<Skipped>) -> Option<Skipped> {
    (!skipped.is_empty()).then(|| skipped.join("\nSKIPPED: "))
}
