//! `index-build`: rebuilds the index from the official files.

mod cli;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use outfall_indexer::{BuildError, BuildReport, TerminalProgress};

use self::cli::{Cli, ReportFormat, exit_code};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let is_asked_for = !error.use_stderr();
            // Nothing can be done for a terminal that does not take the message.
            drop(error.print());
            return ExitCode::from(if is_asked_for { 0 } else { exit_code::USAGE });
        }
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "index-build: {error:#}");
            ExitCode::from(
                error.downcast_ref::<BuildError>().map_or(exit_code::INTERNAL, exit_code::of),
            )
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    if cli.check {
        let name = outfall_indexer::check(&cli.data)?;
        return say(&format!("{name} is whole"));
    }
    if cli.rollback {
        let name = outfall_indexer::roll_back(&cli.data)?;
        say_published(say(&format!("published {name}")));
        return Ok(());
    }
    let progress = TerminalProgress::default();
    let report = outfall_indexer::build(&cli.options(), &cli.data, &progress)?;
    say_published(print(cli.report, &report));
    Ok(())
}

/// What is published stays so when nobody can be told; the exit code must not deny it.
fn say_published(said: anyhow::Result<()>) {
    if let Err(error) = said {
        let _ = writeln!(io::stderr(), "index-build: published, but not reported: {error:#}");
    }
}

fn say(line: &str) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

fn print(format: ReportFormat, report: &BuildReport) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match format {
        ReportFormat::Text => {
            write!(stdout, "{report}")?;
            writeln!(stdout, "published {}", report.generation.as_deref().unwrap_or_default())?;
        }
        ReportFormat::Json => {
            serde_json::to_writer_pretty(&mut stdout, report)?;
            writeln!(stdout)?;
        }
    }
    Ok(stdout.flush()?)
}
