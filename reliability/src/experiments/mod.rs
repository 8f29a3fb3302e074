//! The experiments, one file each.

mod failing_calls;
mod file_size_limit;
mod full_file_system;
mod killed_at_calls;
mod killed_at_random;
mod power_cut;

use crate::Experiment;

/// Every fault that a rebuild can meet.
pub const REBUILD: &[Experiment] = &[
    killed_at_calls::EXPERIMENT,
    killed_at_random::EXPERIMENT,
    failing_calls::EXPERIMENT,
    file_size_limit::EXPERIMENT,
    full_file_system::EXPERIMENT,
    power_cut::EXPERIMENT,
    power_cut::CONTROL,
];

/// All experiments, by what they are about.
pub const ALL: &[(&str, &[Experiment])] = &[("rebuild", REBUILD)];
