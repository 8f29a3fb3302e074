//! Runs the experiments and prints the results; `cargo xtask reliability` builds and runs this.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "its output is what it is for")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use outfall_reliability::{Experiment, Lab, Profile, Table, Tier, Verdict, experiments};

/// Runs the experiments on release binaries and prints the results.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask reliability")]
struct Cli {
    /// Try every case, not a sample; takes two hours or so.
    #[arg(long)]
    full: bool,
    /// Also write the results to `docs/reliability.md`; with WORDS, only the rows of the
    /// experiments that ran. Needs `--full`, as the document reports no samples.
    #[arg(long, requires = "full")]
    write: bool,
    /// Run only experiments whose name contains one of these.
    #[arg(value_name = "WORDS")]
    only: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("reliability: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the experiments; returns whether every claim held.
fn run(cli: &Cli) -> anyhow::Result<bool> {
    let all = || experiments::ALL.iter().flat_map(|(_, group)| group.iter());
    let is_wanted = |experiment: &&Experiment| {
        cli.only.is_empty() || cli.only.iter().any(|words| experiment.name.contains(words))
    };
    let wanted: Vec<&Experiment> = all().filter(is_wanted).collect();
    ensure!(!wanted.is_empty(), "no experiment is named like that");
    let lab = Lab::open(Profile::Release)?;
    let tier = if cli.full { Tier::Full } else { Tier::Quick };
    let mut table = Table::default();
    for experiment in wanted {
        let started = Instant::now();
        let verdict = experiment.verdict(&lab, tier);
        eprintln!("{}: {:.0} s", experiment.name, started.elapsed().as_secs_f64());
        if let Verdict::Ran(outcome) = &verdict {
            outcome.broken().iter().for_each(|case| eprintln!("  {case}"));
        }
        table.add(experiment, &verdict);
    }
    print!("{table}");
    if cli.write {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reliability.md");
        let earlier = fs::read_to_string(&path);
        let earlier = earlier.with_context(|| format!("read `{}`", path.display()))?;
        table = table.over(&earlier, all().copied());
        fs::write(&path, document(&table))
            .with_context(|| format!("write `{}`", path.display()))?;
    }
    Ok(!table.is_bad())
}

fn document(table: &Table) -> String {
    format!(
        "# What the service survives\n\n\
         Written by `cargo xtask reliability --full --write`. Each row is an experiment of\n\
         `reliability/`, run against the release binaries; the same experiments run smaller in\n\
         `cargo xtask test`. A run of some experiments, `cargo xtask reliability --full --write\n\
         WORDS`, replaces their rows and leaves the others as they were.\n\n{table}"
    )
}
