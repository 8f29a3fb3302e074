//! `cargo xtask test`: every check, ordered so that the cheap ones fail first.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::tool::Skipped;
use crate::{deny, schemathesis};

/// A step: its purpose, the arguments of cargo, and its environment variables.
type Step = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// A step that is more than a cargo command, and may be skipped.
type OwnStep = (&'static str, fn(&Path) -> anyhow::Result<Option<Skipped>>);

const STEPS: [Step; 5] = [
    ("formatting", &["fmt", "--all", "--check"], &[]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[]),
    (
        "documentation",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    ("benches compile", &["bench", "--workspace", "--no-run", "--locked", "--profile", "dev"], &[]),
    ("tests", &["test", "--workspace", "--locked", "--no-fail-fast"], &[]),
];

const OWN_STEPS: [OwnStep; 2] = [
    ("dependencies: cargo deny", deny::run),
    ("the description holds: Schemathesis", schemathesis::run),
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
    let mut skipped = Vec::new();
    for (purpose, step) in OWN_STEPS {
        eprintln!("\n== {purpose}");
        skipped.extend(step(&cargo)?);
    }
    eprintln!("\n== everything holds");
    for reason in skipped {
        eprintln!("SKIPPED: {reason}");
    }
    Ok(())
}

/// The cargo that runs this.
pub(crate) fn cargo() -> PathBuf {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into()
}
