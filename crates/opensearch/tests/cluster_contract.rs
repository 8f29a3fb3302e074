//! Runs the contract against a real cluster, one generation for each set of records.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::process::ExitCode;

use outfall_contract::Engine;
use outfall_records::{DatasetInfo, Record};
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use support::TestIndex;

fn main() -> ExitCode {
    let engine = Engine { open: |records| Box::new(Opened::over(records)), one_of: 4 };
    outfall_contract::run_if(support::obstacle(), engine)
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
