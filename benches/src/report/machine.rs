//! The machine that the measurements run on.

use std::fs;

use crate::process::memory_total;

/// Describes the processor, its cores, the memory and the load average.
pub(super) fn describe() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown processor", |line| line.trim_start_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = memory_total().unwrap_or_default() as f64 / f64::from(1 << 30);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').nth(1).unwrap_or("?");
    // A build hashes its inputs with SHA-256.
    let has_sha = cpu.lines().any(|line| line.starts_with("flags") && line.contains(" sha_ni"));
    let sha = if has_sha { "with" } else { "without" };
    format!(
        "{model}, {sha} SHA instructions, {cores} cores, {memory:.0} GiB, {}; load average of the last five minutes {load}",
        std::env::consts::OS
    )
}
