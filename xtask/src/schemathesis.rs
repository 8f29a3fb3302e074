//! Runs Schemathesis, an independent test of the OpenAPI description, against the real binary over
//! the sample.
//!
//! It is installed from PyPI into its own folder under `target/`. If Python or PyPI is not
//! available, the step is skipped and says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use crate::service::Service;
use crate::tool::{self, Profile, Skipped, root};

const VERSION: &str = "4.32.5";
/// How many requests Schemathesis may make up for each operation, and how many seconds it has.
const EXAMPLES: &str = "30";
const SECONDS: &str = "90";

pub(crate) fn run(cargo: &Path) -> anyhow::Result<Option<Skipped>> {
    let root = root();
    let folder = root.join("target/schemathesis");
    fs::create_dir_all(&folder)?;
    let Some(program) = installed(&folder) else {
        return Ok(Some(format!("Schemathesis {VERSION} cannot be installed (python3, PyPI)")));
    };
    let service = Service::start(cargo, Profile::Debug, &folder, &["--rate-limit", "0"])?;
    let key = fs::read_to_string(folder.join("data/demo-key.txt"))?;
    let status = Command::new(program)
        .arg("--config-file")
        .arg(root.join("xtask/schemathesis.toml"))
        .args(["run", "--checks", "all", "--no-color", "--generation-deterministic"])
        .args(["--exclude-path", "/mcp"])
        .args(["--max-examples", EXAMPLES, "--max-time", SECONDS])
        .args(["--header", &format!("x-gateway-key: {}", key.trim())])
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
