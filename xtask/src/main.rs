//! `cargo xtask …`: what a newcomer or CI runs.

#![expect(clippy::print_stderr, reason = "these tasks talk to the person who runs them")]

mod bench;
mod fixtures;
mod reliability;
mod schemathesis;
mod test;
mod tool;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What a newcomer or CI runs.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Everything that must hold: formatting, lints, tests, documentation, benches compiled, and
    /// Schemathesis.
    Test,
    /// Lets Schemathesis ask the service over the sample; a step of `test`.
    Schemathesis,
    /// Kills, starves, corrupts and floods the release binaries, and prints what they survived.
    Reliability {
        /// What the experiments are told: `--full`, `--write`, words in their names.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
        arguments: Vec<String>,
    },
    /// Every speed that is promised, beside the plain way.
    Bench(bench::BenchArgs),
    /// Writes the committed sample anew, or a corpus of any size elsewhere.
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
        Task::Schemathesis => schemathesis::run(&test::cargo()),
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
