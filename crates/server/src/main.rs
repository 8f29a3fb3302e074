//! `outfall`: serves, and keeps the keys of those who may ask.

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;
use outfall_server::cli::{Cli, Command, run_keys, run_search, run_serve};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Some(Command::Serve(args)) => run_serve(args),
        Some(Command::Keys(args)) => run_keys(args),
        Some(Command::Search(args)) => run_search(args),
        None => run_serve(&cli.serve),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // There is nobody left to tell when even this cannot be written.
            let _ = writeln!(stderr(), "outfall: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
