//! `index-build`: rebuilds the index from the official files.

mod cli;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use outfall_indexer::{BuildReport, TerminalProgress};
use outfall_query::{Generation, Staging};
use serde_json::json;

use self::cli::{Cli, ReportFormat, exit_code};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let is_asked_for = !error.use_stderr();
            // Nothing can be done if the terminal does not take the message.
            drop(error.print());
            return ExitCode::from(if is_asked_for { 0 } else { exit_code::USAGE });
        }
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The message already includes its cause; printing the chain would repeat it.
            let _ = writeln!(io::stderr(), "index-build: {error}");
            ExitCode::from(exit_code::of(&error))
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    if cli.check {
        let generation = Generation::open(&cli.data)?.name;
        return match cli.report {
            ReportFormat::Text => say(&format!("{generation} is whole")),
            ReportFormat::Json => {
                say(&json!({"generation": generation, "is_whole": true}).to_string())
            }
        };
    }
    if cli.rollback {
        let generation = outfall_query::roll_back(&cli.data)?;
        say_published(match cli.report {
            ReportFormat::Text => say(&format!("published {generation}")),
            ReportFormat::Json => say(&json!({"generation": generation}).to_string()),
        });
        return Ok(());
    }
    let progress = TerminalProgress::default();
    let sink = Staging::begin(&cli.data)?;
    let report = outfall_indexer::build(&cli.options(), sink, &progress)?;
    say_published(print(cli.report, &report));
    Ok(())
}

/// Reports a publication. If that fails, the exit code is still 0, because the index is published.
fn say_published(said: anyhow::Result<()>) {
    if let Err(error) = said {
        let _ = writeln!(io::stderr(), "index-build: published, but not reported: {error}");
    }
}

fn say(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

fn print(format: ReportFormat, report: &BuildReport) -> anyhow::Result<()> {
    match format {
        ReportFormat::Text => {
            let generation = report.generation.as_deref().unwrap_or_default();
            say(&format!("{report}published {generation}"))
        }
        ReportFormat::Json => say(&serde_json::to_string_pretty(report)?),
    }
}
