//! The Debian package, which `cargo-deb` makes of the laid out files and of
//! `[package.metadata.deb]` in `crates/server/Cargo.toml`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use super::programs::build;
use super::{folder, tree};
use crate::tool::{self, Profile, Skipped, root};

const VERSION: &str = "3.8.0";

/// Lays out the files of the package where its description expects them; returns the reason if
/// `cargo-deb` cannot be installed.
pub(super) fn tree(cargo: &Path, profile: Profile) -> anyhow::Result<Result<(), Skipped>> {
    if tool::install_crate(cargo, "cargo-deb", VERSION).is_none() {
        let reason = format!("the Debian package: cargo-deb {VERSION} cannot be installed");
        return Ok(Err(reason));
    }
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let prefix = folder().join("debian");
    tree::lay_out(&prefix, &build(cargo, profile, None)?, &target)?;
    fs::write(prefix.join("copyright"), copyright()?)?;
    Ok(Ok(()))
}

/// Makes the package of the files that are laid out, with another version than that of the
/// workspace if one is given; returns its path in the folder `to`.
pub(super) fn package(
    cargo: &Path,
    profile: Profile,
    to: &Path,
    version: Option<&str>,
) -> anyhow::Result<PathBuf> {
    let program = tool::install_crate(cargo, "cargo-deb", VERSION);
    let program = program.with_context(|| format!("cargo-deb {VERSION} is gone"))?;
    let version = version.map_or_else(|| format!("{}-1", env!("CARGO_PKG_VERSION")), str::to_owned);
    write_changelog(&version)?;
    fs::create_dir_all(to)?;
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let path = to.join(format!("outfall_{version}_{architecture}.deb"));
    let mut command = Command::new(program);
    if profile == Profile::Debug {
        // Compressed lightly, because nobody downloads it.
        command.arg("--fast");
    }
    command
        .args(["--quiet", "--package", "outfall-server", "--no-build", "--no-strip", "--locked"])
        .args(["--deb-version", &version])
        .arg("--output")
        .arg(&path)
        .env("CARGO", cargo)
        .env("SOURCE_DATE_EPOCH", tree::time()?)
        .current_dir(root());
    tree::run(&mut command)?;
    Ok(path)
}

/// The licence file that Debian asks for. Debian itself has a copy of the Apache License.
fn copyright() -> anyhow::Result<String> {
    let either = fs::read_to_string(root().join("LICENSE"))?;
    let mit = fs::read_to_string(root().join("LICENSE-MIT"))?;
    Ok(format!(
        "{either}\nTHIRD-PARTY.txt has the licences of the libraries in the programs.\n\n\
         On Debian systems, the Apache License, Version 2.0 is in\n\
         /usr/share/common-licenses/Apache-2.0.\n\n{mit}"
    ))
}

/// The changelog that Debian asks for; the one for readers is installed beside it.
fn write_changelog(version: &str) -> anyhow::Result<()> {
    let mut date = Command::new("date");
    date.args(["--utc", "--rfc-email", "--date", &format!("@{}", tree::time()?)]);
    let date = tree::output(&mut date)?;
    let text = format!(
        "outfall ({version}) unstable; urgency=medium\n\n  \
         * CHANGELOG.md tells what this version brings.\n\n \
         -- Outfall <outfall@localhost.localdomain>  {}\n",
        date.trim()
    );
    Ok(fs::write(folder().join("debian/changelog"), text)?)
}
