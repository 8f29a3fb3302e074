//! The resources that a process uses, as the system reports them.

use std::fs;
use std::io;
use std::time::Duration;

use crate::LabError;

/// Linux has the same value on every architecture.
const MILLISECONDS_PER_TICK: u64 = 10;

/// The resources that a process uses at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) threads: usize,
    pub(crate) descriptors: usize,
    /// The resident memory, in bytes.
    pub(crate) memory: u64,
    /// The most memory that has been resident, in bytes.
    pub(crate) peak_memory: u64,
    /// The time on all processors together.
    pub(crate) processor_time: Duration,
}

impl Usage {
    /// The resources that the process with this id uses now.
    pub(crate) fn of(id: u32) -> Result<Self, LabError> {
        Self::read(id).map_err(LabError::io("read what a process uses"))
    }

    fn read(id: u32) -> io::Result<Self> {
        let count = |folder: &str| {
            Ok::<_, io::Error>(fs::read_dir(format!("/proc/{id}/{folder}"))?.count())
        };
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        let memory = |field: &str| {
            let value = status.lines().find_map(|line| line.strip_prefix(field));
            let kilobytes =
                value.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<u64>().ok());
            kilobytes.map(|kilobytes| kilobytes * 1024).ok_or(io::ErrorKind::InvalidData)
        };
        let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
        // The name before the parenthesis may hold anything.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
        let ticks: u64 =
            fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Ok(Self {
            processor_time: Duration::from_millis(ticks * MILLISECONDS_PER_TICK),
            threads: count("task")?,
            descriptors: count("fd")?,
            memory: memory("VmRSS:")?,
            peak_memory: memory("VmHWM:")?,
        })
    }
}
