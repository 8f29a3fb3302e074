//! Runs the contract against a real cluster, one generation for each set of records.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::env;
use std::process::ExitCode;

use outfall_contract::Engine;
use outfall_records::{DatasetInfo, Record};
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use support::TestIndex;

/// The variable that sets how many random requests are compared with the reference.
const REQUESTS: &str = "OUTFALL_CLUSTER_REQUESTS";
/// How many are by default, and below how many the whole suite is cut short.
const MANY: u32 = 2_000;

fn main() -> ExitCode {
    let requests = env::var(REQUESTS).map_or(MANY, |number| number.parse().unwrap());
    let one_of = if requests < MANY { 16 } else { 4 };
    let open = |records: &[Record]| Box::new(Opened::over(records)) as Box<dyn SearchBackend>;
    outfall_contract::run_if(support::obstacle(), Engine { open, one_of, requests })
}

/// A backend whose indexes go with it.
struct Opened(TestIndex);

impl Opened {
    fn over(records: &[Record]) -> Self {
        Self(TestIndex::over(records))
    }
}

impl SearchBackend for Opened {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        self.0.backend.search(request)
    }

    fn dataset(&self) -> &DatasetInfo {
        self.0.backend.dataset()
    }

    fn is_remote(&self) -> bool {
        self.0.backend.is_remote()
    }
}
