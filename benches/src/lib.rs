//! What Outfall's speed is measured with: corpora, the plain way as the baseline, the requests
//! that are timed, the measurements themselves, and the check that all backends give the same answers to them.

pub mod agreement;
pub mod baseline;
pub mod corpus;
pub mod measure;
pub mod process;
pub mod report;
pub mod statistics;
pub mod workload;
