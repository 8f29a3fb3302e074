//! Finds what could be lost in a power cut, from the order of the system calls of a rebuild.
//!
//! A disk is certain to keep what was synced, and nothing else. So when `CURRENT` is renamed into
//! place, every file must have been synced after its last write and every folder after its last new
//! name. The folder of `CURRENT` must be synced once more before the rebuild reports that it
//! published.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::strace::Call;

/// The files and folders that a rebuild wrote, each with what would be lost of it in a power cut,
/// if anything.
pub(crate) type Losses = BTreeMap<String, Option<&'static str>>;

const CONTENT: &str = "its last write was not synced before `CURRENT` was renamed";
const NAMES: &str = "its last new name was not synced before `CURRENT` was renamed";
const RENAME: &str = "the rename of `CURRENT` was not synced before it was reported";

const CURRENT: &str = "CURRENT";

/// Everything that was written, and whether it is certain to be on the disk.
#[derive(Debug, Default)]
struct Disk {
    /// The files that were written, and whether the last write was synced.
    files: BTreeMap<String, bool>,
    /// The folders that got new names, and the names that were not synced.
    folders: BTreeMap<String, BTreeSet<String>>,
}

/// What would be lost in a power cut of everything that the calls wrote below `root` to publish in
/// the folder `data`; `None` if they published nothing.
pub(crate) fn losses(calls: &[Call], root: &Path, data: &Path) -> Option<Losses> {
    let data = data.to_string_lossy();
    let mut disk = Disk::default();
    let mut published: Option<Losses> = None;
    for call in calls.iter().filter(|call| call.succeeded()) {
        let paths = call.paths();
        let Some(path) = paths.first().copied().or_else(|| call.descriptor_path()) else {
            match &published {
                // The rebuild prints only once it has published.
                Some(_) if call.writes_to_standard_output() => break,
                _ => continue,
            }
        };
        // The lock is not data.
        if !Path::new(path).starts_with(root) || path.ends_with("/LOCK") {
            continue;
        }
        match call.name.as_str() {
            "fsync" | "fdatasync" if !call.is_injected => disk.sync(path),
            "write" | "pwrite64" | "writev" | "ftruncate" => disk.write(path),
            "openat" if call.has_flag("O_CREAT") => {
                disk.write(path);
                disk.name(path);
            }
            "mkdir" | "mkdirat" => disk.name(path),
            "rename" | "renameat" | "renameat2" => {
                let new = *paths.last()?;
                disk.rename(path, new);
                if Path::new(new).ends_with(CURRENT) {
                    published = Some(disk.losses());
                }
            }
            _ => {}
        }
    }
    let mut losses = published?;
    if disk.folders.get(data.as_ref()).is_some_and(|names| names.contains(CURRENT)) {
        losses.insert(data.into_owned(), Some(RENAME));
    }
    Some(losses)
}

impl Disk {
    fn write(&mut self, file: &str) {
        self.files.insert(file.to_owned(), false);
    }

    fn name(&mut self, path: &str) {
        let (folder, name) = split(path);
        self.folders.entry(folder.to_owned()).or_default().insert(name.to_owned());
    }

    fn sync(&mut self, path: &str) {
        if let Some(is_synced) = self.files.get_mut(path) {
            *is_synced = true;
        }
        if let Some(names) = self.folders.get_mut(path) {
            names.clear();
        }
    }

    fn rename(&mut self, old: &str, new: &str) {
        let moved = |path: &str| match path.strip_prefix(old) {
            Some(below) if below.is_empty() || below.starts_with('/') => format!("{new}{below}"),
            _ => path.to_owned(),
        };
        let files = std::mem::take(&mut self.files).into_iter();
        self.files = files.map(|(path, is_synced)| (moved(&path), is_synced)).collect();
        let folders = std::mem::take(&mut self.folders).into_iter();
        self.folders = folders.map(|(path, names)| (moved(&path), names)).collect();
        let (folder, name) = split(old);
        if let Some(names) = self.folders.get_mut(folder) {
            names.remove(name);
        }
        self.name(new);
    }

    /// What would be lost now, apart from the rename of `CURRENT` itself.
    fn losses(&self) -> Losses {
        let files = self.files.iter().map(|(path, is_synced)| (path, *is_synced, CONTENT));
        let folders = self.folders.iter().map(|(path, names)| {
            let is_synced = names.iter().all(|name| name == CURRENT);
            (path, is_synced, NAMES)
        });
        let all = files.chain(folders);
        all.map(|(path, is_synced, loss)| (path.clone(), (!is_synced).then_some(loss))).collect()
    }
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
