//! Writes the index of each kind into a generation, and publishes it once it finds its records.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use blake3::Hash;
use outfall_records::{DatasetInfo, KindInfo, PerKind, RecordKind, SourceInfo, Tables};
use outfall_request::{Edition, Published, RecordSink, ServedRecords, build_id, records_hash};
use outfall_store::{Current, StoreError};

use super::{Contents, Generation, IndexSummary, Manifest, served_edition};
use crate::index::kind::{Sample, encode};
use crate::index::{EncodedKind, IndexError};

/// The name of the list of rejected rows in a generation.
const REJECTS: &str = "rejects.csv";
/// The name of the list of what changed since the generation before.
pub(super) const CHANGES: &str = "changes.csv";

/// An index being built; dropped before it is published, it leaves nothing behind.
#[derive(Debug)]
pub struct Staging {
    data: PathBuf,
    store: outfall_store::Staging,
    kinds: BTreeMap<RecordKind, StagedKind>,
}

/// The facts about a kind that are needed after its records are gone.
#[derive(Debug)]
struct StagedKind {
    info: KindInfo,
    contents: Contents,
    sample: Sample,
    identity: Hash,
}

impl StagedKind {
    fn of(tables: &Tables) -> Result<Self, IndexError> {
        let (sample, (contents, identity)) = rayon::join(
            || Sample::of(tables),
            || rayon::join(|| Contents::of_tables(tables), || records_hash(tables)),
        );
        Ok(Self { info: tables.info(), contents: contents?, sample, identity })
    }
}

impl Staging {
    /// Locks the data directory, creating it if need be, and makes an empty folder in it.
    ///
    /// # Errors
    /// As for [`outfall_store::Staging::begin`].
    pub fn begin(data: &Path) -> Result<Self, IndexError> {
        let store = outfall_store::Staging::begin(data)?;
        Ok(Self { data: data.to_owned(), store, kinds: BTreeMap::new() })
    }

    /// The folder to write into; other files written there are published with the index.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.store.dir()
    }

    /// Writes the index that [`encode`] made of the records of one kind.
    ///
    /// # Errors
    /// [`outfall_store::StoreError::Io`], [`IndexError::TooLarge`].
    pub fn write_kind(&mut self, tables: &Tables, encoded: EncodedKind) -> Result<(), IndexError> {
        let kind = tables.record_kind().name();
        let files = encoded.files.into_iter();
        let files: Vec<_> =
            files.map(|(name, pieces)| (format!("{kind}/{name}"), pieces)).collect();
        let (written, staged) = rayon::join(|| self.store.write(files), || StagedKind::of(tables));
        written?;
        self.kinds.insert(tables.record_kind(), staged?);
        Ok(())
    }
}

impl RecordSink for Staging {
    type Error = IndexError;

    fn require_space(&self, bytes: u64) -> Result<(), IndexError> {
        Ok(self.store.require_space(bytes)?)
    }

    fn rejects(&self) -> PathBuf {
        self.dir().join(REJECTS)
    }

    /// A damaged manifest counts as none: a rebuild is what mends it.
    fn served(&self) -> Result<Option<ServedRecords>, IndexError> {
        let served = Manifest::served(&self.data);
        Ok(served.map(|(name, manifest)| {
            let DatasetInfo { kinds, sources, .. } = manifest.about.dataset;
            ServedRecords { name, kinds, sources }
        }))
    }

    fn changes(&self) -> PathBuf {
        self.dir().join(CHANGES)
    }

    fn served_edition(&self) -> Result<Option<Edition<'static, IndexError>>, IndexError> {
        match served_edition(&self.data) {
            Err(IndexError::Store(StoreError::NoIndex { .. })) => Ok(None),
            edition => edition.map(Some),
        }
    }

    fn write(&mut self, tables: PerKind<Tables>) -> Result<(), IndexError> {
        let (releases, emissions) =
            rayon::join(|| encode(&tables.releases), || encode(&tables.emissions));
        self.write_kind(&tables.releases, releases?)?;
        self.write_kind(&tables.emissions, emissions?)
    }

    /// Opens what was written as the server will open it, and looks records up in it.
    ///
    /// # Errors
    /// As for [`outfall_store::Staging::publish`], and [`IndexError::Disagrees`].
    fn publish(self, sources: Vec<SourceInfo>) -> Result<Published, IndexError> {
        // The lock of the build keeps `CURRENT` as it was when the records were compared.
        let changes_since = match self.changes().is_file() {
            true => Some(Current::read(&self.data)?.generation),
            false => None,
        };
        let Self { store, kinds, .. } = self;
        let named = |(record_kind, staged): (&RecordKind, &StagedKind)| {
            let name = record_kind.name().to_owned();
            ((name.clone(), staged.info.clone()), (name, staged.contents.clone()))
        };
        let (infos, contents) = kinds.iter().map(named).unzip();
        let identities =
            kinds.iter().map(|(record_kind, staged)| (record_kind.name(), staged.identity));
        let build_id = build_id(identities, &sources);
        let dataset =
            DatasetInfo { build_id: build_id.clone(), published: None, sources, kinds: infos };
        let outfall_store::Published { name, bytes, not_removed } =
            store.publish(IndexSummary { dataset, contents, changes_since }, |dir, manifest| {
                // The index is opened as the server will open it.
                let opened = Generation::open_dir(dir, String::new(), manifest.clone())?;
                kinds
                    .iter()
                    .try_for_each(|(kind, staged)| staged.sample.check(opened.kinds.of(*kind)))
            })?;
        Ok(Published { name, build_id, bytes, not_removed })
    }
}

/// Serves the newest intact index before the served one again; returns the name of its generation.
///
/// # Errors
/// As for [`outfall_store::roll_back`].
pub fn roll_back(data: &Path) -> Result<String, IndexError> {
    let is_whole = |name: &str| Generation::open_unpublished(data, name).is_ok();
    Ok(outfall_store::roll_back(data, is_whole)?)
}
