//! Runs the experiments with damaged files.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::DAMAGE)
}
