//! The time and memory that a process has used, as the kernel counts them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rustix::time::{ClockId, clock_gettime};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The time and memory that a piece of work used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time over all threads, in seconds.
    pub cpu: f64,
    /// Elapsed time, in seconds.
    pub wall: f64,
    /// The peak resident memory of the process, in bytes.
    pub peak: u64,
    /// The size of the result in bytes, as the work reports it.
    pub bytes: u64,
}

impl Usage {
    /// Does the work, which returns the size of its result in bytes. It should have the process to
    /// itself.
    ///
    /// # Errors
    /// When the work fails.
    pub fn of(work: impl FnOnce() -> anyhow::Result<u64>) -> anyhow::Result<Self> {
        let (cpu, started) = (cpu_time(), Instant::now());
        let bytes = work()?;
        Ok(Self {
            cpu: (cpu_time() - cpu).as_secs_f64(),
            wall: started.elapsed().as_secs_f64(),
            peak: memory(std::process::id(), "VmHWM:")?,
            bytes,
        })
    }
}

/// The CPU time of this process.
#[must_use]
pub fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    // The clock of a process starts at zero and never goes back.
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// The CPU time of another process, to the hundredth of a second that the kernel reports.
///
/// # Errors
/// When the process is not running.
pub fn cpu_time_of(id: u32) -> anyhow::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
    // The name of the program, in parentheses, may hold spaces.
    let (_, fields) = stat.rsplit_once(')').context("a strange /proc/stat")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |place: usize| -> anyhow::Result<u64> {
        Ok(fields.get(place).context("a short /proc/stat")?.parse()?)
    };
    let ticks = ticks(11)? + ticks(12)?;
    Ok(Duration::from_secs(ticks) / rustix::param::clock_ticks_per_second() as u32)
}

/// `VmRSS:` or `VmHWM:` of a process, in bytes.
///
/// # Errors
/// When the process is not running.
pub fn memory(id: u32, name: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
    let kilobytes = line.trim().strip_suffix(" kB").context("a strange unit")?;
    Ok(kilobytes.parse::<u64>()? * 1024)
}

/// Runs this program again with other arguments, and reads the JSON that it prints last.
///
/// # Errors
/// When the program fails.
pub fn again<T: DeserializeOwned>(arguments: &[&str], dir: &Path) -> anyhow::Result<T> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).arg("--dir").arg(dir).stderr(Stdio::inherit());
    let output = command.output()?;
    ensure!(output.status.success(), "`{}` failed", arguments.join(" "));
    let printed = String::from_utf8(output.stdout)?;
    let last = printed.lines().last().context("nothing was printed")?;
    Ok(serde_json::from_str(last)?)
}

/// The memory of the machine, in bytes.
///
/// # Errors
/// When the kernel does not report it.
pub fn memory_total() -> anyhow::Result<u64> {
    let info = fs::read_to_string("/proc/meminfo")?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(kilobytes.context("no `MemTotal`")?.parse::<u64>()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_used_some_time_and_less_memory_than_there_is() {
        let id = std::process::id();
        let before = cpu_time();
        assert!((0..1_000_000_u64).map(std::hint::black_box).sum::<u64>() > 0);
        assert!(cpu_time() > before);
        // The kernel reports it in hundredths of a second, rounded down.
        assert!(cpu_time_of(id).unwrap() <= cpu_time() + Duration::from_millis(20));
        let (now, peak) = (memory(id, "VmRSS:").unwrap(), memory(id, "VmHWM:").unwrap());
        assert!(0 < now && now <= peak && peak < memory_total().unwrap());
        assert!(cpu_time_of(u32::MAX).is_err());
    }
}
