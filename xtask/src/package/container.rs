//! Builds the image from the unpacked tarball as docs/operations.md does, and runs it over volumes:
//! with a read-only root, without capabilities, and not as root.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};
use outfall_fixtures::committed_files;

use super::check_tarball::SAMPLE;
use super::{question, tree};
use crate::tool::{self, Skipped};

/// How each container runs.
const FLAGS: [&str; 9] = [
    "--read-only",
    "--cap-drop",
    "all",
    "--security-opt",
    "no-new-privileges",
    // Engines raise these as far as the kernel goes, which they may not do inside a container.
    "--ulimit",
    "nofile=4096:4096",
    "--ulimit",
    "nproc=4096:4096",
];

/// The smallest image with the programs.
const TRIAL: &str = "FROM scratch\nCOPY bin/ /bin/\nENTRYPOINT [\"/bin/outfall\"]\n";

/// How often a container is asked whether it is healthy, twice a second.
const ATTEMPTS: u32 = 120;

/// Tries out the image, or says why no container runs here.
pub(super) fn check(unpacked: &Path) -> anyhow::Result<Option<Skipped>> {
    let found = ["podman", "docker"].into_iter().find(|engine| tool::succeeds(&[engine, "info"]));
    let Some(program) = found else {
        return Ok(Some("the image: neither podman nor a Docker daemon is here".to_owned()));
    };
    let engine = Engine { program, name: format!("outfall-check-{}", std::process::id()) };
    let room = unpacked.parent().context("the unpacked folder is in another one")?;
    if let Err(error) = engine.try_out(unpacked, &room.join("Containerfile.trial")) {
        return Ok(Some(format!("the image: {program} runs no containers here: {error:#}")));
    }
    engine.build(&engine.name, unpacked, &unpacked.join("container/Containerfile"))?;
    engine.serve(&room.join(SAMPLE))?;
    Ok(None)
}

/// The program that builds and runs containers. On drop, everything with the name of this check is
/// removed: images, a container and two volumes.
struct Engine {
    program: &'static str,
    name: String,
}

impl Engine {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.args(arguments);
        command
    }

    /// Runs a trial image, so that a later failure is the fault of the real one.
    fn try_out(&self, context: &Path, file: &Path) -> anyhow::Result<()> {
        fs::write(file, TRIAL)?;
        let image = format!("{}-trial", self.name);
        self.build(&image, context, file)?;
        tree::run(self.command(&["run", "--rm"]).args(FLAGS).args([&image, "--version"]))
    }

    fn build(&self, image: &str, context: &Path, file: &Path) -> anyhow::Result<()> {
        let mut build = self.command(&["build", "--quiet", "--tag", image]);
        if self.program == "podman" {
            // Podman's own format has no health checks; layers would stay behind as images without
            // names.
            build.args(["--format", "docker", "--layers=false"]);
        }
        tree::run(build.arg("--file").arg(file).arg(context))
    }

    /// The flag for a volume of this check, named after what it holds.
    fn volume(&self, holds: &str, at: &str) -> String {
        format!("--volume={}-{holds}:{at}", self.name)
    }

    /// Builds an index of the sample into one volume and a key into another, serves them and asks a
    /// question.
    fn serve(&self, sample: &Path) -> anyhow::Result<()> {
        let (index, keys) =
            (self.volume("index", "/var/lib/outfall"), self.volume("keys", "/etc/outfall"));
        let mut build = self.command(&["run", "--rm", "--network", "none", &index]);
        build.args(FLAGS).arg(format!("--volume={}:/official:ro", sample.display()));
        // The sample has no label of SELinux that lets containers read it.
        build.args(["--security-opt", "label=disable"]);
        build.args(["--entrypoint", "index-build", &self.name, "--data", "/var/lib/outfall"]);
        for file in committed_files() {
            let name = file.file_name().context("a file of the sample has a name")?;
            build.arg(Path::new("/official").join(name));
        }
        tree::run(&mut build)?;
        let mut add = self.command(&["run", "--rm", "--network", "none", &keys]);
        let key = tree::output(add.args(FLAGS).args([&self.name, "keys", "add", "newsroom"]))?;

        let mut run = self.command(&["run", "--detach", "--name", &self.name]);
        if self.program == "docker" {
            run.args(["--health-interval", "1s"]);
        }
        run.args([format!("{index}:ro"), format!("{keys}:ro")]).args(FLAGS);
        tree::run(run.args(["--publish", "127.0.0.1::8080", &self.name]))?;
        self.wait_until_healthy()?;
        let published = tree::output(&mut self.command(&["port", &self.name, "8080"]))?;
        question::ask(published.trim(), key.trim())?;
        ensure!(self.inspect("{{.Config.User}}")? == "65532:65532", "the image runs as another");
        tree::run(&mut self.command(&["stop", "--time", "15", &self.name]))?;
        let code = self.inspect("{{.State.ExitCode}}")?;
        ensure!(code == "0", "the service was told to stop, and ended with {code}");
        Ok(())
    }

    /// Waits for the health check of the image. Podman leaves it to systemd to run it now and then.
    fn wait_until_healthy(&self) -> anyhow::Result<()> {
        for _ in 0..ATTEMPTS {
            let is_healthy = match self.program {
                "podman" => tool::succeeds(&["podman", "healthcheck", "run", &self.name]),
                _ => self.inspect("{{.State.Health.Status}}")? == "healthy",
            };
            if is_healthy {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(500));
        }
        let log = self.command(&["logs", &self.name]).output()?;
        anyhow::bail!("the container does not become healthy: {log:?}")
    }

    fn inspect(&self, format: &str) -> anyhow::Result<String> {
        let mut inspect = self.command(&["inspect", "--type", "container", "--format", format]);
        Ok(tree::output(inspect.arg(&self.name))?.trim().to_owned())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let with = |suffix| format!("{}-{suffix}", self.name);
        let (index, keys, trial) = (with("index"), with("keys"), with("trial"));
        for leftover in [
            &["rm", "--force", &self.name][..],
            &["volume", "rm", "--force", &index, &keys],
            &["rmi", "--force", &self.name, &trial],
        ] {
            // This fails for what was never made, which is fine.
            let _ = self.command(leftover).output();
        }
    }
}
