//! Runs the experiments with new generations for a running service.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::REPUBLISH)
}
