//! Runs the experiments with more than the service can serve.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::PRESSURE)
}
