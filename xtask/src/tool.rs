//! Shared by several tasks: the workspace, and tools from Debian and PyPI.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// Why a step was skipped, on a machine that lacks what it needs.
pub(crate) type Skipped = String;

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    // The package is in a folder of the workspace, so it has a parent.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Installs a tool if it is missing and installing is permitted; returns whether it is there. With
/// the argument `probe`, the tool ends at once.
pub(crate) fn ensure(name: &str, probe: &str) -> bool {
    if is_there(name, probe) {
        return true;
    }
    eprintln!("== {name} is missing; installing it");
    let install = ["apt-get", "install", "--yes", "--no-install-recommends", name];
    if !succeeds(&install) {
        succeeds(&[&["sudo", "--non-interactive"], &install[..]].concat());
    }
    is_there(name, probe)
}

/// Installs packages from PyPI into a virtual environment, which is made if it is missing; returns
/// whether they are there. `packages` are arguments of `pip install`.
pub(crate) fn install_from_pypi<'a>(
    environment: &Path,
    packages: impl IntoIterator<Item = &'a OsStr>,
) -> bool {
    let is_done = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    let pip = environment.join("bin/pip");
    let is_made =
        pip.exists() || is_done(Command::new("python3").args(["-m", "venv"]).arg(environment));
    let mut install = Command::new(pip);
    install.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages);
    is_made && is_done(&mut install)
}

/// Whether the tool can be started, even if it rejects the argument.
pub(crate) fn is_there(name: &str, probe: &str) -> bool {
    quiet(name, &[probe]).status().is_ok()
}

fn succeeds(command: &[&str]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    quiet(program, arguments).status().is_ok_and(|status| status.success())
}

fn quiet(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
