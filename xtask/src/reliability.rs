//! `cargo xtask reliability`: the experiments of `reliability/`, with the tools that they use.

use std::env;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    install_strace();
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--package", "outfall-reliability", "--locked"]);
    let status =
        command.arg("--").args(arguments).status().context("cargo could not be started")?;
    ensure!(status.success(), "some experiments did not come out as claimed");
    Ok(())
}

/// Installs Debian's strace where it is missing and that is permitted; without it, the experiments
/// that need it say that they were skipped.
fn install_strace() {
    if succeeds(&["strace", "--version"]) {
        return;
    }
    eprintln!("== strace is missing; installing it");
    let install = ["apt-get", "install", "--yes", "--no-install-recommends", "strace"];
    if !succeeds(&install) {
        succeeds(&[&["sudo", "--non-interactive"], &install[..]].concat());
    }
}

fn succeeds(command: &[&str]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    let command = &mut Command::new(program);
    let ended = command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).status();
    ended.is_ok_and(|status| status.success())
}
