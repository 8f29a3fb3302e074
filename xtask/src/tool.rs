//! What several tasks need: the workspace, and Debian's tools.

use std::path::Path;
use std::process::{Command, Stdio};

/// Why a step was left out, on a machine that has not what it needs.
pub(crate) type Skipped = String;

/// The folder of the workspace.
pub(crate) fn root() -> &'static Path {
    // The package stands in a folder of the workspace, so it has a parent.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Installs a tool where it is missing and that is permitted; tells whether it is there. `probe` is
/// an argument with which it ends at once.
pub(crate) fn ensure(name: &str, probe: &str) -> bool {
    if starts(name, probe) {
        return true;
    }
    eprintln!("== {name} is missing; installing it");
    let install = ["apt-get", "install", "--yes", "--no-install-recommends", name];
    if !succeeds(&install) {
        succeeds(&[&["sudo", "--non-interactive"], &install[..]].concat());
    }
    starts(name, probe)
}

/// Whether the tool can be started, whatever it thinks of the argument.
fn starts(name: &str, probe: &str) -> bool {
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
