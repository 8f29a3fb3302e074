//! What the service does under more than it can serve.

mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(outfall_reliability::experiments::PRESSURE)
}
