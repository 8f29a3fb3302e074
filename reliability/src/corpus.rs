//! Small sets of official-format files to build from.

use std::path::{Path, PathBuf};

use outfall_fixtures::{GHGRP, RELEASES, Shape, write_corpus};

use crate::LabError;

/// The files of one edition of the data.
#[derive(Clone, Debug)]
pub(crate) struct Corpus {
    files: Vec<PathBuf>,
}

impl Corpus {
    /// Writes about `rows` rows of releases, and emissions in proportion; editions of different
    /// seeds have different records.
    pub(crate) fn write(folder: &Path, rows: u64, seed: u64) -> Result<Self, LabError> {
        let folder = folder.join(format!("corpus-{rows}-{seed}"));
        let shape = Shape { has_dirt: false, ..Shape::sized(rows, seed) };
        write_corpus(&folder, &shape).map_err(LabError::io("write a corpus"))?;
        Ok(Self { files: [RELEASES, GHGRP].map(|file| folder.join(file)).to_vec() })
    }

    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }
}
