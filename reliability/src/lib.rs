//! The experiments that show what the service survives: each is defined once and runs small as a
//! test and large as `cargo xtask reliability --full`.
//!
//! All of them drive the binaries `index-build` and `outfall` as an operator would.

mod client;
mod cluster;
mod cluster_data;
mod corpus;
mod damage;
mod data;
mod editions;
mod experiment;
pub mod experiments;
mod hostile;
mod lab;
mod mixed_client;
mod need;
mod open_loop;
mod outcome;
mod parallel;
mod power_cut;
mod process;
mod proxy;
mod random;
mod service;
mod slow_export;
mod steady;
mod strace;
mod sweep;
mod table;
mod two_indexes;

pub use experiment::{Experiment, Tier, Verdict};
pub use lab::{Lab, LabError, Profile};
pub use need::Need;
pub use outcome::Outcome;
pub use table::Table;
