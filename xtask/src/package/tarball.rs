//! The tarball of static programs, which need nothing of the system that they run on: for any Linux,
//! and for [the image](../../../packaging/Containerfile).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use super::programs::{build, static_target};
use super::{folder, tree};
use crate::tool::{Profile, Skipped, root};

/// The empty folders of the image, below its root.
const VOLUMES: [&str; 2] = ["var/lib/outfall", "etc/outfall"];

/// Lays out the files of the tarball and returns their folder; or what is missing to compile static
/// programs.
pub(super) fn tree(cargo: &Path, profile: Profile) -> anyhow::Result<Result<PathBuf, Skipped>> {
    let target = match static_target() {
        Ok(target) => target,
        Err(reason) => return Ok(Err(reason)),
    };
    let name = format!("outfall-{}-{target}", env!("CARGO_PKG_VERSION"));
    let prefix = folder().join("static").join(name);
    tree::lay_out(&prefix, &build(cargo, profile, Some(&target))?, &target)?;
    // The C library is part of static programs.
    fs::copy(root().join("packaging/musl-copyright.txt"), prefix.join(tree::DOC).join("MUSL.txt"))?;
    let container = prefix.join("container");
    for volume in VOLUMES {
        fs::create_dir_all(container.join("root").join(volume))?;
    }
    fs::copy(root().join("packaging/Containerfile"), container.join("Containerfile"))?;
    Ok(Ok(prefix))
}

/// Packs a folder under its own name, so that the same files give the same bytes; returns the path
/// of the tarball in the folder `to`.
pub(super) fn pack(tree: &Path, profile: Profile, to: &Path) -> anyhow::Result<PathBuf> {
    let name = tree.file_name().context("the root folder cannot be packed")?;
    let path = to.join(format!("{}.tar.gz", name.to_string_lossy()));
    fs::create_dir_all(to)?;
    // Compressed lightly if nobody downloads it.
    let effort = if profile == Profile::Debug { "--fast" } else { "--best" };
    let mut tar = Command::new("tar");
    tar.args(["--create", "--format=ustar", "--sort=name", "--owner=0", "--group=0"])
        .args(["--numeric-owner", "--mode=u=rwX,go=rX"])
        .arg(format!("--mtime=@{}", tree::time()?))
        .arg(format!("--use-compress-program=gzip --no-name {effort}"))
        .arg("--file")
        .arg(&path)
        .arg("--directory")
        .arg(tree.join(".."))
        .arg(name);
    tree::run(&mut tar)?;
    Ok(path)
}
