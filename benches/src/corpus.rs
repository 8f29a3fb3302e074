//! The corpora that benches run on.

use std::path::{Path, PathBuf};

use anyhow::Context;
use outfall_fixtures::{GHGRP, LOCATIONS, RELEASES, Shape, write_corpus};
use outfall_indexer::{BuildOptions, BuildReport, Dataset, Silent};
use outfall_query::Staging;
use outfall_records::DatasetInfo;
use outfall_request::ReferenceBackend;

/// Files in the official formats, and a data directory beside them.
#[derive(Clone, Debug)]
pub struct Corpus {
    dir: PathBuf,
}

impl Corpus {
    /// Writes a corpus of about `rows` rows of releases into `dir`.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn generate(dir: &Path, rows: u64) -> anyhow::Result<Self> {
        write_corpus(dir, &Shape::sized(rows, 1)).context("the corpus could not be written")?;
        Ok(Self::open(dir))
    }

    /// Opens a corpus that was written earlier.
    #[must_use]
    pub fn open(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// The paths of the files.
    #[must_use]
    pub fn files(&self) -> [PathBuf; 3] {
        [RELEASES, LOCATIONS, GHGRP].map(|path| self.dir.join(path))
    }

    /// The options of a build from these files.
    #[must_use]
    pub fn options(&self) -> BuildOptions {
        BuildOptions::of_files(self.files())
    }

    /// The total size of the files, in bytes.
    ///
    /// # Errors
    /// When the file system fails.
    pub fn bytes(&self) -> anyhow::Result<u64> {
        let sizes = self.files().map(|path| path.metadata().map(|metadata| metadata.len()));
        Ok(sizes.into_iter().sum::<Result<u64, _>>()?)
    }

    /// The data directory.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    /// The folder of the corpus.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Reads the records from the files.
    ///
    /// # Errors
    /// When the indexer fails.
    pub fn read(&self) -> anyhow::Result<Dataset> {
        Ok(outfall_indexer::read(&self.options(), &Silent)?)
    }

    /// Publishes the records in the data directory.
    ///
    /// # Errors
    /// When the indexer fails.
    pub fn build(&self) -> anyhow::Result<BuildReport> {
        Ok(outfall_indexer::build(&self.options(), Staging::begin(&self.data())?, &Silent)?)
    }
}

/// The reference backend over all records.
#[must_use]
pub fn reference(dataset: &Dataset) -> ReferenceBackend {
    let records = dataset.tables.releases.records().chain(dataset.tables.emissions.records());
    ReferenceBackend::new(records, DatasetInfo::default())
}
