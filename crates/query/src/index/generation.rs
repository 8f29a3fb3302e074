//! Opening the served generation: every file is read once and compared with the manifest.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use outfall_records::{DatasetInfo, Entity};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rustix::fs::OFlags;
use tantivy::directory::OwnedBytes;

use crate::index::contents::difference;
use crate::index::manifest::{
    Current, FileInfo, MANIFEST, Manifest, generation_name, generation_number,
};
use crate::index::numbers::zeroed;
use crate::index::staging::names_in;
use crate::index::{Kind, LayoutError};

/// A published index in memory. Nothing of it is read from the disk again.
#[derive(Debug)]
pub struct Generation {
    /// Its folder, `gen-000042`.
    pub name: String,
    /// What is served of it.
    pub dataset: DatasetInfo,
    /// The releases.
    pub releases: Kind,
    /// The emissions.
    pub emissions: Kind,
}

impl Generation {
    /// Opens the generation that `CURRENT` of a data directory names.
    ///
    /// # Errors
    /// As for [`Current::read`]; [`LayoutError::Damaged`] for a file that is not what the manifest
    /// says, is missing or is not named there, or a manifest that is not what `CURRENT` says.
    pub fn open(data: &Path) -> Result<Self, LayoutError> {
        Self::open_named(data, &Current::read(data)?)
    }

    /// Opens the generation of a data directory that `current` names.
    ///
    /// # Errors
    /// As for [`Generation::open`].
    pub fn open_named(data: &Path, current: &Current) -> Result<Self, LayoutError> {
        let dir = data.join(&current.generation);
        let (manifest, hash) = Manifest::read(&dir)?;
        if hash != current.manifest_blake3 {
            let path = dir.join(MANIFEST);
            return Err(LayoutError::damaged(path, "its hash is not the one in `CURRENT`"));
        }
        on_every_core(|| Self::open_dir(&dir, current.generation.clone(), manifest))
    }

    /// Opens the newest generation that is whole, whatever `CURRENT` says.
    ///
    /// # Errors
    /// [`LayoutError::NoIndex`] when there is none.
    pub fn open_newest(data: &Path) -> Result<Self, LayoutError> {
        let mut numbers = generation_numbers(data)?;
        numbers.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
        let whole = numbers.into_iter().find_map(|number| Self::open_number(data, number).ok());
        whole.ok_or_else(|| LayoutError::NoIndex { path: data.to_owned() })
    }

    /// Opens the generation of that number, as far as its own manifest can tell that it is whole.
    pub(crate) fn open_number(data: &Path, number: u32) -> Result<Self, LayoutError> {
        let name = generation_name(number);
        let dir = data.join(&name);
        let (manifest, _) = Manifest::read(&dir)?;
        on_every_core(|| Self::open_dir(&dir, name, manifest))
    }

    /// Opens the files in `dir`, which are to be those of `manifest`.
    pub(crate) fn open_dir(
        dir: &Path,
        name: String,
        manifest: Manifest,
    ) -> Result<Self, LayoutError> {
        refuse_strangers(dir, "", &manifest)?;
        // What is beside the indexes is not served, but tells what the disk is worth.
        let is_beside =
            |name: &str| !Entity::ALL.iter().any(|it| path_below(name, it.name()).is_some());
        for (name, expected) in manifest.files.iter().filter(|(name, _)| is_beside(name)) {
            verify(&dir.join(name), expected)?;
        }
        let kind = |entity| Self::open_kind(dir, entity, &manifest);
        let (releases, emissions) =
            rayon::join(|| kind(Entity::Release), || kind(Entity::Emission));
        let (releases, emissions) = (releases?, emissions?);
        // The manifest is written last of all, and never again.
        let published = fs::symlink_metadata(dir.join(MANIFEST)).and_then(|it| it.modified()).ok();
        let dataset = DatasetInfo { published, ..manifest.dataset };
        Ok(Self { name, dataset, releases, emissions })
    }

    fn open_kind(dir: &Path, entity: Entity, manifest: &Manifest) -> Result<Kind, LayoutError> {
        let read = |(name, expected): (&String, &FileInfo)| {
            let below = path_below(name, entity.name())?;
            Some(read_verified(&dir.join(name), expected).map(|bytes| (below.to_owned(), bytes)))
        };
        let files: Result<BTreeMap<_, _>, _> = manifest.files.par_iter().filter_map(read).collect();
        let kind = Kind::open(entity, files?)?;
        match difference(&kind, manifest) {
            None => Ok(kind),
            Some(reason) => Err(LayoutError::damaged(dir.join(entity.name()), reason)),
        }
    }

    /// The index of a kind.
    #[must_use]
    pub const fn kind(&self, entity: Entity) -> &Kind {
        match entity {
            Entity::Release => &self.releases,
            Entity::Emission => &self.emissions,
        }
    }
}

/// Runs `work` on threads that end with it, unless it is on such threads already. Where none can be
/// started now, that is an error; the threads that are started by themselves would panic, for ever.
fn on_every_core<T: Send>(
    work: impl FnOnce() -> Result<T, LayoutError> + Send,
) -> Result<T, LayoutError> {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    let pool = ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|error| LayoutError::Threads { source: io::Error::other(error) })?;
    pool.install(work)
}

/// As much of a file is hashed at a time as still stands in a core's cache after it was read.
pub(crate) const CHUNK: usize = 256 << 10;

/// Reads a file once, and only if it is what the manifest says.
fn read_verified(path: &Path, expected: &FileInfo) -> Result<OwnedBytes, LayoutError> {
    let mut file = open_of_length(path, expected)?;
    let (bytes, hash) =
        read_hashed(&mut file, expected.bytes).map_err(LayoutError::io("read", path))?;
    if hash == expected.blake3 { Ok(bytes) } else { Err(differs(path)) }
}

/// Reads a file piece by piece, to learn whether it is what the manifest says.
fn verify(path: &Path, expected: &FileInfo) -> Result<(), LayoutError> {
    let file = open_of_length(path, expected)?;
    // It may still grow while it is read.
    let all_and_one_more = file.take(expected.bytes.saturating_add(1));
    let found = FileInfo::of(all_and_one_more).map_err(LayoutError::io("read", path))?;
    if found == *expected { Ok(()) } else { Err(differs(path)) }
}

fn differs(path: &Path) -> LayoutError {
    LayoutError::damaged(path, "its length or hash is not the manifest's")
}

/// Opens a regular file of the length that the manifest says. A link is not followed, for it could
/// lead anywhere, and a pipe is not waited for.
fn open_of_length(path: &Path, expected: &FileInfo) -> Result<File, LayoutError> {
    let not_plain = || LayoutError::damaged(path, "it is not a plain file");
    // Opening a device can have an effect by itself, so the path is looked at first.
    let metadata = fs::symlink_metadata(path).map_err(LayoutError::io("read", path))?;
    if !metadata.is_file() {
        return Err(not_plain());
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let opened = File::options().read(true).custom_flags(flags as i32).open(path);
    let file = opened.map_err(LayoutError::io("open", path))?;
    let metadata = file.metadata().map_err(LayoutError::io("read", path))?;
    match metadata.is_file() {
        true if metadata.len() == expected.bytes => Ok(file),
        true => Err(differs(path)),
        false => Err(not_plain()),
    }
}

/// The first bytes of a file, and the hash of them.
fn read_hashed(file: &mut File, len: u64) -> io::Result<(OwnedBytes, String)> {
    let mut hasher = blake3::Hasher::new();
    let len = usize::try_from(len).map_err(io::Error::other)?;
    let mut memory = zeroed(len)?;
    for chunk in memory[..len].chunks_mut(CHUNK) {
        file.read_exact(chunk)?;
        hasher.update(chunk);
    }
    Ok((OwnedBytes::new(memory).slice(0..len), hasher.finalize().to_hex().to_string()))
}

/// What is left of a path below a folder.
fn path_below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// Refuses a generation with files that its manifest does not name.
fn refuse_strangers(dir: &Path, prefix: &str, manifest: &Manifest) -> Result<(), LayoutError> {
    for entry in fs::read_dir(dir).map_err(LayoutError::io("read", dir))? {
        let entry = entry.map_err(LayoutError::io("read", dir))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(LayoutError::io("read", entry.path()))?;
        match kind.is_dir() {
            true => refuse_strangers(&entry.path(), &format!("{name}/"), manifest)?,
            false if name == MANIFEST || manifest.files.contains_key(&name) => {}
            false => {
                return Err(LayoutError::damaged(entry.path(), "the manifest does not name it"));
            }
        }
    }
    Ok(())
}

/// The numbers of the generations in a data directory, whole or not.
pub(crate) fn generation_numbers(data: &Path) -> Result<Vec<u32>, LayoutError> {
    let names = names_in(data)?;
    Ok(names.filter_map(|name| generation_number(&name)).collect())
}
