//! Runs the contract against the reference backend itself.

use std::process::ExitCode;

use outfall_records::DatasetInfo;
use outfall_request::ReferenceBackend;

fn main() -> ExitCode {
    outfall_contract::run(|records| {
        Box::new(ReferenceBackend::new(records.to_vec(), DatasetInfo::default()))
    })
}
