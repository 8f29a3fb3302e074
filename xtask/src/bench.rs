//! `cargo xtask bench`: all measurements, on one machine in one run.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::opensearch::{self, Purpose};
use crate::tool;

/// The rows of releases that the goals are about.
const ROWS: u64 = 1_200_000;
/// The rows that `--quick` measures instead.
const QUICK_ROWS: u64 = 120_000;
/// The rows that `--growth` measures.
const GROWTH_ROWS: [u64; 3] = [QUICK_ROWS, ROWS, 6_000_000];
/// The document that `--write` writes.
const DOCUMENT: &str = "docs/performance.md";

/// What to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// Rows of releases; may be repeated [default: 1200000].
    #[arg(long, value_name = "N", conflicts_with_all = ["quick", "growth"])]
    rows: Vec<u64>,
    /// Take only a few minutes: 120 000 rows, short loads, no criterion.
    #[arg(long, conflicts_with = "growth")]
    quick: bool,
    /// Measure the same table at 120 000, 1 200 000 and 6 000 000 rows.
    #[arg(long)]
    growth: bool,
    /// Measure an OpenSearch cluster beside the embedded engine, and nothing else. Needs a JDK and
    /// Maven.
    #[arg(long, conflicts_with = "growth")]
    cluster: bool,
    /// Write the tables to docs/performance.md instead of only printing them.
    #[arg(long)]
    write: bool,
}

pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    if args.cluster {
        return run_beside_cluster(args);
    }
    ensure!(tool::ensure("wrk", "-v"), "`wrk` puts the load on the service and must be installed");
    cargo(&["build", "--release", "-p", "outfall-benches", "-p", "outfall-server", "--bins"])?;
    if !args.quick {
        cargo(&["bench", "-p", "outfall-benches"])?;
    }
    let release = target_dir().join("release");
    let mut measure = Command::new(release.join("measure"));
    measure.arg("run").arg("--outfall").arg(release.join("outfall"));
    measure.arg("--dir").arg(target_dir().join("measure"));
    for rows in args.sizes() {
        measure.args(["--rows", &rows.to_string()]);
    }
    if args.quick {
        measure.args(["--seconds", "2"]);
    }
    finish(measure, args)
}

/// Starts a cluster and measures it.
fn run_beside_cluster(args: &BenchArgs) -> anyhow::Result<()> {
    let sizes = args.sizes();
    let [rows] = sizes.as_slice() else { bail!("a cluster is measured at one size") };
    cargo(&["build", "--release", "-p", "outfall-benches", "--bin", "measure"])?;
    let cluster = match opensearch::start(opensearch::default_version(), Purpose::Measurements)? {
        Ok(cluster) => cluster,
        Err(reason) => bail!("{reason}"),
    };
    let mut measure = Command::new(target_dir().join("release/measure"));
    measure.args(["cluster", "--rows", &rows.to_string(), "--url", &cluster.urls]);
    measure.arg("--dir").arg(target_dir().join("measure"));
    finish(measure, args)
}

/// Runs the measuring program, with the arguments that all measurements have.
fn finish(mut measure: Command, args: &BenchArgs) -> anyhow::Result<()> {
    measure.args(["--command", &args.command()]);
    if args.write {
        measure.arg("--write").arg(tool::root().join(DOCUMENT));
    }
    let status = measure.status().context("`measure` could not be started")?;
    ensure!(status.success(), "the measurement failed");
    Ok(())
}

impl BenchArgs {
    fn sizes(&self) -> Vec<u64> {
        match (self.growth, self.quick) {
            (true, _) => GROWTH_ROWS.to_vec(),
            (false, true) => vec![QUICK_ROWS],
            (false, false) if self.rows.is_empty() => vec![ROWS],
            (false, false) => self.rows.clone(),
        }
    }

    /// The command line of these arguments.
    fn command(&self) -> String {
        let mut command = "cargo xtask bench".to_owned();
        command.extend(self.rows.iter().map(|rows| format!(" --rows {rows}")));
        let flags = [
            (self.cluster, " --cluster"),
            (self.quick, " --quick"),
            (self.growth, " --growth"),
            (self.write, " --write"),
        ];
        command.extend(flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag));
        command
    }
}

fn target_dir() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| tool::root().join("target"), PathBuf::from)
}

fn cargo(arguments: &[&str]) -> anyhow::Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    eprintln!("\n== cargo {}", arguments.join(" "));
    let mut command = Command::new(cargo);
    let status = command.args(arguments).arg("--locked").current_dir(tool::root()).status();
    ensure!(status.context("cargo could not be started")?.success(), "cargo failed");
    Ok(())
}
