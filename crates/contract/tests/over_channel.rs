//! Runs the contract against an engine that answers from another thread.

use std::process::ExitCode;
use std::sync::Arc;

use outfall_contract::OverChannel;
use outfall_records::DatasetInfo;
use outfall_request::ReferenceBackend;

fn main() -> ExitCode {
    outfall_contract::run(|records| {
        let reference = ReferenceBackend::new(records.to_vec(), DatasetInfo::default());
        Box::new(OverChannel::new(Arc::new(reference)))
    })
}
