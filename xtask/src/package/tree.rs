//! The files that are installed, as they are laid out below `/usr` or `/usr/local`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::licences;
use crate::tool::root;

/// The folder of the documentation, below the prefix.
pub(super) const DOC: &str = "share/doc/outfall";

/// Folders of the workspace whose files are installed as they are, and where.
const FOLDERS: [(&str, &str); 5] = [
    ("packaging/systemd", "lib/systemd/system"),
    ("packaging/sysusers.d", "lib/sysusers.d"),
    ("packaging/tmpfiles.d", "lib/tmpfiles.d"),
    ("docs", "share/doc/outfall/docs"),
    ("examples", "share/doc/outfall/examples"),
];

/// Files of the workspace that are installed in the folder of the documentation.
const DOCUMENTS: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "packaging/environment",
];

/// Lays out everything below `prefix`, with the programs of the folder `programs`, which are
/// compiled for `target`.
pub(super) fn lay_out(prefix: &Path, programs: &Path, target: &str) -> anyhow::Result<()> {
    if prefix.exists() {
        fs::remove_dir_all(prefix)?;
    }
    let bin = prefix.join("bin");
    let programs = ["outfall", "index-build"].map(|name| programs.join(name));
    // Stripped, because symbols are three quarters of the programs, and only debuggers need those.
    install("755", &bin, &programs, &["--strip"])?;
    run(Command::new(bin.join("outfall")).arg("manual").arg(prefix))?;
    run(Command::new(bin.join("index-build")).arg("--manual").arg(prefix))?;
    for (from, to) in FOLDERS {
        install("644", &prefix.join(to), &files(&root().join(from))?, &[])?;
    }
    install("644", &prefix.join(DOC), &DOCUMENTS.map(|name| root().join(name)), &[])?;
    fs::write(prefix.join(DOC).join("THIRD-PARTY.txt"), licences::of_dependencies(target)?)?;
    Ok(())
}

/// The files of a folder, without those of its folders.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("`{}`", folder.display()))?;
    let mut paths =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    ensure!(!paths.is_empty(), "`{}` has no files", folder.display());
    Ok(paths)
}

/// Copies files into a folder, which is made if it is missing.
pub(super) fn install(
    mode: &str,
    to: &Path,
    files: &[PathBuf],
    more: &[&str],
) -> anyhow::Result<()> {
    let mut command = Command::new("install");
    command.args(more).args(["-D", "--mode", mode, "--target-directory"]).arg(to).args(files);
    run(&mut command)
}

/// Runs a command that must succeed; what it prints is shown only if it fails.
pub(super) fn run(command: &mut Command) -> anyhow::Result<()> {
    output(command).map(|_| ())
}

/// Runs a command that must succeed, and returns what it prints on standard output.
pub(super) fn output(command: &mut Command) -> anyhow::Result<String> {
    let told = command.output().with_context(|| format!("{command:?} does not start"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&told.stdout), text(&told.stderr));
    ensure!(told.status.success(), "{command:?} failed\n{out}{err}");
    Ok(out)
}

/// The time that packages carry, in seconds since 1970: that of the packed commit, or that of
/// SOURCE_DATE_EPOCH.
pub(super) fn time() -> anyhow::Result<String> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(given);
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"]).current_dir(root());
    Ok(output(&mut git)?.trim().to_owned())
}
