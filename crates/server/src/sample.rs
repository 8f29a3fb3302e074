//! The first start: an index of the sample data, a key to try it with, and what to type.

use std::fs;
use std::io::{self, Write, stderr, stdout};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use outfall_indexer::{BuildError, BuildOptions, TerminalProgress};
use outfall_layout::{Current, LayoutError};

use crate::HostName;
use crate::keys::{ClientName, KeyFile, KeyFileError};

/// The sample data of the source tree that this binary was built from.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
/// The folders of it that hold official-format files.
const FOLDERS: [&str; 3] = ["npri", "ghgrp", "cesi"];
/// Where the key of the first start is kept; only hashes are in the key file.
const DEMO_KEY: &str = "demo-key.txt";

/// The key of the first start, as its client holds it.
#[derive(Clone)]
pub struct DemoKey(String);

/// Why there is no index of the sample data, or no key.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The sample data is not where this binary was built.
    #[error(
        "there is no index in `{}` and no sample data in `{FIXTURES}`; \
         build an index with `index-build` and name it with --data",
        data.display()
    )]
    NoFixtures {
        /// The data directory.
        data: PathBuf,
    },
    /// What is published cannot be told.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The sample data cannot be indexed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The key cannot be made.
    #[error(transparent)]
    Keys(#[from] KeyFileError),
    /// The key cannot be kept.
    #[error("cannot keep the demo key in `{}`: {source}", path.display())]
    DemoKey {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// Builds an index of the sample data if the data directory has none.
///
/// # Errors
/// See [`SampleError`].
pub fn ensure_index(data: &Path) -> Result<(), SampleError> {
    match Current::read(data) {
        Ok(_) => return Ok(()),
        Err(LayoutError::NoIndex { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let files = sample_files();
    if files.is_empty() {
        return Err(SampleError::NoFixtures { data: data.to_owned() });
    }
    let report =
        outfall_indexer::build(&BuildOptions::of_files(files), data, &TerminalProgress::default())?;
    // A terminal that is gone is no reason not to serve.
    let _ = writeln!(stderr(), "{report}");
    Ok(())
}

fn sample_files() -> Vec<PathBuf> {
    let in_folder = |folder: &&str| fs::read_dir(Path::new(FIXTURES).join(folder)).ok();
    let entries = FOLDERS.iter().filter_map(in_folder).flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "csv"));
    files.sort();
    files
}

/// The key of an earlier start, or a new one. It is kept readable beside the index, for it opens
/// nothing but the sample on this machine.
///
/// # Errors
/// See [`SampleError`].
pub fn ensure_key(data: &Path, key_file: &Path) -> Result<DemoKey, SampleError> {
    let path = data.join(DEMO_KEY);
    let is_known = KeyFile::read(key_file).is_ok();
    if let (true, Ok(key)) = (is_known, fs::read_to_string(&path)) {
        return Ok(DemoKey(key.trim().to_owned()));
    }
    let key = KeyFile::add(key_file, &ClientName::demo(), None)?;
    let failed = |source| SampleError::DemoKey { path: path.clone(), source };
    let mut kept = tempfile::NamedTempFile::new_in(data).map_err(failed)?;
    writeln!(kept, "{}", key.as_str()).map_err(failed)?;
    kept.persist(&path).map_err(|error| failed(error.error))?;
    Ok(DemoKey(key.as_str().to_owned()))
}

/// Prints what to type, when there is a key to type it with.
///
/// # Errors
/// Those of standard output.
pub fn welcome(
    address: SocketAddr,
    host: Option<&HostName>,
    key: Option<&DemoKey>,
) -> io::Result<()> {
    let mut out = stdout().lock();
    let (Some(host), Some(DemoKey(key))) = (host, key) else {
        writeln!(out, "Outfall listens on http://{address}")?;
        return out.flush();
    };
    let curl = |target: &str| {
        format!(
            "curl -s -H 'x-gateway-host: {host}' -H 'x-gateway-key: {key}' 'http://{address}{target}'"
        )
    };
    writeln!(out, "\nOutfall serves the sample data on http://{address}. Paste one of these:\n")?;
    writeln!(out, "{}\n", curl("/release?q=mercury+OR+lead&sort_by=value&value_unit=kg&limit=3"))?;
    writeln!(out, "{}\n", curl("/emission?province=Alberta&sort_by=value&limit=3"))?;
    writeln!(
        out,
        "Next: `province=QC`, `q=\"sulphur dioxide\"`, `naics_code=2111`, `issued_after=2015`;"
    )?;
    writeln!(
        out,
        "docs/api.md has every parameter, and README.md tells how to serve the official files."
    )?;
    writeln!(out, "The key is kept in `{DEMO_KEY}` of the data directory. Stop with Ctrl-C.\n")?;
    out.flush()
}
