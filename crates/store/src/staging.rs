//! Builds a generation beside the served one, then switches atomically.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::current::{CURRENT, Current, generation_name, generation_numbers};
use crate::durable::{
    names_in, remove_any, sync_dir, sync_tree, write_pieces_synced, write_synced,
};
use crate::lock::lock;
use crate::manifest::{Described, MANIFEST, Manifest, hash};
use crate::switch::{remove_outdated, replace_current};
use crate::{FileInfo, StoreError};

/// The prefix of the folders of unfinished builds.
pub(crate) const STAGING_PREFIX: &str = ".build-";

/// A generation being built; dropped without [`Staging::publish`], it leaves nothing behind.
#[derive(Debug)]
pub struct Staging {
    data: PathBuf,
    dir: PathBuf,
    /// Files that were written and synced here, so that they need not be read again to be hashed.
    written: BTreeMap<String, FileInfo>,
    /// Unlocked by the operating system when this process ends, even if it is killed.
    _lock: File,
}

/// A generation that is now the served one.
#[derive(Clone, Debug)]
pub struct Published {
    /// The folder of the generation, `gen-000042`.
    pub name: String,
    /// Its bytes on disk.
    pub bytes: u64,
    /// Why an outdated generation is still there; the next rebuild tries to remove it again.
    pub not_removed: Option<String>,
}

impl Staging {
    /// Takes the lock of the data directory, creating it if need be, and an empty folder in it.
    ///
    /// Removes anything that a killed rebuild left behind.
    ///
    /// # Errors
    /// [`StoreError::Locked`] while another rebuild runs; [`StoreError::Io`].
    pub fn begin(data: &Path) -> Result<Self, StoreError> {
        let lock = lock(data)?;
        for name in names_in(data)?.filter(|name| name.starts_with(STAGING_PREFIX)) {
            remove_any(&data.join(name))?;
        }
        // Fail now rather than after hours of work.
        next_generation(data)?;
        refuse_folder(&data.join(CURRENT))?;
        let dir = data.join(format!("{STAGING_PREFIX}{}", std::process::id()));
        fs::create_dir(&dir).map_err(StoreError::io("create", &dir))?;
        Ok(Self { data: data.to_owned(), dir, written: BTreeMap::new(), _lock: lock })
    }

    /// Makes sure that there is room for `bytes` more.
    ///
    /// # Errors
    /// [`StoreError::NoSpace`], [`StoreError::Io`].
    pub fn require_space(&self, bytes: u64) -> Result<(), StoreError> {
        let room = rustix::fs::statvfs(&self.data)
            .map_err(|error| StoreError::io("inspect", &self.data)(error.into()))?;
        let free = room.f_bavail.saturating_mul(room.f_frsize);
        if free < bytes {
            return Err(StoreError::NoSpace { path: self.data.clone(), needed: bytes, free });
        }
        Ok(())
    }

    /// The folder to write into; everything in it is published.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes files, each given as its path below the generation and its pieces.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write<P: AsRef<[u8]> + Send>(
        &mut self,
        files: impl IntoParallelIterator<Item = (String, Vec<P>)>,
    ) -> Result<(), StoreError> {
        let dir = self.dir.as_path();
        let write = |(below, pieces): (String, Vec<P>)| {
            let path = dir.join(&below);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(StoreError::io("create", parent))?;
            }
            Ok((below, write_pieces_synced(&path, pieces)?))
        };
        let written: Result<Vec<_>, StoreError> = files.into_par_iter().map(write).collect();
        self.written.extend(written?);
        Ok(())
    }

    /// Makes the written files the served generation, if `check` accepts them.
    ///
    /// Every byte is on the disk before `CURRENT` names it, and `CURRENT` is replaced in one step.
    ///
    /// # Errors
    /// Those of `check`, and [`StoreError::Io`]. The previous generation then stays served.
    pub fn publish<D: Described, E: From<StoreError>>(
        self,
        about: D,
        check: impl FnOnce(&Path, &Manifest<D>) -> Result<(), E>,
    ) -> Result<Published, E> {
        let mut files = BTreeMap::new();
        sync_tree(&self.dir, "", &self.written, &mut files)?;
        let bytes = files.values().map(|file| file.bytes).sum();
        let manifest = Manifest::new(files, about);
        let path = self.dir.join(MANIFEST);
        let text = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| StoreError::damaged(&path, error.to_string()))?;
        write_synced(&path, &text)?;
        sync_dir(&self.dir)?;
        check(&self.dir, &manifest)?;

        let number = next_generation(&self.data)?;
        let name = generation_name(number);
        let target = self.data.join(&name);
        fs::rename(&self.dir, &target).map_err(StoreError::io("rename", &self.dir))?;
        sync_dir(&self.data)?;
        let manifest_blake3 = hash(&text);
        replace_current(&self.data, &Current { generation: name.clone(), manifest_blake3 })?;

        // It is published, even if outdated generations cannot be removed.
        let removed = remove_outdated(&self.data, number);
        let not_removed = removed.err().map(|error| error.to_string());
        Ok(Published { name, bytes, not_removed })
    }
}

/// The number after that of the newest generation.
fn next_generation(data: &Path) -> Result<u32, StoreError> {
    let newest = generation_numbers(data)?.first().copied().unwrap_or(0);
    newest.checked_add(1).ok_or_else(|| {
        let reason = "no generation can come after it; remove it if it is not served";
        StoreError::in_the_way(data.join(generation_name(newest)), reason)
    })
}

/// Refuses a folder, which the next `CURRENT` cannot replace; it replaces anything else.
fn refuse_folder(path: &Path) -> Result<(), StoreError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            Err(StoreError::in_the_way(path, "it is a folder; remove it"))
        }
        _ => Ok(()),
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // After publishing, there is nothing left under this name. If an unfinished build cannot be
        // removed now, the next one removes it.
        drop(fs::remove_dir_all(&self.dir));
    }
}
