//! Runs the experiments with faults of a cluster.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::CLUSTER)
}
