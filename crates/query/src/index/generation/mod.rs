//! Opens the served generation: every file is read once and compared with the manifest.

mod contents;
mod edition;
mod staging;
mod summary;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use outfall_records::{DatasetInfo, PerKind, RecordKind};
use outfall_store::{Current, FileInfo, StoreError, generation_names};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tantivy::directory::OwnedBytes;

use self::contents::difference;
use crate::index::bytes::AlignedBytes;
use crate::index::{IndexError, Kind};

pub use self::contents::Contents;
pub use self::edition::{ServedChanges, kept_edition, served_changes, served_edition};
pub use self::staging::{Staging, roll_back};
pub use self::summary::{IndexSummary, Manifest};

/// A published index in memory; nothing is read from the disk again.
#[derive(Debug)]
pub struct Generation {
    /// Its folder, `gen-000042`.
    pub name: String,
    /// The description of its data.
    pub dataset: DatasetInfo,
    /// The index of each kind.
    pub kinds: PerKind<Kind>,
}

impl Generation {
    /// Opens the generation that `CURRENT` of a data directory names.
    ///
    /// # Errors
    /// As for [`Current::read`]; [`StoreError::Damaged`] for a file that is not what the manifest
    /// says, is missing or is not named there, or a manifest that is not what `CURRENT` says.
    pub fn open(data: &Path) -> Result<Self, IndexError> {
        Self::open_named(data, &Current::read(data)?)
    }

    /// Opens the generation of a data directory that `current` names.
    ///
    /// # Errors
    /// As for [`Generation::open`].
    pub fn open_named(data: &Path, current: &Current) -> Result<Self, IndexError> {
        let manifest = Manifest::of_current(data, current)?;
        let name = current.generation.clone();
        on_every_core(|| Self::open_dir(&data.join(&name), name, manifest))
    }

    /// Opens the newest intact generation, whatever `CURRENT` says.
    ///
    /// # Errors
    /// [`StoreError::NoIndex`] when there is none.
    pub fn open_newest(data: &Path) -> Result<Self, IndexError> {
        let names = generation_names(data)?;
        let whole = names.iter().find_map(|name| Self::open_unpublished(data, name).ok());
        whole.ok_or_else(|| StoreError::NoIndex { path: data.to_owned() }.into())
    }

    /// Opens the generation of that name, checked against its own manifest only.
    pub(crate) fn open_unpublished(data: &Path, name: &str) -> Result<Self, IndexError> {
        let dir = data.join(name);
        let manifest = Manifest::of(&dir)?;
        on_every_core(|| Self::open_dir(&dir, name.to_owned(), manifest))
    }

    /// Opens the files in `dir`, which must be those of `manifest`.
    pub(crate) fn open_dir(
        dir: &Path,
        name: String,
        manifest: Manifest,
    ) -> Result<Self, IndexError> {
        manifest.reject_unlisted_files(dir)?;
        // Files beside the indexes are not served, but damage to them shows a bad disk.
        let is_beside = |name: &str| {
            !RecordKind::ALL.iter().any(|kind| path_below(name, kind.name()).is_some())
        };
        for (name, expected) in manifest.files.iter().filter(|(name, _)| is_beside(name)) {
            expected.verify(&dir.join(name))?;
        }
        let kind = |record_kind| Self::open_kind(dir, record_kind, &manifest);
        let (releases, emissions) =
            rayon::join(|| kind(RecordKind::Release), || kind(RecordKind::Emission));
        let kinds = PerKind { releases: releases?, emissions: emissions? };
        let dataset = DatasetInfo { published: Manifest::published(dir), ..manifest.about.dataset };
        Ok(Self { name, dataset, kinds })
    }

    fn open_kind(
        dir: &Path,
        record_kind: RecordKind,
        manifest: &Manifest,
    ) -> Result<Kind, IndexError> {
        let read = |(name, expected): (&String, &FileInfo)| {
            let below = path_below(name, record_kind.name())?;
            Some(read_verified(&dir.join(name), expected).map(|bytes| (below.to_owned(), bytes)))
        };
        let files: Result<BTreeMap<_, _>, _> = manifest.files.par_iter().filter_map(read).collect();
        let kind = Kind::open(record_kind, files?)?;
        match difference(&kind, manifest) {
            None => Ok(kind),
            Some(reason) => Err(IndexError::damaged(dir.join(record_kind.name()), reason)),
        }
    }
}

/// Runs `work` on a thread pool that ends with it, unless it already runs in one. Failing to start
/// the threads is an error here; the global pool of rayon would panic, now and on every later use.
fn on_every_core<T: Send>(
    work: impl FnOnce() -> Result<T, IndexError> + Send,
) -> Result<T, IndexError> {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let pool = ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|error| IndexError::Threads { source: io::Error::other(error) })?;
    pool.install(work)
}

/// Reads a file once and checks it against the manifest.
fn read_verified(path: &Path, expected: &FileInfo) -> Result<OwnedBytes, IndexError> {
    Ok(expected.read(path, AlignedBytes::zeroed)?.shared())
}

/// The rest of a path below a folder, if it is in it.
fn path_below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}
