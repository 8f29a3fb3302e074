//! Where a build hands its records: the other side of every engine.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use outfall_records::{KindInfo, PerKind, SourceInfo, Tables};

use crate::Edition;

/// Takes the records of a build, and serves them once all of them are there. Dropped before
/// [`RecordSink::publish`], it leaves nothing behind, and what was served stays served.
pub trait RecordSink {
    /// Why records are not taken or not published.
    type Error: fmt::Display + 'static;

    /// Makes sure that there is room for an index made of `bytes` bytes of records.
    ///
    /// # Errors
    /// When there is not.
    fn require_space(&self, bytes: u64) -> Result<(), Self::Error>;

    /// The file that lists the rejected rows.
    fn rejects(&self) -> PathBuf;

    /// The records that these would replace; `None` if none are served.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn served(&self) -> Result<Option<ServedRecords>, Self::Error>;

    /// The file that lists what changes from the served edition.
    fn changes(&self) -> PathBuf;

    /// The served edition, to compare the new one with; `None` if nothing is served, or if this
    /// engine does not compare editions.
    ///
    /// # Errors
    /// When what is served cannot be read.
    fn served_edition(&self) -> Result<Option<Edition<'static, Self::Error>>, Self::Error>;

    /// Takes the records of both kinds, each in canonical order.
    ///
    /// # Errors
    /// When they cannot be written.
    fn write(&mut self, tables: PerKind<Tables>) -> Result<(), Self::Error>;

    /// Serves what was written.
    ///
    /// # Errors
    /// When it is not whole, or cannot be served; what was served before then stays served.
    fn publish(self, sources: Vec<SourceInfo>) -> Result<Published, Self::Error>;
}

/// The records that are served, by number, and where they came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedRecords {
    /// The name of the edition that holds them, such as `gen-000042`.
    pub name: String,
    /// The records, by the name of the kind.
    pub kinds: BTreeMap<String, KindInfo>,
    /// The files that they were made from.
    pub sources: Vec<SourceInfo>,
}

/// An edition that is now the served one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// Its name, such as `gen-000042`.
    pub name: String,
    /// The identity of its records and sources.
    pub build_id: String,
    /// Its bytes on disk.
    pub bytes: u64,
    /// Why an outdated edition is still there; the next build tries to remove it again.
    pub not_removed: Option<String>,
}
