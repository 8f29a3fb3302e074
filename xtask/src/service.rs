//! The service as a step of `test` starts it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};

use crate::tool::root;

/// The service over the sample, on a free port, which is killed on drop.
pub(crate) struct Service {
    child: Child,
    pub(crate) url: String,
}

impl Service {
    /// Builds the binary, and starts it with these arguments beside its own data in `folder`.
    pub(crate) fn start(cargo: &Path, folder: &Path, arguments: &[&str]) -> anyhow::Result<Self> {
        let built = Command::new(cargo)
            .args(["build", "--package", "outfall-server", "--bin", "outfall", "--locked"])
            .current_dir(root())
            .status()?;
        ensure!(built.success(), "the binary was not built");
        let binary = root().join("target/debug/outfall");
        // Serve the sample of this build, not that of an earlier one.
        let data = folder.join("data");
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let child = Command::new(&binary)
            .args(["--listen", "127.0.0.1:0"])
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("`{}` does not start", binary.display()))?;
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
}

impl Drop for Service {
    fn drop(&mut self) {
        // The service may have ended by itself already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
