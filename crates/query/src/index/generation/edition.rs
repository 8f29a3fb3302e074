//! The records of a generation on the disk, to be compared with those of another.

use std::fs::File;
use std::path::Path;

use outfall_records::{PerKind, RecordKind};
use outfall_request::{Edition, EditionRecords};
use outfall_store::{Current, StoreError, generation_names};

use super::Manifest;
use super::staging::CHANGES;
use crate::index::IndexError;
use crate::index::kind::{StreamedKind, TABLES};

/// The records of the generation that `CURRENT` of a data directory names. Every file that is read
/// is first compared with the manifest; then its records are read as they are asked for.
///
/// # Errors
/// [`StoreError::NoIndex`] when there is none; [`StoreError::Damaged`], [`StoreError::Io`].
pub fn served_edition(data: &Path) -> Result<Edition<'static, IndexError>, IndexError> {
    let current = Current::read(data)?;
    let manifest = Manifest::of_current(data, &current)?;
    edition(data, current.generation, &manifest)
}

/// The records of a generation that is kept, whether or not it is the served one.
///
/// # Errors
/// As for [`served_edition`], and [`StoreError::NotKept`].
pub fn kept_edition(data: &Path, name: &str) -> Result<Edition<'static, IndexError>, IndexError> {
    let dir = data.join(name);
    if !dir.is_dir() {
        // Without an index, there are no other generations for the error to name.
        Current::read(data)?;
        let (path, name, kept) = (data.to_owned(), name.to_owned(), generation_names(data)?);
        return Err(StoreError::NotKept { path, name, kept }.into());
    }
    edition(data, name.to_owned(), &Manifest::of(&dir)?)
}

fn edition(
    data: &Path,
    name: String,
    manifest: &Manifest,
) -> Result<Edition<'static, IndexError>, IndexError> {
    let records =
        |record_kind: RecordKind| -> Result<EditionRecords<'static, IndexError>, IndexError> {
            let file = format!("{record_kind}/{TABLES}");
            let path = data.join(&name).join(&file);
            let missing = || IndexError::damaged(&path, "the manifest does not name it");
            let expected = manifest.files.get(&file).ok_or_else(missing)?;
            let streamed =
                StreamedKind::open(record_kind, &path, expected.verified(&path)?, expected.bytes)?;
            let info = manifest.about.dataset.kinds.get(record_kind.name());
            if info.map(|info| info.records) != Some(streamed.len().into()) {
                return Err(IndexError::damaged(
                    &path,
                    "the manifest has another number of records",
                ));
            }
            Ok(Box::new(streamed))
        };
    let releases = records(RecordKind::Release)?;
    let emissions = records(RecordKind::Emission)?;
    Ok(Edition { name, records: PerKind { releases, emissions } })
}

/// The changes in the served generation, according to its list.
#[derive(Debug)]
pub struct ServedChanges {
    /// The served generation.
    pub generation: String,
    /// The generation that it was compared with when it was built, and the list, open at its
    /// beginning and compared with the manifest; `None` if it was not compared with any.
    pub list: Option<(String, File)>,
}

/// Opens the list of changes of the generation that `CURRENT` of a data directory names.
///
/// # Errors
/// As for [`served_edition`].
pub fn served_changes(data: &Path) -> Result<ServedChanges, IndexError> {
    let current = Current::read(data)?;
    let manifest = Manifest::of_current(data, &current)?;
    let generation = current.generation;
    let path = data.join(&generation).join(CHANGES);
    let listed = manifest.about.changes_since.zip(manifest.files.get(CHANGES));
    let list =
        listed.map(|(since, expected)| Ok::<_, StoreError>((since, expected.verified(&path)?)));
    Ok(ServedChanges { generation, list: list.transpose()? })
}
