//! Shared by several tasks: the workspace, and tools from Debian, PyPI and crates.io.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How programs are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As the tests have them, in a fraction of the time.
    Debug,
    /// As they are installed.
    Release,
}

impl Profile {
    /// Asks cargo for this profile; returns the folder of what it compiles, below that of its target.
    pub(crate) fn ask(self, cargo: &mut Command) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => {
                cargo.arg("--release");
                "release"
            }
        }
    }
}

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
    ensure_package(name, || is_there(name, probe))
}

/// Installs a Debian package, if what it provides is missing and installing is permitted; returns
/// whether that is there afterwards.
pub(crate) fn ensure_package(package: &str, is_there: impl Fn() -> bool) -> bool {
    if is_there() {
        return true;
    }
    eprintln!("== {package} is missing; installing it");
    let install = ["apt-get", "install", "--yes", "--no-install-recommends", package];
    if !succeeds(&install) {
        succeeds(&[&["sudo", "--non-interactive"], &install[..]].concat());
    }
    is_there()
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

/// A program of crates.io in exactly this version, which is compiled into its own folder under
/// `target/` if it is missing; `None` if it cannot be.
pub(crate) fn install_crate(cargo: &Path, name: &str, version: &str) -> Option<PathBuf> {
    let is_that_version = |program: &Path| {
        let output = Command::new(program).arg("--version").output().ok()?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (said.rsplit(' ').next() == Some(version)).then(|| program.to_owned())
    };
    let folder = root().join("target/tools");
    let own = folder.join("bin").join(name);
    is_that_version(Path::new(name)).or_else(|| is_that_version(&own)).or_else(|| {
        // Unoptimised, it compiles in half the time, and still works within seconds.
        let mut install = in_background(cargo);
        install.args(["install", "--quiet", "--locked", "--debug", name, "--version", version]);
        install.arg("--root").arg(&folder).status().ok()?;
        is_that_version(&own)
    })
}

/// A command that leaves the processors to other processes that want them.
pub(crate) fn in_background(program: &Path) -> Command {
    let mut command = Command::new("nice");
    command.args(["-n", "19"]).arg(program);
    command
}

/// Whether this process runs as root.
pub(crate) fn is_superuser() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

/// Whether the tool can be started, even if it rejects the argument.
pub(crate) fn is_there(name: &str, probe: &str) -> bool {
    quiet(name, &[probe]).status().is_ok()
}

/// Whether a command can be started and succeeds.
pub(crate) fn succeeds(command: &[&str]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    quiet(program, arguments).status().is_ok_and(|status| status.success())
}

fn quiet(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
