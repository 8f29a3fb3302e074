//! The needs of an experiment that not every machine meets.

use std::process::{Command, Stdio};
use std::sync::LazyLock;

use crate::cluster;

/// Something that not every machine offers or permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Watching and failing the system calls of another process.
    Strace,
    /// Limits on what a process may use.
    Prlimit,
    /// A private file system that nobody else sees.
    PrivateMount,
    /// A cluster, which `cargo xtask` starts where it can.
    Cluster,
}

/// Why needs are not met. This is checked once, because what a machine permits does not change.
static OBSTACLES: LazyLock<[Option<String>; 4]> = LazyLock::new(|| {
    [
        obstacle(&["strace", "-f", "-e", "trace=close", "-o", "/dev/null", "true"]),
        obstacle(&["prlimit", "--nofile=80", "true"]),
        obstacle(&[&PRIVATE_MOUNT[..], &["mount", "-t", "tmpfs", "none", "/tmp"]].concat()),
        cluster::obstacle(),
    ]
});

/// Runs a command that may mount file systems that nobody else sees.
pub(crate) const PRIVATE_MOUNT: [&str; 3] = ["unshare", "--map-root-user", "--mount"];

impl Need {
    /// Why the machine does not meet the need, if it does not.
    #[must_use]
    pub fn obstacle(self) -> Option<String> {
        let [strace, prlimit, mount, cluster] = &*OBSTACLES;
        let obstacle = match self {
            Self::Strace => strace,
            Self::Prlimit => prlimit,
            Self::PrivateMount => mount,
            Self::Cluster => cluster,
        };
        obstacle.clone()
    }
}

/// Runs a command that should do nothing; returns why it fails, if it does.
fn obstacle(command: &[&str]) -> Option<String> {
    let (program, arguments) = command.split_first()?;
    let tried = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    match tried {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Some(format!("`{program}` is not permitted: {said}"))
        }
        Err(error) => Some(format!("`{program}` cannot be started: {error}")),
    }
}
