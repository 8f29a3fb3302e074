//! The manifest of a generation, which lists its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::plain_file::read_bounded;
use crate::{Current, FileInfo, StoreError};

/// The name of the manifest in a generation.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The maximum size of a manifest, in bytes; that of a thousand sources takes a twentieth.
const MOST_MANIFEST_BYTES: u64 = 16 << 20;

/// The fields that an engine adds to the manifest of a generation.
pub trait Described: Serialize + DeserializeOwned {
    /// The version of the layout, which changes whenever one version cannot read the files of
    /// another.
    const LAYOUT_VERSION: u32;
}

/// The contents of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Manifest<D> {
    /// The version of the layout of files.
    pub layout_version: u32,
    /// The version of Outfall that built it.
    pub builder_version: String,
    /// The fields of the engine.
    #[serde(flatten)]
    pub about: D,
    /// Every other file, by its path below the generation.
    pub files: BTreeMap<String, FileInfo>,
}

/// The fields that the manifests of all engines share.
#[derive(Deserialize)]
struct Common {
    builder_version: String,
    files: BTreeMap<String, FileInfo>,
}

#[derive(Deserialize)]
struct Version {
    layout_version: u32,
}

impl<D: Described> Manifest<D> {
    /// The manifest of `files`. It is the same whenever and wherever the same files are built.
    pub(crate) fn new(files: BTreeMap<String, FileInfo>, about: D) -> Self {
        let builder_version = env!("CARGO_PKG_VERSION").to_owned();
        Self { layout_version: D::LAYOUT_VERSION, builder_version, about, files }
    }

    /// The name and the manifest of the generation that `CURRENT` of a data directory names;
    /// `None` when there is none or it cannot be read.
    #[must_use]
    pub fn served(data: &Path) -> Option<(String, Self)> {
        let current = Current::read(data).ok()?;
        let manifest = Self::of_current(data, &current).ok()?;
        Some((current.generation, manifest))
    }

    /// The manifest of the generation of a data directory that `current` names.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when its hash is not that in `current` or it cannot be parsed,
    /// [`StoreError::Io`].
    pub fn of_current(data: &Path, current: &Current) -> Result<Self, StoreError> {
        let dir = data.join(&current.generation);
        let text = read_text(&dir)?;
        let manifest = Self::parse(&dir, &text)?;
        if hash(&text) != current.manifest_blake3 {
            let reason = "its hash is not the one in `CURRENT`";
            return Err(StoreError::damaged(dir.join(MANIFEST), reason));
        }
        Ok(manifest)
    }

    /// The manifest of a generation, without checking it against `CURRENT`.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when it cannot be parsed, [`StoreError::Io`].
    pub fn of(dir: &Path) -> Result<Self, StoreError> {
        Self::parse(dir, &read_text(dir)?)
    }

    fn parse(dir: &Path, text: &[u8]) -> Result<Self, StoreError> {
        let path = dir.join(MANIFEST);
        let damaged = |error: serde_json::Error| StoreError::damaged(&path, error.to_string());
        let Version { layout_version } = serde_json::from_slice(text).map_err(damaged)?;
        if layout_version != D::LAYOUT_VERSION {
            let known = D::LAYOUT_VERSION;
            let reason =
                format!("layout {layout_version} cannot be read, only {known}; build again");
            return Err(StoreError::damaged(path, reason));
        }
        // Parsed separately, because `flatten` does not support maps with numbers as keys.
        let Common { builder_version, files } = serde_json::from_slice(text).map_err(damaged)?;
        let about = serde_json::from_slice(text).map_err(damaged)?;
        Ok(Self { layout_version, builder_version, about, files })
    }

    /// Refuses a generation that has files which are not in its manifest.
    ///
    /// # Errors
    /// [`StoreError::Damaged`], [`StoreError::Io`].
    pub fn reject_unlisted_files(&self, dir: &Path) -> Result<(), StoreError> {
        self.reject_unlisted_below(dir, "")
    }

    fn reject_unlisted_below(&self, dir: &Path, prefix: &str) -> Result<(), StoreError> {
        for entry in fs::read_dir(dir).map_err(StoreError::io("read", dir))? {
            let entry = entry.map_err(StoreError::io("read", dir))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type().map_err(StoreError::io("read", entry.path()))?;
            if kind.is_dir() {
                self.reject_unlisted_below(&entry.path(), &format!("{name}/"))?;
            } else if name != MANIFEST && !self.files.contains_key(&name) {
                return Err(StoreError::damaged(entry.path(), "the manifest does not name it"));
            }
        }
        Ok(())
    }

    /// When the generation was published: the modification time of its manifest, which is written
    /// last and never changed.
    #[must_use]
    pub fn published(dir: &Path) -> Option<SystemTime> {
        fs::symlink_metadata(dir.join(MANIFEST)).and_then(|metadata| metadata.modified()).ok()
    }
}

/// The hash of a generation's manifest, for `CURRENT`.
pub(crate) fn manifest_hash(dir: &Path) -> Result<String, StoreError> {
    Ok(hash(&read_text(dir)?))
}

fn read_text(dir: &Path) -> Result<Vec<u8>, StoreError> {
    read_bounded(&dir.join(MANIFEST), MOST_MANIFEST_BYTES)
}

pub(crate) fn hash(text: &[u8]) -> String {
    blake3::hash(text).to_hex().to_string()
}
