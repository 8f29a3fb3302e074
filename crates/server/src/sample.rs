//! The first start: an index of the sample data, and a key to try it with.

use std::fs;
use std::io::{self, Write, stderr};
use std::path::{Path, PathBuf};

use outfall_indexer::{BuildError, BuildOptions, TerminalProgress};
use outfall_portal::DOWNLOADS;
use outfall_store::{Current, StoreError};

use crate::cli::KEY_FILE;
use crate::engines::{self, IndexError};
use crate::keys::{ClientName, KeyCheck, KeyFile, KeyFileError, KeyStore};

/// The sample data of the source tree that this binary was built from.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
/// Its folders with files in the official formats.
const FOLDERS: [&str; 3] = ["npri", "ghgrp", "cesi"];
/// The file with the key of the first start; the key file only has its hash.
pub(crate) const DEMO_KEY: &str = "demo-key.txt";
/// The file that names the build of the sample, because an operator may publish another one later.
const MARK: &str = "sample-build";

/// The key of the first start, as its client holds it.
#[derive(Clone)]
pub struct DemoKey(String);

impl DemoKey {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why there is no sample index, or no key.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The sample data is not in the source tree that this binary was built from.
    #[error(
        "there is no index in `{}` and no sample data in `{FIXTURES}`; \
         build an index with `index-build` and name it with --data",
        data.display()
    )]
    NoFixtures {
        /// The data directory.
        data: PathBuf,
    },
    /// The data directory holds somebody else's files.
    #[error(
        "`{}` holds no index, but `{found}`, so the sample is not put there; name the directory of \
         an index with --data, or start where there is no `{}`",
        data.display(),
        data.display()
    )]
    Occupied {
        /// The data directory.
        data: PathBuf,
        /// A file in it.
        found: String,
    },
    /// The data directory cannot be read.
    #[error("cannot read `{}`: {source}", data.display())]
    Unreadable {
        /// The data directory.
        data: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The sample data cannot be indexed.
    #[error(transparent)]
    Build(#[from] BuildError<IndexError>),
    /// The key cannot be made.
    #[error(transparent)]
    Keys(#[from] KeyFileError),
    /// The key or the mark cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// Builds an index of the sample data, unless the data directory already holds an index.
///
/// # Errors
/// See [`SampleError`].
pub fn ensure_index(data: &Path) -> Result<(), SampleError> {
    // A damaged index is reported when it is served, and never built over.
    if !matches!(Current::read(data), Err(StoreError::NoIndex { .. })) || has_generations(data)? {
        return Ok(());
    }
    let files = sample_files();
    if files.is_empty() {
        return Err(SampleError::NoFixtures { data: data.to_owned() });
    }
    let sink = engines::begin(data).map_err(BuildError::Sink)?;
    let options = BuildOptions::of_files(files);
    let report = outfall_indexer::build(&options, sink, &TerminalProgress::default())?;
    write(data, MARK, &report.build_id)?;
    // The service can start even if the terminal is gone.
    let _ = writeln!(stderr(), "{report}");
    Ok(())
}

/// Whether a data directory without `CURRENT` holds generations all the same. Refuses a directory
/// with any files that are not Outfall's.
fn has_generations(data: &Path) -> Result<bool, SampleError> {
    let failed = |source| SampleError::Unreadable { data: data.to_owned(), source };
    let entries = match fs::read_dir(data) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        entries => entries.map_err(failed)?,
    };
    let mut has_generations = false;
    for entry in entries {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        // Files that begin with a dot were left by a build or a command that was killed.
        let is_ours = name.starts_with('.')
            || ["CURRENT.new", "LOCK", DOWNLOADS, KEY_FILE, DEMO_KEY, MARK]
                .contains(&name.as_str());
        if name.starts_with("gen-") {
            has_generations = true;
        } else if !is_ours {
            return Err(SampleError::Occupied { data: data.to_owned(), found: name });
        }
    }
    Ok(has_generations)
}

/// Whether a build in a data directory is the sample that a first start made there.
#[must_use]
pub fn is_sample(data: &Path, build_id: &str) -> bool {
    fs::read_to_string(data.join(MARK)).is_ok_and(|marked| marked.trim() == build_id)
}

fn sample_files() -> Vec<PathBuf> {
    let in_folder = |folder: &&str| fs::read_dir(Path::new(FIXTURES).join(folder)).ok();
    let entries = FOLDERS.iter().filter_map(in_folder).flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "csv"));
    files.sort();
    files
}

/// The key of an earlier start, or a new one. It is kept in plain text beside the index, because it
/// opens nothing but the sample on this machine.
///
/// # Errors
/// See [`SampleError`].
pub fn ensure_key(data: &Path, key_file: &Path) -> Result<DemoKey, SampleError> {
    let known = KeyStore::reading(key_file);
    if let Some(key) = known.ok().and_then(|known| kept_key(data, &known)) {
        return Ok(key);
    }
    let key = KeyFile::add(key_file, &ClientName::demo(), None)?;
    write(data, DEMO_KEY, key.as_str())?;
    Ok(DemoKey(key.as_str().to_owned()))
}

/// The key of an earlier start, if it is still valid.
#[must_use]
pub fn kept_key(data: &Path, known: &KeyStore) -> Option<DemoKey> {
    let key = fs::read_to_string(data.join(DEMO_KEY)).ok()?.trim().to_owned();
    matches!(known.check(key.as_bytes()), KeyCheck::Active(_)).then_some(DemoKey(key))
}

/// Writes a line to a file in the data directory that only its owner may read.
fn write(data: &Path, name: &str, line: &str) -> Result<(), SampleError> {
    let path = data.join(name);
    let failed = |source| SampleError::Write { path: path.clone(), source };
    let mut kept = tempfile::NamedTempFile::new_in(data).map_err(failed)?;
    writeln!(kept, "{line}").map_err(failed)?;
    kept.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}
