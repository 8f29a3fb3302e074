//! Small sets of official-format files to build from.

use std::fs;
use std::io;
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
        let shape = Shape { has_defects: false, ..Shape::sized(rows, seed) };
        write_corpus(&folder, &shape).map_err(LabError::io("write a corpus"))?;
        Ok(Self { files: [RELEASES, GHGRP].map(|file| folder.join(file)).to_vec() })
    }

    /// An earlier edition of the same data: without the last third of the rows of each file.
    pub(crate) fn earlier(&self, folder: &Path) -> Result<Self, LabError> {
        let shorten = |file: &PathBuf| {
            let rows = fs::read(file)?;
            let rows: Vec<&[u8]> = rows.split_inclusive(|byte| *byte == b'\n').collect();
            let kept = rows[..rows.len() - rows.len() / 3].concat();
            let earlier =
                folder.join(format!("earlier-{}", file.file_name().unwrap_or_default().display()));
            fs::write(&earlier, kept).map(|()| earlier)
        };
        let files: io::Result<_> = self.files.iter().map(shorten).collect();
        Ok(Self { files: files.map_err(LabError::io("write an earlier edition"))? })
    }

    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }
}
