//! What Outfall's speed is measured with: corpora, the plain way as the baseline, the requests
//! that are timed, and the check that all backends give the same answers to them.

pub mod agreement;
pub mod corpus;
pub mod mix;
pub mod plain;
