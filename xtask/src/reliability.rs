//! `cargo xtask reliability`: the experiments of `reliability/`, with the tools that they use.

use std::env;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::opensearch::Purpose;
use crate::{opensearch, tool};

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    // Without them, the experiments that need them say that they were skipped.
    tool::ensure("strace", "--version");
    let cluster = opensearch::start(opensearch::default_version(), Purpose::Tests)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--package", "outfall-reliability", "--locked"]);
    match &cluster {
        Ok(cluster) => drop(command.envs(cluster.environment())),
        Err(reason) => eprintln!("== {reason}"),
    }
    let status =
        command.arg("--").args(arguments).status().context("cargo could not be started")?;
    ensure!(status.success(), "some experiments did not come out as claimed");
    Ok(())
}
