//! `cargo xtask …`: the tasks that a newcomer or CI runs.

#![expect(clippy::print_stderr, reason = "these tasks talk to the person who runs them")]

mod bench;
mod deny;
mod explorer;
mod fixtures;
mod mcp;
mod opensearch;
mod package;
mod readers;
mod reliability;
mod schemathesis;
mod service;
mod test;
mod tool;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks that a newcomer or CI runs.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Checks everything that must hold: formatting, lints, tests, documentation, benches compiled,
    /// dependencies, Schemathesis, and the packages.
    Test,
    /// Checks licences, sources, versions and known faults of the dependencies; a step of `test`.
    Deny,
    /// Installs what the tests read Parquet and GeoJSON files with, and what the examples need; a
    /// step of `test`.
    Readers,
    /// Installs the official clients that the tests ask as agents with; a step of `test`.
    Mcp,
    /// Builds the files of the explorer from its sources.
    Explorer {
        /// Only check that the committed files are what the sources build; a step of `test`.
        #[arg(long)]
        check: bool,
        /// Only run its tests, in a browser; a step of `test`.
        #[arg(long, conflicts_with = "check")]
        test: bool,
        /// Only measure how long it takes to draw and to answer, and print a table.
        #[arg(long, conflicts_with_all = ["check", "test"])]
        budgets: bool,
        /// An index of any size to measure over, in place of the sample.
        #[arg(long, value_name = "DIR", requires = "budgets")]
        data: Option<PathBuf>,
    },
    /// Runs Schemathesis against the service over the sample; a step of `test`.
    Schemathesis,
    /// Starts an OpenSearch cluster of three nodes, publishes the sample to it and serves it from
    /// there; or runs a command with the addresses in OUTFALL_OPENSEARCH_URLS. Needs a JDK and Maven.
    Opensearch {
        /// The version, or how it begins.
        #[arg(long, value_name = "VERSION", default_value = opensearch::default_version())]
        version: String,
        /// The command: `cargo test --workspace --test cluster_contract`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Makes what people install: a Debian package, and a tarball of static programs that an image
    /// for containers is built from.
    Package(package::PackageArgs),
    /// Kills, starves, corrupts and floods the release binaries, and prints what they survived.
    Reliability {
        /// The arguments for the experiments: `--full`, `--write`, words in their names.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
        arguments: Vec<String>,
    },
    /// Measures every speed that is promised, against the plain way.
    Bench(bench::BenchArgs),
    /// Rewrites the committed sample, or writes a corpus of any size elsewhere.
    Fixtures {
        /// About how many rows of releases.
        #[arg(long, value_name = "N", requires = "out")]
        rows: Option<u64>,
        /// Another seed gives other names and numbers.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// The folder to write to [default: `fixtures/`, with the committed set].
        #[arg(long, value_name = "DIR", requires = "rows")]
        out: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Test => test::run(),
        Task::Deny => deny::run(&test::cargo()).map(say_skipped),
        Task::Readers => {
            readers::install().into_iter().for_each(|reason| say_skipped(Some(reason)));
            Ok(())
        }
        Task::Mcp => {
            mcp::install().into_iter().for_each(|skipped| say_skipped(Some(skipped)));
            Ok(())
        }
        Task::Explorer { check: true, .. } => explorer::check(&test::cargo()).map(say_skipped),
        Task::Explorer { test: true, .. } => explorer::test(&test::cargo()).map(say_skipped),
        Task::Explorer { budgets: true, data, .. } => {
            explorer::budgets(&test::cargo(), data.as_deref()).map(say_skipped)
        }
        Task::Explorer { .. } => explorer::build(),
        Task::Schemathesis => schemathesis::run(&test::cargo()).map(say_skipped),
        Task::Opensearch { version, command } => opensearch::run(&version, &command),
        Task::Package(args) => package::run(&test::cargo(), &args).map(say_skipped),
        Task::Reliability { arguments } => reliability::run(&arguments),
        Task::Bench(args) => bench::run(&args),
        Task::Fixtures { rows, seed, out } => fixtures::run(rows, seed, out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn say_skipped(skipped: Option<tool::Skipped>) {
    if let Some(reason) = skipped {
        eprintln!("SKIPPED: {reason}");
    }
}
