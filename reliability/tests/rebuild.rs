//! Runs the experiments with faults in a rebuild.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::REBUILD)
}
