//! Building beside what is served, then switching atomically.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use outfall_records::{Entity, KindInfo, SourceInfo};

use crate::generation::generation_numbers;
use crate::kind::Sample;
use crate::manifest::{
    CURRENT, Current, FileInfo, MANIFEST, Manifest, generation_name, generation_number,
};
use crate::{Contents, EncodedKind, Generation, LayoutError, Tables};

/// Held by a rebuild for as long as it runs.
const LOCK: &str = "LOCK";
/// What the folders of unfinished builds begin with.
const STAGING_PREFIX: &str = ".build-";
/// The served generation and the two before it, to roll back to.
const GENERATIONS_KEPT: u32 = 3;

/// A generation being built; dropped without [`Staging::publish`], it leaves nothing behind.
#[derive(Debug)]
pub struct Staging {
    data: PathBuf,
    dir: PathBuf,
    kinds: BTreeMap<Entity, StagedKind>,
    /// What was written here, so that it need not be read to be hashed.
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
            let left = data.join(name);
            fs::remove_dir_all(&left).map_err(LayoutError::io("remove", &left))?;
        }
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

    /// Writes the index of one kind, that [`crate::encode`] made of its records.
    ///
    /// # Errors
    /// [`LayoutError::Io`].
    pub fn write(&mut self, tables: &Tables, encoded: EncodedKind) -> Result<(), LayoutError> {
        let name = tables.entity().name();
        for (path, bytes) in encoded.files {
            let below = format!("{name}/{path}");
            let path = self.dir.join(&below);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(LayoutError::io("create", parent))?;
            }
            fs::write(&path, &bytes).map_err(LayoutError::io("write", &path))?;
            self.written.insert(below, FileInfo::of(&bytes));
        }
        let staged = StagedKind {
            info: tables.info(),
            contents: Contents::of_tables(tables),
            sample: Sample::of(tables),
        };
        self.kinds.insert(tables.entity(), staged);
        Ok(())
    }

    /// Makes what was written the served generation.
    ///
    /// Every byte is on the disk before `CURRENT` names it, and `CURRENT` is replaced in one step.
    /// `built_at` is RFC 3339 in UTC.
    ///
    /// # Errors
    /// [`LayoutError::Io`]; the generation served before is then still the served one.
    pub fn publish(
        mut self,
        sources: Vec<SourceInfo>,
        built_at: String,
    ) -> Result<Published, LayoutError> {
        let mut files = BTreeMap::new();
        sync_tree(&self.dir, "", &self.written, &mut files)?;
        let bytes = files.values().map(|file| file.bytes).sum();
        let kinds = std::mem::take(&mut self.kinds);
        let named = |(entity, staged): (&Entity, &StagedKind)| {
            let name = entity.name().to_owned();
            ((name.clone(), staged.info.clone()), (name, staged.contents.clone()))
        };
        let (infos, contents) = kinds.iter().map(named).unzip();
        let manifest = Manifest::new(files, infos, contents, sources, built_at);
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

        let number = generation_numbers(&self.data)?.into_iter().max().unwrap_or(0) + 1;
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

impl Drop for Staging {
    fn drop(&mut self) {
        // After publishing there is nothing left under the name; a failure to remove what an
        // unfinished build wrote is made good by the next one.
        drop(fs::remove_dir_all(&self.dir));
    }
}

/// Serves the newest whole generation before the served one again; tells its name.
///
/// # Errors
/// [`LayoutError::NothingToRollBackTo`], [`LayoutError::Locked`], [`LayoutError::Io`], and those of
/// [`Current::read`].
pub fn roll_back(data: &Path) -> Result<String, LayoutError> {
    let _lock = lock(data)?;
    let current = Current::read(data)?;
    let served = generation_number(&current.generation);
    let mut earlier = generation_numbers(data)?;
    earlier.retain(|number| Some(*number) < served);
    earlier.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
    for number in earlier {
        let generation = generation_name(number);
        if Generation::open_number(data, number).is_ok() {
            let (_, manifest_blake3) = Manifest::read(&data.join(&generation))?;
            replace_current(data, &Current { generation: generation.clone(), manifest_blake3 })?;
            return Ok(generation);
        }
    }
    Err(LayoutError::NothingToRollBackTo { path: data.to_owned() })
}

/// Takes the lock of a data directory, creating the directory if need be.
fn lock(data: &Path) -> Result<File, LayoutError> {
    create_synced(data)?;
    let path = data.join(LOCK);
    let mut options = File::options();
    let lock = options.create(true).truncate(false).write(true).open(&path);
    let mut lock = lock.map_err(LayoutError::io("open", &path))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let holder = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
            return Err(LayoutError::Locked { path, holder });
        }
        Err(TryLockError::Error(source)) => {
            return Err(LayoutError::Io { action: "lock", path, source });
        }
    }
    let holder = format!("{}\n", std::process::id());
    let written = lock.set_len(0).and_then(|()| lock.write_all(holder.as_bytes()));
    written.map_err(LayoutError::io("write", &path))?;
    Ok(lock)
}

/// Replaces `CURRENT` in one step that a power cut cannot halve; on failure it is what it was.
fn replace_current(data: &Path, current: &Current) -> Result<(), LayoutError> {
    let before = Current::read(data).ok();
    rename_current(data, current)?;
    let synced = sync_dir(data);
    if let (Err(_), Some(before)) = (&synced, before) {
        // The disk is failing, and the error that it gave first is the one to tell.
        drop(rename_current(data, &before));
    }
    synced
}

fn rename_current(data: &Path, current: &Current) -> Result<(), LayoutError> {
    let new = data.join(format!("{CURRENT}.new"));
    write_synced(&new, current.line().as_bytes())?;
    fs::rename(&new, data.join(CURRENT)).map_err(LayoutError::io("rename", &new))
}

fn remove_outdated(data: &Path, newest: u32) -> Result<(), LayoutError> {
    for old in names_in(data)?.filter(|name| is_outdated(name, newest)) {
        let path = data.join(&old);
        // A generation half removed must not look whole, so its name goes first.
        let doomed = data.join(format!("{STAGING_PREFIX}{old}"));
        fs::rename(&path, &doomed).map_err(LayoutError::io("rename", &path))?;
        fs::remove_dir_all(&doomed).map_err(LayoutError::io("remove", &doomed))?;
    }
    Ok(())
}

fn is_outdated(name: &str, newest: u32) -> bool {
    generation_number(name).is_some_and(|number| number + GENERATIONS_KEPT <= newest)
}

pub(crate) fn names_in(dir: &Path) -> Result<impl Iterator<Item = String>, LayoutError> {
    let entries = fs::read_dir(dir).map_err(LayoutError::io("read", dir))?;
    let names: Result<Vec<_>, _> = entries.map(|entry| entry.map(|it| it.file_name())).collect();
    let names = names.map_err(LayoutError::io("read", dir))?;
    Ok(names.into_iter().filter_map(|name| name.into_string().ok()))
}

/// Syncs every file and folder below `dir`, and notes length and hash of each file, of those
/// `written` as they were meant to be: that they are is seen when all are opened.
fn sync_tree(
    dir: &Path,
    prefix: &str,
    written: &BTreeMap<String, FileInfo>,
    files: &mut BTreeMap<String, FileInfo>,
) -> Result<(), LayoutError> {
    for name in names_in(dir)? {
        let path = dir.join(&name);
        let below = format!("{prefix}{name}");
        if path.is_dir() {
            sync_tree(&path, &format!("{below}/"), written, files)?;
            continue;
        }
        let file = File::open(&path).map_err(LayoutError::io("open", &path))?;
        file.sync_all().map_err(LayoutError::io("sync", &path))?;
        let info = match written.get(&below) {
            Some(info) => info.clone(),
            None => FileInfo::of(&fs::read(&path).map_err(LayoutError::io("read", &path))?),
        };
        files.insert(below, info);
    }
    sync_dir(dir)
}

/// Creates a folder whose name a power cut does not take.
fn create_synced(dir: &Path) -> Result<(), LayoutError> {
    let is_missing = |it: &&Path| !it.as_os_str().is_empty() && !it.exists();
    let missing: Vec<&Path> = dir.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(dir).map_err(LayoutError::io("create", dir))?;
    for parent in missing.into_iter().filter_map(Path::parent) {
        // The parent of `data` is nameless, and is the working directory.
        sync_dir(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })?;
    }
    Ok(())
}

fn sync_dir(dir: &Path) -> Result<(), LayoutError> {
    let synced = File::open(dir).and_then(|dir| dir.sync_all());
    synced.map_err(LayoutError::io("sync", dir))
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), LayoutError> {
    let mut file = File::create(path).map_err(LayoutError::io("create", path))?;
    file.write_all(bytes).map_err(LayoutError::io("write", path))?;
    file.sync_all().map_err(LayoutError::io("sync", path))
}
