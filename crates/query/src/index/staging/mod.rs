//! Building beside what is served, then switching atomically.

mod durable;
mod lock;
mod switch;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use blake3::Hash;
use outfall_records::{DatasetInfo, Entity, KindInfo, SourceInfo};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

pub(crate) use self::durable::names_in;
use self::durable::{remove_any, sync_dir, sync_tree, write_pieces_synced, write_synced};
use self::lock::lock;
pub use self::switch::roll_back;
use self::switch::{remove_outdated, replace_current};
use crate::index::generation::generation_numbers;
use crate::index::kind::{Pieces, Sample};
use crate::index::manifest::{CURRENT, Current, FileInfo, MANIFEST, Manifest, generation_name};
use crate::index::{Contents, EncodedKind, Generation, LayoutError, Tables, identity};

/// What the folders of unfinished builds begin with.
const STAGING_PREFIX: &str = ".build-";

/// A generation being built; dropped without [`Staging::publish`], it leaves nothing behind.
#[derive(Debug)]
pub struct Staging {
    data: PathBuf,
    dir: PathBuf,
    kinds: BTreeMap<Entity, StagedKind>,
    /// What was written and synced here, so that it need not be read to be hashed.
    written: BTreeMap<String, FileInfo>,
    /// Unlocked by the operating system when this process ends, however it does.
    _lock: File,
}

/// What is to be known of a kind after its records are gone.
#[derive(Debug)]
struct StagedKind {
    info: KindInfo,
    contents: Contents,
    sample: Sample,
    identity: Hash,
}

impl StagedKind {
    fn of(tables: &Tables) -> Self {
        let (sample, (contents, identity)) = rayon::join(
            || Sample::of(tables),
            || rayon::join(|| Contents::of_tables(tables), || identity::of_records(tables)),
        );
        Self { info: tables.info(), contents, sample, identity }
    }
}

/// A generation that is now the served one.
#[derive(Clone, Debug)]
pub struct Published {
    /// The folder of the generation, `gen-000042`.
    pub name: String,
    /// The identity of its contents.
    pub build_id: String,
    /// Its bytes on disk.
    pub bytes: u64,
    /// Why an outdated generation is still there; the next rebuild tries to remove it again.
    pub not_removed: Option<String>,
}

impl Staging {
    /// Takes the lock of the data directory, creating it if need be, and an empty folder in it.
    ///
    /// What an earlier rebuild left behind when it was killed is removed.
    ///
    /// # Errors
    /// [`LayoutError::Locked`] while another rebuild runs; [`LayoutError::Io`].
    pub fn begin(data: &Path) -> Result<Self, LayoutError> {
        let lock = lock(data)?;
        for name in names_in(data)?.filter(|name| name.starts_with(STAGING_PREFIX)) {
            remove_any(&data.join(name))?;
        }
        // What would stop it at the end is told before hours of work.
        next_generation(data)?;
        refuse_folder(&data.join(CURRENT))?;
        let dir = data.join(format!("{STAGING_PREFIX}{}", std::process::id()));
        fs::create_dir(&dir).map_err(LayoutError::io("create", &dir))?;
        Ok(Self {
            data: data.to_owned(),
            dir,
            kinds: BTreeMap::new(),
            written: BTreeMap::new(),
            _lock: lock,
        })
    }

    /// Makes sure that there is room for `bytes` more.
    ///
    /// # Errors
    /// [`LayoutError::NoSpace`], [`LayoutError::Io`].
    pub fn require_space(&self, bytes: u64) -> Result<(), LayoutError> {
        let room = rustix::fs::statvfs(&self.data)
            .map_err(|error| LayoutError::io("inspect", &self.data)(error.into()))?;
        let free = room.f_bavail.saturating_mul(room.f_frsize);
        if free < bytes {
            return Err(LayoutError::NoSpace { path: self.data.clone(), needed: bytes, free });
        }
        Ok(())
    }

    /// The folder to write into; what is written there besides the tables is published with them.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes the index of one kind, that [`crate::index::encode`] made of its records.
    ///
    /// # Errors
    /// [`LayoutError::Io`].
    pub fn write(&mut self, tables: &Tables, encoded: EncodedKind) -> Result<(), LayoutError> {
        let kind = tables.entity().name();
        let dir = self.dir.as_path();
        let write = |(name, pieces): (String, Pieces)| {
            let below = format!("{kind}/{name}");
            let path = dir.join(&below);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(LayoutError::io("create", parent))?;
            }
            Ok((below, write_pieces_synced(&path, pieces)?))
        };
        let (written, staged) = rayon::join(
            || encoded.files.into_par_iter().map(write).collect::<Result<Vec<_>, LayoutError>>(),
            || StagedKind::of(tables),
        );
        self.written.extend(written?);
        self.kinds.insert(tables.entity(), staged);
        Ok(())
    }

    /// Makes what was written the served generation.
    ///
    /// Every byte is on the disk before `CURRENT` names it, and `CURRENT` is replaced in one step.
    ///
    /// # Errors
    /// [`LayoutError::Io`]; the generation served before is then still the served one.
    pub fn publish(mut self, sources: Vec<SourceInfo>) -> Result<Published, LayoutError> {
        let mut files = BTreeMap::new();
        sync_tree(&self.dir, "", &self.written, &mut files)?;
        let bytes = files.values().map(|file| file.bytes).sum();
        let kinds = std::mem::take(&mut self.kinds);
        let named = |(entity, staged): (&Entity, &StagedKind)| {
            let name = entity.name().to_owned();
            ((name.clone(), staged.info.clone()), (name, staged.contents.clone()))
        };
        let (infos, contents) = kinds.iter().map(named).unzip();
        let identities = kinds.iter().map(|(entity, staged)| (entity.name(), staged.identity));
        let build_id = identity::build_id(identities, &sources);
        let dataset = DatasetInfo { build_id, published: None, sources, kinds: infos };
        let manifest = Manifest::new(files, dataset, contents);
        let path = self.dir.join(MANIFEST);
        let text = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| LayoutError::damaged(&path, error.to_string()))?;
        write_synced(&path, &text)?;
        sync_dir(&self.dir)?;

        // What is about to be served is opened as the server will open it.
        let opened = Generation::open_dir(&self.dir, String::new(), manifest.clone())?;
        for (entity, staged) in &kinds {
            staged.sample.check(opened.kind(*entity))?;
        }
        drop((opened, kinds));

        let number = next_generation(&self.data)?;
        let name = generation_name(number);
        let target = self.data.join(&name);
        fs::rename(&self.dir, &target).map_err(LayoutError::io("rename", &self.dir))?;
        sync_dir(&self.data)?;
        let manifest_blake3 = blake3::hash(&text).to_hex().to_string();
        replace_current(&self.data, &Current { generation: name.clone(), manifest_blake3 })?;

        // It is published, whatever becomes of the generations that it makes outdated.
        let removed = remove_outdated(&self.data, number);
        let not_removed = removed.err().map(|error| error.to_string());
        Ok(Published { name, build_id: manifest.dataset.build_id, bytes, not_removed })
    }
}

/// The number after all that are there.
fn next_generation(data: &Path) -> Result<u32, LayoutError> {
    let newest = generation_numbers(data)?.into_iter().max().unwrap_or(0);
    newest.checked_add(1).ok_or_else(|| {
        let reason = "no generation can come after it; remove it if it is not served";
        LayoutError::in_the_way(data.join(generation_name(newest)), reason)
    })
}

/// A file, a link or a pipe is replaced by the next `CURRENT`; a folder cannot be.
fn refuse_folder(path: &Path) -> Result<(), LayoutError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            Err(LayoutError::in_the_way(path, "it is a folder; remove it"))
        }
        _ => Ok(()),
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // After publishing there is nothing left under the name; a failure to remove what an
        // unfinished build wrote is made good by the next one.
        drop(fs::remove_dir_all(&self.dir));
    }
}
