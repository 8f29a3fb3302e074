//! Runs Schemathesis, an independent test of the OpenAPI description, against the real binary over
//! the sample.
//!
//! It is installed from PyPI into its own folder under `target/`. If Python or PyPI is not
//! available, the step is skipped and says so.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};

use crate::tool::{self, Skipped, root};

const VERSION: &str = "4.32.5";
/// How many requests it may make up for each operation, and how many seconds it has.
const EXAMPLES: &str = "30";
const SECONDS: &str = "90";

pub(crate) fn run(cargo: &Path) -> anyhow::Result<Option<Skipped>> {
    let root = root();
    let folder = root.join("target/schemathesis");
    fs::create_dir_all(&folder)?;
    let Some(program) = installed(&folder) else {
        return Ok(Some(format!("Schemathesis {VERSION} cannot be installed (python3, PyPI)")));
    };
    let built = Command::new(cargo)
        .args(["build", "--package", "outfall-server", "--bin", "outfall", "--locked"])
        .current_dir(root)
        .status()?;
    ensure!(built.success(), "the binary was not built");
    let service = Service::start(&root.join("target/debug/outfall"), &folder)?;
    let status = Command::new(program)
        .arg("--config-file")
        .arg(root.join("xtask/schemathesis.toml"))
        .args(["run", "--checks", "all", "--no-color", "--generation-deterministic"])
        .args(["--max-examples", EXAMPLES, "--max-time", SECONDS])
        .args(["--header", &format!("x-gateway-key: {}", service.key)])
        .args(["--header", "x-gateway-host: localhost"])
        .arg(format!("{}/openapi.json", service.url))
        .current_dir(&folder)
        .status()?;
    ensure!(status.success(), "Schemathesis found something");
    Ok(None)
}

/// The program, which is installed if it is missing; `None` if it cannot be installed.
fn installed(folder: &Path) -> Option<PathBuf> {
    let venv = folder.join(format!("venv-{VERSION}"));
    let program = venv.join("bin/schemathesis");
    if program.exists() {
        return Some(program);
    }
    let wanted = format!("schemathesis=={VERSION}");
    let is_there = tool::install_from_pypi(&venv, [wanted.as_ref()]);
    (is_there && program.exists()).then_some(program)
}

/// The service over the sample, on a free port, which is killed on drop.
struct Service {
    child: Child,
    url: String,
    key: String,
}

impl Service {
    fn start(binary: &Path, folder: &Path) -> anyhow::Result<Self> {
        // Serve the sample of this build, not that of an earlier one.
        let data = folder.join("data");
        if data.exists() {
            fs::remove_dir_all(&data)?;
        }
        let child = Command::new(binary)
            .args(["--listen", "127.0.0.1:0", "--rate-limit", "0"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("`{}` does not start", binary.display()))?;
        let mut service = Self { child, url: String::new(), key: String::new() };
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
        service.key = fs::read_to_string(data.join("demo-key.txt"))?.trim().to_owned();
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
