//! Measures Outfall's speed. Holds the corpora, the plain way as the baseline, the timed requests,
//! the measurements, and the check that all backends answer those requests alike.

pub mod agreement;
pub mod baseline;
pub mod corpus;
pub mod measure;
pub mod process;
pub mod report;
pub mod statistics;
pub mod workload;
