//! What a build read, rejected and wrote, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outfall_records::{KindInfo, SourceInfo};
use serde::Serialize;

use crate::BuildError;
use crate::header::Header;
use crate::reject::{Fault, Reject, RejectSink};
use crate::source::Hashes;

/// The first rejected rows of a reason that a report shows.
const SAMPLES: usize = 3;

/// What became of every row of every file, and what was built of them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BuildReport {
    /// The published generation, `gen-000042`; `None` when nothing was to be published.
    pub generation: Option<String>,
    /// The identity of its contents.
    pub build_id: Option<String>,
    /// The bytes of its files.
    pub index_bytes: Option<u64>,
    /// Why an outdated generation is still there; the next build tries to remove it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_removed: Option<String>,
    /// The files, in the order given.
    pub files: Vec<FileReport>,
    /// The records, by the name of the kind.
    pub kinds: BTreeMap<String, KindInfo>,
    /// How long each stage took, in seconds.
    pub stages: Vec<(String, f64)>,
}

/// What became of the rows of one file.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// What is published of it: name, kind, bytes, hash, rows.
    #[serde(flatten)]
    pub source: SourceInfo,
    /// Rows whose record a later file, or a later row of the same file, gives anew.
    pub superseded: u64,
    /// Columns that no known edition of the file has; they are not read.
    pub unknown_columns: Vec<String>,
    /// The first rejected rows of each reason.
    pub rejected_rows: Vec<Reject>,
}

/// Counts what becomes of rows, and writes down those that are rejected.
pub(crate) struct RejectLog {
    paths: Vec<PathBuf>,
    files: Vec<FileReport>,
    sink: RejectSink,
    sink_path: PathBuf,
}

impl RejectLog {
    pub(crate) fn new(paths: Vec<PathBuf>, sink: RejectSink, sink_path: &Path) -> Self {
        let files = paths.iter().map(|path| FileReport {
            source: SourceInfo {
                name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
                ..SourceInfo::default()
            },
            superseded: 0,
            unknown_columns: Vec::new(),
            rejected_rows: Vec::new(),
        });
        Self { files: files.collect(), paths, sink, sink_path: sink_path.to_owned() }
    }

    pub(crate) fn name(&self, file: usize) -> &str {
        &self.files[file].source.name
    }

    pub(crate) fn begin_file(&mut self, file: usize, header: &Header, bytes: u64) {
        let report = &mut self.files[file];
        report.source.kind = header.kind.name().to_owned();
        report.source.vintage = header.vintage();
        report.source.bytes = bytes;
        report.unknown_columns.clone_from(&header.unknown);
    }

    pub(crate) fn hashed(&mut self, file: usize, hashes: Hashes) {
        let source = &mut self.files[file].source;
        source.sha256 = hashes.on_disk;
        source.unpacked_sha256 = hashes.unpacked;
    }

    pub(crate) fn read(&mut self, file: usize, rows: u64) {
        self.files[file].source.rows += rows;
    }

    pub(crate) fn supersede(&mut self, file: usize) {
        self.files[file].superseded += 1;
    }

    pub(crate) fn reject(
        &mut self,
        file: usize,
        line: u64,
        fault: Fault,
    ) -> Result<(), BuildError> {
        let report = &mut self.files[file];
        let reject = fault.at(&report.source.name, line);
        let count = report.source.rejected.entry(reject.reason.code().to_owned()).or_default();
        *count += 1;
        self.sink
            .write(&reject)
            .map_err(|source| BuildError::WriteRejects { path: self.sink_path.clone(), source })?;
        if *count <= SAMPLES as u64 {
            report.rejected_rows.push(reject);
        }
        Ok(())
    }

    /// Closes the list of rejected rows, and refuses a file that has too many.
    pub(crate) fn finish(mut self, max_rejects: f64) -> Result<Vec<FileReport>, BuildError> {
        let path = &self.sink_path;
        self.sink
            .finish()
            .map_err(|source| BuildError::WriteRejects { path: path.clone(), source })?;
        for (file, path) in self.files.iter_mut().zip(&self.paths) {
            let rejected: u64 = file.source.rejected.values().sum();
            file.source.accepted = file.source.rows - rejected - file.superseded;
            if rejected as f64 > max_rejects * file.source.rows as f64 {
                return Err(BuildError::TooManyRejects {
                    path: path.clone(),
                    allowed: format!("{} %", max_rejects * 100.0),
                    report: Box::new(file.clone()),
                });
            }
        }
        Ok(self.files)
    }
}

impl BuildReport {
    pub(crate) fn time(&mut self, stage: &str, took: Duration) {
        self.stages.push((stage.to_owned(), (took.as_secs_f64() * 1000.0).round() / 1000.0));
    }

    /// The files as they are published.
    #[must_use]
    pub fn sources(&self) -> Vec<SourceInfo> {
        self.files.iter().map(|file| file.source.clone()).collect()
    }
}

/// The report for people.
impl fmt::Display for BuildReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            write!(formatter, "{file}")?;
        }
        for (name, kind) in &self.kinds {
            let years = kind.years.keys();
            let span = match (years.clone().min(), years.max()) {
                (Some(first), Some(last)) => format!(", {first} to {last}"),
                _ => String::new(),
            };
            writeln!(formatter, "{name}: {} records{span}", kind.records)?;
            let provinces = kind.provinces.iter().map(|(code, count)| match code.as_str() {
                "" => format!("none {count}"),
                code => format!("{code} {count}"),
            });
            let provinces: Vec<String> = provinces.collect();
            if !provinces.is_empty() {
                writeln!(formatter, "  by province: {}", provinces.join(", "))?;
            }
            let years = kind.years.iter().map(|(year, count)| format!("{year} {count}"));
            let years: Vec<String> = years.collect();
            if !years.is_empty() {
                writeln!(formatter, "  by year: {}", years.join(", "))?;
            }
        }
        let stages = self.stages.iter().map(|(stage, seconds)| format!("{stage} {seconds:.1} s"));
        let stages: Vec<String> = stages.collect();
        writeln!(formatter, "time: {}", stages.join(", "))?;
        if let Some(bytes) = self.index_bytes {
            writeln!(formatter, "index: {bytes} bytes")?;
        }
        if let Some(reason) = &self.not_removed {
            writeln!(formatter, "an outdated index is still there: {reason}")?;
        }
        Ok(())
    }
}

impl fmt::Display for FileReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourceInfo { name, kind, vintage, bytes, rows, accepted, rejected, .. } = &self.source;
        writeln!(formatter, "{name}: {kind}, {vintage}, {bytes} bytes")?;
        let total: u64 = rejected.values().sum();
        write!(formatter, "  {rows} rows read, {accepted} accepted, {total} rejected")?;
        if self.superseded > 0 {
            write!(formatter, ", {} superseded by a later row", self.superseded)?;
        }
        writeln!(formatter)?;
        let mut most_first: Vec<_> = rejected.iter().collect();
        most_first.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in most_first {
            writeln!(formatter, "  rejected for {reason}: {count}")?;
            let samples =
                self.rejected_rows.iter().filter(|it| it.reason.code() == reason.as_str());
            for Reject { line, column, value, .. } in samples {
                match column.as_str() {
                    "" => writeln!(formatter, "    line {line}")?,
                    column => writeln!(formatter, "    line {line}, `{column}`: `{value}`")?,
                }
            }
        }
        if !self.unknown_columns.is_empty() {
            let names = self.unknown_columns.join("`, `");
            writeln!(formatter, "  unknown columns, not read: `{names}`")?;
        }
        Ok(())
    }
}
