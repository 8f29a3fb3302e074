//! `cargo xtask test`: every check, in an order in which the cheap ones fail first.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::schemathesis;

/// A step: what it is for, the arguments of cargo, and what the environment must say.
type Step = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const STEPS: [Step; 6] = [
    ("formatting", &["fmt", "--all", "--check"], &[]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[]),
    (
        "the request language compiles without an engine",
        &["check", "--package", "outfall-query", "--no-default-features", "--lib", "--locked"],
        &[],
    ),
    (
        "documentation",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    ("benches compile", &["bench", "--workspace", "--no-run", "--locked", "--profile", "dev"], &[]),
    ("tests", &["test", "--workspace", "--locked", "--no-fail-fast"], &[]),
];

pub(crate) fn run() -> anyhow::Result<()> {
    // Snapshots are compared here, never written.
    let cargo = cargo();
    for (purpose, arguments, environment) in STEPS {
        eprintln!("\n== {purpose}: cargo {}", arguments.join(" "));
        let mut command = Command::new(&cargo);
        command.args(arguments).env("INSTA_UPDATE", "no").envs(environment.iter().copied());
        let status = command.status().context("cargo could not be started")?;
        ensure!(status.success(), "{purpose} failed");
    }
    eprintln!("\n== the description holds: Schemathesis");
    schemathesis::run(&cargo)?;
    eprintln!("\n== everything holds");
    Ok(())
}

/// The cargo that runs this.
pub(crate) fn cargo() -> PathBuf {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into()
}
