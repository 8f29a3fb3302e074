//! Runs the programs of the tarball where there is nothing else: no library, no shell, no file of
//! users, no folder for temporary files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use outfall_fixtures::committed_files;

use super::programs::without_settings;
use super::{CHECKSUMS, question, tarball, tree};
use crate::service::Service;
use crate::tool::{self, Profile};

/// The folder of the sample, beside the unpacked one.
pub(super) const SAMPLE: &str = "sample";
/// The user and the group that the programs run as: nobody's.
const USER: &str = "65532";

/// Unpacks the tarball in a separate folder below `folder`, which has its checksum, and tries out
/// the contents; returns the unpacked folder, which has the sample beside it.
pub(super) fn check(packed: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    tree::run(Command::new("sha256sum").args(["--check", CHECKSUMS]).current_dir(folder))?;
    let room = folder.join("room");
    fs::create_dir_all(&room)?;
    // Drops the times in the tarball, so that they cannot be the reason why packing gives the same
    // bytes below.
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--touch", "--file"]).arg(packed).arg("--directory").arg(&room);
    tree::run(&mut tar)?;
    let name = packed.file_name().context("a tarball has a name")?.to_string_lossy();
    let unpacked = room.join(name.trim_end_matches(".tar.gz"));
    let again = tarball::pack(&unpacked, Profile::Debug, &folder.join("again"))?;
    ensure!(fs::read(packed)? == fs::read(again)?, "the same files are packed to other bytes");
    for program in ["outfall", "index-build"] {
        expect_static(&unpacked.join("bin").join(program))?;
    }
    tree::install("644", &room.join(SAMPLE), &committed_files(), &[])?;
    Room { folder: room, unpacked: unpacked.clone() }.serve()?;
    Ok(unpacked)
}

/// Fails if a program asks for a loader, or for a library.
fn expect_static(program: &Path) -> anyhow::Result<()> {
    let mut readelf = Command::new("readelf");
    readelf.args(["--wide", "--program-headers", "--dynamic"]).arg(program).env("LC_ALL", "C");
    let headers = tree::output(&mut readelf)?;
    ensure!(headers.contains(" LOAD "), "`{}` has no headers: {headers}", program.display());
    let asks = headers.lines().find(|line| line.contains("INTERP") || line.contains("(NEEDED)"));
    ensure!(asks.is_none(), "`{}` is not static: {asks:?}", program.display());
    Ok(())
}

/// A folder with the programs and the sample. If this process runs as root, the folder is all that
/// the programs see of the file system.
struct Room {
    folder: PathBuf,
    unpacked: PathBuf,
}

impl Room {
    fn program(&self, name: &str) -> anyhow::Result<Command> {
        let program = self.unpacked.join("bin").join(name);
        if !tool::is_superuser() {
            return Ok(without_settings(Command::new(program)));
        }
        let mut command = without_settings(Command::new("chroot"));
        command.arg(format!("--userspec=+{USER}:+{USER}")).arg(&self.folder);
        command.arg(self.seen(&program)?);
        Ok(command)
    }

    /// The path under which the programs see a file of the folder.
    fn seen(&self, path: &Path) -> anyhow::Result<PathBuf> {
        if !tool::is_superuser() {
            return Ok(path.to_owned());
        }
        Ok(Path::new("/").join(path.strip_prefix(&self.folder)?))
    }

    /// Builds an index of the sample, serves it and asks it a question.
    fn serve(&self) -> anyhow::Result<()> {
        let data = self.folder.join("data");
        let mut make = Command::new("install");
        make.args(["--directory", "--mode=750"]);
        if tool::is_superuser() {
            make.args(["--owner", USER, "--group", USER]);
        }
        tree::run(make.arg(&data))?;
        let keys = self.seen(&data.join("keys.json"))?;
        let data = self.seen(&data)?;
        let mut build = self.program("index-build")?;
        build.arg("--data").arg(&data);
        for file in committed_files() {
            let name = file.file_name().context("a file of the sample has a name")?;
            build.arg(self.seen(&self.folder.join(SAMPLE).join(name))?);
        }
        tree::run(&mut build)?;
        let mut add = self.program("outfall")?;
        let key = tree::output(add.args(["keys", "add", "newsroom", "--keys"]).arg(&keys))?;
        let mut serve = self.program("outfall")?;
        serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&data);
        let service = Service::run(serve.arg("--keys").arg(&keys))?;
        let address = service.url.trim_start_matches("http://").to_owned();
        question::ask(&address, key.trim())?;
        tree::run(self.program("outfall")?.args(["health", "--listen", &address]))?;
        service.stop()
    }
}
