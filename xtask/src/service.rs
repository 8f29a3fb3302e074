//! The service as a step of `test` starts it.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};

use crate::tool::{self, Profile, root};

/// A running service, which is killed on drop.
pub(crate) struct Service {
    child: Child,
    pub(crate) url: String,
}

impl Service {
    /// Builds the binary, and starts it on a free port, over the sample or what the arguments name;
    /// its own data is in `folder`.
    pub(crate) fn start(
        cargo: &Path,
        profile: Profile,
        folder: &Path,
        arguments: &[impl AsRef<OsStr>],
    ) -> anyhow::Result<Self> {
        let mut build = Command::new(cargo);
        build.args(["build", "--package", "outfall-server", "--bin", "outfall", "--locked"]);
        let built = profile.ask(&mut build);
        let status = build.current_dir(root()).status()?;
        ensure!(status.success(), "the binary was not built");
        let binary = root().join("target").join(built).join("outfall");
        // Serve the sample of this build, not that of an earlier one.
        let data = folder.join("data");
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let mut command = Command::new(&binary);
        command.args(["--listen", "127.0.0.1:0"]).args(arguments).current_dir(folder);
        Self::run(&mut command)
    }

    /// Runs a command that serves, and waits until it says where.
    pub(crate) fn run(command: &mut Command) -> anyhow::Result<Self> {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.with_context(|| format!("{command:?} does not start"))?;
        let mut service = Self { child, url: String::new() };
        let out = service.child.stdout.take().context("no output")?;
        for line in BufReader::new(out).lines() {
            let line = line?;
            if let Some((_, rest)) = line.split_once("http://") {
                let address = rest.split([' ', '/', '\'']).next().unwrap_or_default();
                service.url = format!("http://{}", address.trim_end_matches('.'));
                break;
            }
        }
        ensure!(!service.url.is_empty(), "the service did not start");
        Ok(service)
    }

    /// Tells the service to stop, and waits until it has; fails unless it ends with success.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        let id = self.child.id().to_string();
        ensure!(tool::succeeds(&["kill", "-TERM", &id]), "the service cannot be told to stop");
        let ended = self.child.wait()?;
        ensure!(ended.success(), "the service was told to stop, and ended with {ended}");
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The service may have ended by itself already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
