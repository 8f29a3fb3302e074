//! What new generations do to a running service.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::REPUBLISH)
}
