//! What damaged files do.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::DAMAGE)
}
