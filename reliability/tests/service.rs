//! Runs the experiments with bad clients, keys and logs.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::SERVICE)
}
