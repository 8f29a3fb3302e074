//! Runs the contract against the embedded engine, over an index that it published.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::ExitCode;

use outfall_contract::tables;
use outfall_query::{EmbeddedBackend, Staging};
use outfall_records::Record;
use outfall_request::RecordSink;

fn main() -> ExitCode {
    outfall_contract::run(|records| Box::new(open(records)))
}

/// Publishes the records and opens the published index.
fn open(records: &[Record]) -> EmbeddedBackend {
    let data = tempfile::tempdir().unwrap();
    let mut staging = Staging::begin(data.path()).unwrap();
    staging.write(tables(records)).unwrap();
    staging.publish(Vec::new()).unwrap();
    EmbeddedBackend::open(data.path()).unwrap()
}
