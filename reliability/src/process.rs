//! What a process uses, as the system tells.

use std::fs;
use std::io;

use crate::LabError;

/// What a process uses at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) threads: usize,
    pub(crate) descriptors: usize,
    /// The most memory that was resident at any time, in bytes.
    pub(crate) peak_memory: u64,
}

impl Usage {
    /// What the process of that id uses now.
    pub(crate) fn of(id: u32) -> Result<Self, LabError> {
        Self::read(id).map_err(LabError::io("read what a process uses"))
    }

    fn read(id: u32) -> io::Result<Self> {
        let count = |folder: &str| {
            Ok::<_, io::Error>(fs::read_dir(format!("/proc/{id}/{folder}"))?.count())
        };
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        Ok(Self {
            threads: count("task")?,
            descriptors: count("fd")?,
            peak_memory: kilobytes.ok_or(io::ErrorKind::InvalidData)? * 1024,
        })
    }
}
