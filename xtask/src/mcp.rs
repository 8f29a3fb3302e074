//! Installs the official clients of the Model Context Protocol, which the tests use.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::tool::{self, Skipped, root};

/// Installs them from PyPI and npm into a folder under `target/`; returns which of them it cannot
/// install.
pub(crate) fn install() -> Vec<Skipped> {
    let from = root().join("crates/server/tests/mcp");
    let to = root().join("target/mcp");
    let requirements = from.join("requirements.txt");
    let python = ["--requirement".as_ref(), requirements.as_os_str()];
    [
        (tool::install_from_pypi(&to, python), "Python (python3, PyPI)"),
        (install_from_npm(&from, &to), "TypeScript (Node.js, npm)"),
    ]
    .into_iter()
    .filter(|(is_there, _)| !is_there)
    .map(|(_, client)| format!("the client of MCP in {client} cannot be installed"))
    .collect()
}

fn install_from_npm(from: &Path, to: &Path) -> bool {
    let is_named = fs::create_dir_all(to).is_ok()
        && fs::copy(from.join("package.json"), to.join("package.json")).is_ok();
    let mut install = Command::new("npm");
    install.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
    install.current_dir(to);
    is_named && install.status().is_ok_and(|status| status.success())
}
