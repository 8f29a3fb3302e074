//! Opening the served generation: every file is read once and compared with the manifest.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use outfall_records::{DatasetInfo, Entity};

use crate::manifest::{Current, FileInfo, LAYOUT_VERSION, MANIFEST, Manifest};
use crate::{Kind, LayoutError};

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
    /// says, or a manifest that is not what `CURRENT` says.
    pub fn open(data: &Path) -> Result<Self, LayoutError> {
        let current = Current::read(data)?;
        let dir = data.join(&current.generation);
        let path = dir.join(MANIFEST);
        let text = fs::read(&path).map_err(LayoutError::io("read", &path))?;
        if blake3::hash(&text).to_hex().as_str() != current.manifest_blake3 {
            return Err(LayoutError::damaged(path, "its hash is not the one in `CURRENT`"));
        }
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|error| LayoutError::damaged(&path, error.to_string()))?;
        if manifest.layout_version != LAYOUT_VERSION {
            let version = manifest.layout_version;
            let reason =
                format!("layout {version} cannot be read, only {LAYOUT_VERSION}; build again");
            return Err(LayoutError::damaged(path, reason));
        }
        let kind = |entity| Self::open_kind(&dir, entity, &manifest);
        let (releases, emissions) =
            rayon::join(|| kind(Entity::Release), || kind(Entity::Emission));
        Ok(Self {
            name: current.generation,
            releases: releases?,
            emissions: emissions?,
            dataset: manifest.dataset,
        })
    }

    fn open_kind(dir: &Path, entity: Entity, manifest: &Manifest) -> Result<Kind, LayoutError> {
        let mut files = BTreeMap::new();
        for (name, expected) in &manifest.files {
            let below = name.strip_prefix(entity.name()).and_then(|rest| rest.strip_prefix('/'));
            let Some(below) = below else { continue };
            let path = dir.join(name);
            let bytes = fs::read(&path).map_err(LayoutError::io("read", &path))?;
            if FileInfo::of(&bytes) != *expected {
                return Err(LayoutError::damaged(path, "its length or hash is not the manifest's"));
            }
            files.insert(below.to_owned(), bytes);
        }
        let kind = Kind::open(entity, files)?;
        let records = manifest.dataset.kinds.get(entity.name()).map_or(0, |kind| kind.records);
        if kind.len() as u64 != records {
            let reason = format!("it holds {} records, not the manifest's {records}", kind.len());
            return Err(LayoutError::damaged(dir.join(entity.name()), reason));
        }
        Ok(kind)
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
