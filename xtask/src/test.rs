//! `cargo xtask test`: every check, ordered so that the cheap ones fail first.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, anyhow, ensure};

use crate::opensearch::Purpose;
use crate::tool::Skipped;
use crate::{deny, explorer, mcp, opensearch, package, readers, schemathesis};

/// A step: its purpose, the arguments of cargo, and its environment variables.
type Step = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

/// A step that is more than a cargo command, and may be skipped.
type OwnStep = (&'static str, fn(&Path) -> anyhow::Result<Option<Skipped>>);

const CHECKS: [Step; 4] = [
    ("formatting", &["fmt", "--all", "--check"], &[]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"], &[]),
    (
        "documentation",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
    ("benches compile", &["bench", "--workspace", "--no-run", "--locked", "--profile", "dev"], &[]),
];

const TESTS: Step = ("tests", &["test", "--workspace", "--locked", "--no-fail-fast"], &[]);

/// The tests that a cluster takes part in. There are 2,000 random requests in the first round.
const NEWER_CLUSTER: Step = (
    "the newest cluster",
    &[
        "test",
        "--workspace",
        "--locked",
        "--no-fail-fast",
        "--test",
        "cluster_contract",
        "--test",
        "cluster_publish",
        "--test",
        "cluster_serve",
        "--test",
        "cluster_build",
    ],
    &[("OUTFALL_CLUSTER_REQUESTS", "200")],
);

const OWN_STEPS: [OwnStep; 5] = [
    ("dependencies: cargo deny", deny::run),
    ("the explorer is what its sources build", explorer::check),
    ("the explorer in a browser", explorer::test),
    ("the description holds: Schemathesis", schemathesis::run),
    ("the packages install, run, upgrade and leave", package::check),
];

pub(crate) fn run() -> anyhow::Result<()> {
    let cargo = cargo();
    // Only the tests need them, and to download them takes about as long as the checks.
    let readers = thread::spawn(|| readers::install().into_iter().chain(mcp::install()));
    let cluster =
        thread::spawn(|| opensearch::start(opensearch::default_version(), Purpose::Tests));
    for check in CHECKS {
        run_step(&cargo, check)?;
    }
    let mut skipped = Vec::new();
    skipped.extend(readers.join().map_err(|_| anyhow!("installing for the tests panicked"))?);
    let cluster = cluster.join().map_err(|_| anyhow!("starting the cluster panicked"))??;
    let cluster = cluster.map_err(|reason| skipped.push(reason)).ok();
    // Tests often wait for a disk, a deadline or the cluster; in that time, this compiles what
    // later steps need.
    let tools = thread::spawn({
        let cargo = cargo.clone();
        move || {
            deny::install(&cargo);
            package::prepare(&cargo)
        }
    });
    run_tests(&cargo, cluster)?;
    skipped.extend(run_on_newer_cluster(&cargo)?);
    tools.join().map_err(|_| anyhow!("compiling what later steps need panicked"))??;
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

/// Runs the tests. Those of the cluster use one that ends with them.
fn run_tests(cargo: &Path, cluster: Option<opensearch::Cluster>) -> anyhow::Result<()> {
    let mut command = Command::new(cargo);
    if let Some(cluster) = &cluster {
        command.envs(cluster.environment());
    }
    run_command(command, TESTS)
}

/// Runs the tests of the cluster once more, cut short, on the newest version that is supported.
fn run_on_newer_cluster(cargo: &Path) -> anyhow::Result<Option<Skipped>> {
    match opensearch::start(opensearch::NEWEST, Purpose::Tests)? {
        Ok(cluster) => {
            let mut command = Command::new(cargo);
            command.envs(cluster.environment());
            run_command(command, NEWER_CLUSTER)?;
            Ok(None)
        }
        Err(reason) => Ok(Some(reason)),
    }
}

fn run_step(cargo: &Path, step: Step) -> anyhow::Result<()> {
    run_command(Command::new(cargo), step)
}

fn run_command(
    mut command: Command,
    (purpose, arguments, environment): Step,
) -> anyhow::Result<()> {
    eprintln!("\n== {purpose}: cargo {}", arguments.join(" "));
    // Snapshots are compared here, never written.
    command.args(arguments).env("INSTA_UPDATE", "no").envs(environment.iter().copied());
    let status = command.status().context("cargo could not be started")?;
    ensure!(status.success(), "{purpose} failed");
    Ok(())
}

/// The cargo that runs this.
pub(crate) fn cargo() -> PathBuf {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into()
}
