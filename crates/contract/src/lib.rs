//! The contract as a suite that any engine's tests run.
//!
//! The engine is opened over a few records made by hand and over generated ones, and compared with
//! [`outfall_request::ReferenceBackend`]: count, ids, order and bytes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// Lists the tests of a module; the compiler reports a missing one as an unused function.
macro_rules! tests {
    ($($test:ident,)*) => {
        pub(crate) const TESTS: &[crate::NamedTest] = &[$((stringify!($test), $test),)*];
    };
}

mod abbreviations;
mod answers;
mod backends;
mod classes;
mod crossed_facets;
mod facet_lists;
mod facet_places;
mod facets;
mod filters;
mod laws;
mod order;
mod over_channel;
mod paging;
mod reading;
mod records;
mod requests;
mod suggestions;
mod tables;
mod text;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use outfall_records::Record;
use outfall_request::SearchBackend;

pub use backends::{Engine, OpenEngine};
pub use over_channel::OverChannel;
pub use records::all as records_by_hand;
pub use requests::thinned;
pub use tables::tables;

/// A test and its name within its module.
type NamedTest = (&'static str, fn());

const MODULES: [(&str, &[NamedTest]); 14] = [
    ("abbreviations", abbreviations::TESTS),
    ("answers", answers::TESTS),
    ("classes", classes::TESTS),
    ("crossed_facets", crossed_facets::TESTS),
    ("facet_lists", facet_lists::TESTS),
    ("facet_places", facet_places::TESTS),
    ("facets", facets::TESTS),
    ("filters", filters::TESTS),
    ("laws", laws::TESTS),
    ("order", order::TESTS),
    ("paging", paging::TESTS),
    ("reading", reading::TESTS),
    ("suggestions", suggestions::TESTS),
    ("text", text::TESTS),
];

/// Runs the suite on an engine, as `main` of a test without the standard harness.
///
/// `open` makes a backend over records that come in any order.
#[must_use]
pub fn run(open: fn(&[Record]) -> Box<dyn SearchBackend>) -> ExitCode {
    run_if(None, Engine { open, one_of: 1, requests: 256 })
}

/// Runs the suite as [`run`] does. If the engine is not available, each test is listed as ignored,
/// with the reason.
#[must_use]
pub fn run_if(obstacle: Option<String>, engine: Engine) -> ExitCode {
    let arguments = Arguments::from_args();
    backends::ENGINE.get_or_init(|| engine);
    let mut trials = Vec::new();
    for (module, tests) in MODULES {
        for (name, test) in tests {
            let trial = Trial::test(format!("{module}::{name}"), move || {
                test();
                Ok(())
            });
            let trial = match &obstacle {
                Some(reason) => {
                    trial.with_kind(format!("skipped: {reason}")).with_ignored_flag(true)
                }
                None => trial,
            };
            trials.push(trial);
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
