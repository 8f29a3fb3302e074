//! Compiles both programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::tool::root;

/// How the programs are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Profile {
    /// As they are installed.
    Release,
    /// In a fraction of the time.
    Dev,
}

/// The packages of the programs, as README.md compiles them.
const PROGRAMS: [&str; 4] = ["--package", "outfall-server", "--package", "index-build"];

/// Compiles the programs, for this machine or for another target; returns their folder.
pub(super) fn build(
    cargo: &Path,
    profile: Profile,
    target: Option<&str>,
) -> anyhow::Result<PathBuf> {
    let mut command = Command::new(cargo);
    command.args(["build", "--locked", "--bins"]).args(PROGRAMS).current_dir(root());
    if profile == Profile::Release {
        command.arg("--release");
    }
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    let status = command.status().context("cargo could not be started")?;
    ensure!(status.success(), "the programs were not compiled");
    let profile = if profile == Profile::Release { "release" } else { "debug" };
    Ok(root().join("target").join(target.unwrap_or_default()).join(profile))
}
