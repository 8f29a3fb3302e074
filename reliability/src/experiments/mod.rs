//! The experiments, one file each.

mod cluster_load_fails;
mod cluster_load_killed;
mod cluster_load_stopped;
mod cluster_node_stopped;
mod cluster_two_builds;
mod cluster_unwilling;
mod connections_churn;
mod damaged_index;
mod damaged_while_serving;
mod descriptors_run_out;
mod failing_calls;
mod file_size_limit;
mod files_lost_while_serving;
mod full_file_system;
mod heavy_keys;
mod hostile_connections;
mod kept_connections;
mod keys_change;
mod keys_changed_at_once;
mod keys_unreadable;
mod killed_at_calls;
mod killed_at_random;
mod many_publishes;
mod mixed_load;
mod odd_kinds;
mod one_address_takes_all;
mod overload;
mod passing_faults;
mod planted_files;
mod power_cut;
mod republished_under_load;
mod secrets_kept;
mod signals_survived;
mod slow_exports;
mod slow_honest_readers;
mod stopped_under_load;
mod stuck_log;
mod too_little_at_start;

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
    planted_files::EXPERIMENT,
];

/// Files of an index that went bad.
pub const DAMAGE: &[Experiment] =
    &[damaged_index::EXPERIMENT, damaged_while_serving::EXPERIMENT, odd_kinds::EXPERIMENT];

/// New generations for a running service, and what becomes of old ones.
pub const REPUBLISH: &[Experiment] = &[
    files_lost_while_serving::EXPERIMENT,
    republished_under_load::EXPERIMENT,
    many_publishes::EXPERIMENT,
    passing_faults::EXPERIMENT,
    passing_faults::DESCRIPTORS,
];

/// Clients, keys and logs that no operator wants.
pub const SERVICE: &[Experiment] = &[
    connections_churn::EXPERIMENT,
    descriptors_run_out::EXPERIMENT,
    kept_connections::EXPERIMENT,
    keys_change::EXPERIMENT,
    keys_changed_at_once::EXPERIMENT,
    keys_unreadable::EXPERIMENT,
    secrets_kept::EXPERIMENT,
    signals_survived::EXPERIMENT,
    stopped_under_load::EXPERIMENT,
    too_little_at_start::EXPERIMENT,
];

/// More than a service can serve: connections, requests, lines of the log.
pub const PRESSURE: &[Experiment] = &[
    hostile_connections::EXPERIMENT,
    one_address_takes_all::EXPERIMENT,
    overload::EXPERIMENT,
    heavy_keys::EXPERIMENT,
    slow_exports::EXPERIMENT,
    slow_honest_readers::EXPERIMENT,
    stuck_log::EXPERIMENT,
    mixed_load::EXPERIMENT,
];

/// Nodes, requests and rebuilds of a cluster that fail.
pub const CLUSTER: &[Experiment] = &[
    cluster_load_killed::EXPERIMENT,
    cluster_load_fails::EXPERIMENT,
    cluster_load_stopped::EXPERIMENT,
    cluster_two_builds::EXPERIMENT,
    republished_under_load::CLUSTER,
    cluster_node_stopped::EXPERIMENT,
    cluster_unwilling::EXPERIMENT,
];

/// All experiments, by what they are about.
pub const ALL: &[(&str, &[Experiment])] = &[
    ("rebuild", REBUILD),
    ("damage", DAMAGE),
    ("republish", REPUBLISH),
    ("service", SERVICE),
    ("pressure", PRESSURE),
    ("cluster", CLUSTER),
];
