//! Compiles both programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::tool::{self, Profile, Skipped, root};

/// The packages of the programs, as README.md compiles them.
const PROGRAMS: [&str; 4] = ["--package", "outfall-server", "--package", "index-build"];

/// The compiler of the C libraries in static programs.
const MUSL_COMPILER: &str = "musl-gcc";

/// Compiles the programs, for this machine or for another target; returns their folder.
pub(super) fn build(
    cargo: &Path,
    profile: Profile,
    target: Option<&str>,
) -> anyhow::Result<PathBuf> {
    let mut command = match target {
        Some(_) => tool::in_background(cargo),
        None => Command::new(cargo),
    };
    let mut folder = root().join("target");
    command.args(["build", "--locked", "--bins"]).args(PROGRAMS).current_dir(root());
    let built = profile.ask(&mut command);
    if let Some(target) = target {
        // With a separate folder, other builds do not wait for this one.
        folder.push("static");
        command.arg("--target-dir").arg(&folder).args(["--target", target]);
        folder.push(target);
        let name = target.replace('-', "_");
        command.env(format!("CC_{name}"), MUSL_COMPILER);
        if profile == Profile::Debug {
            // Nothing else is compiled for this target, so every library must be compiled for it,
            // which takes half as long without the flags that speed up the tests.
            let flags = format!("CARGO_TARGET_{}_RUSTFLAGS", name.to_uppercase());
            command.env(flags, "-Copt-level=0 -Cdebuginfo=0");
        }
    }
    let status = command.status().context("cargo could not be started")?;
    ensure!(status.success(), "the programs were not compiled");
    Ok(folder.join(built))
}

/// Compiles what `check` checks, except for what the tests compile anyway.
pub(crate) fn prepare(cargo: &Path) -> anyhow::Result<()> {
    match static_target() {
        Ok(target) => build(cargo, Profile::Debug, Some(&target)).map(drop),
        // The check reports this.
        Err(_) => Ok(()),
    }
}

/// The target of static programs for this machine's processor, after installing what compiles them;
/// or what could not be installed.
pub(super) fn static_target() -> Result<String, Skipped> {
    if !tool::ensure_package("musl-tools", || tool::is_there(MUSL_COMPILER, "--version")) {
        return Err(format!("the tarball: install {MUSL_COMPILER} (`apt install musl-tools`)"));
    }
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let install = ["rustup", "target", "add", &target];
    if has_library(&target) || (tool::succeeds(&install) && has_library(&target)) {
        return Ok(target);
    }
    Err(format!("the tarball: install Rust's library for {target} (`{}`)", install.join(" ")))
}

/// Whether the standard library for the target is installed.
fn has_library(target: &str) -> bool {
    let mut command = Command::new("rustc");
    let told = command.args(["--print", "target-libdir", "--target", target]).output();
    told.is_ok_and(|told| Path::new(String::from_utf8_lossy(&told.stdout).trim()).is_dir())
}

/// A command without the `OUTFALL_` variables of the caller.
pub(super) fn without_settings(mut command: Command) -> Command {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OUTFALL_")) {
        command.env_remove(name);
    }
    command
}
