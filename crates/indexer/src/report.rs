//! The report of what a build read, rejected and wrote, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use outfall_records::{KindInfo, SourceInfo};
use serde::Serialize;

use crate::header::Header;
use crate::reject::{Reject, RejectSink, RowFault};
use crate::source::Hashes;
use crate::{Compared, ReadError};

/// How many rejected rows of each reason, and how many repeated rows, a report shows.
const SAMPLES: usize = 3;

/// What became of every row of every file, and the records made of them.
#[derive(Clone, Debug, Default)]
pub struct ReadReport {
    /// The files, in the order given.
    pub files: Vec<FileReport>,
    /// The records, by the name of the kind.
    pub kinds: BTreeMap<String, KindInfo>,
    /// How long each stage took, in seconds.
    pub stages: Vec<(String, f64)>,
}

/// The report of a build: what became of its rows, and what was published.
#[derive(Clone, Debug, Serialize)]
pub struct BuildReport {
    /// The published generation, `gen-000042`.
    pub generation: String,
    /// The identity of its contents.
    pub build_id: String,
    /// The bytes of its files.
    pub index_bytes: u64,
    /// Why an outdated generation is still there; the next build tries to remove it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_removed: Option<String>,
    /// The files, in the order given.
    pub files: Vec<FileReport>,
    /// The records, by the name of the kind.
    pub kinds: BTreeMap<String, KindInfo>,
    /// What changes from the generation that it replaces; `None` if there is none.
    pub changes: Option<Compared>,
    /// How long each stage took, in seconds.
    pub stages: Vec<(String, f64)>,
}

/// What became of the rows of one file.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// Its published description: name, kind, bytes, hashes, rows.
    #[serde(flatten)]
    pub source: SourceInfo,
    /// Rows whose record a later file, or a later row of the same file, replaces.
    pub superseded: u64,
    /// Rows that another row of the file repeats.
    pub repeated: Repeats,
    /// Columns that no known edition of the file has; they are not read.
    pub unknown_columns: Vec<String>,
    /// The first rejected rows of each reason.
    pub rejected_rows: Vec<Reject>,
    /// Rejected rows that `rejects.csv` had no room for.
    pub unlisted_rejects: u64,
}

/// Rows that a later row of the same file repeats. Rows of emissions repeat the facility and year,
/// and only the later row counts; rows of releases repeat every column, and all of them count.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Repeats {
    /// The number of such rows.
    pub rows: u64,
    /// The first of them.
    pub first: Vec<Repeat>,
}

/// A row that a later row of the same file repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Repeat {
    /// The record that both are about.
    pub record_id: String,
    /// The physical line that the row begins at, the header being line 1.
    pub line: u64,
    /// The line that the later row begins at.
    pub again_in_line: u64,
}

/// Counts what becomes of rows, and lists the rejected ones.
pub(crate) struct RejectLog {
    paths: Vec<PathBuf>,
    files: Vec<FileReport>,
    sink: RejectSink,
    sink_path: PathBuf,
    /// The share of a file's rows that may be rejected.
    max_rejects: f64,
}

impl RejectLog {
    pub(crate) fn new(
        paths: Vec<PathBuf>,
        sink: RejectSink,
        sink_path: &Path,
        max_rejects: f64,
    ) -> Self {
        let files = paths.iter().map(|path| FileReport {
            source: SourceInfo {
                name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
                ..SourceInfo::default()
            },
            superseded: 0,
            repeated: Repeats::default(),
            unknown_columns: Vec::new(),
            rejected_rows: Vec::new(),
            unlisted_rejects: 0,
        });
        Self { files: files.collect(), paths, sink, sink_path: sink_path.to_owned(), max_rejects }
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

    /// Notes that a row is repeated by a later one of its file.
    pub(crate) fn repeat(
        &mut self,
        file: usize,
        line: u64,
        again_in_line: u64,
        record_id: impl FnOnce() -> String,
    ) {
        let Repeats { rows, first } = &mut self.files[file].repeated;
        *rows += 1;
        if first.len() < SAMPLES {
            first.push(Repeat { record_id: record_id(), line, again_in_line });
        }
    }

    pub(crate) fn reject(
        &mut self,
        file: usize,
        line: u64,
        fault: RowFault,
    ) -> Result<(), ReadError> {
        let report = &mut self.files[file];
        let reject = fault.at(&report.source.name, line);
        let count = report.source.rejected.entry(reject.reason.code().to_owned()).or_default();
        *count += 1;
        let listed = self.sink.write(&reject);
        let failed = |source| ReadError::WriteRejects { path: self.sink_path.clone(), source };
        report.unlisted_rejects += u64::from(!listed.map_err(failed)?);
        if *count <= SAMPLES as u64 {
            report.rejected_rows.push(reject);
        }
        Ok(())
    }

    /// Refuses a file that already has too many rejected rows, even if every row still to come is
    /// good.
    pub(crate) fn refuse_hopeless(&self, file: usize, rows_left: u64) -> Result<(), ReadError> {
        let report = &self.files[file];
        let rejected: u64 = report.source.rejected.values().sum();
        let rows = report.source.rows;
        if rejected as f64 <= self.max_rejects * rows.saturating_add(rows_left) as f64 {
            return Ok(());
        }
        let mut report = report.clone();
        report.source.accepted = rows - rejected;
        Err(ReadError::TooManyRejects {
            path: self.paths[file].clone(),
            allowed: format!("{} %", self.max_rejects * 100.0),
            stopped_after: (rows_left > 0).then_some(rows),
            report: Box::new(report),
        })
    }

    /// Closes the list of rejected rows, and refuses a file that has too many.
    pub(crate) fn finish(mut self) -> Result<Vec<FileReport>, ReadError> {
        let left_out = self.files.iter().filter(|file| file.unlisted_rejects > 0);
        let left_out = left_out.map(|file| (file.source.name.as_str(), file.unlisted_rejects));
        let finished = self.sink.finish(left_out);
        finished
            .map_err(|source| ReadError::WriteRejects { path: self.sink_path.clone(), source })?;
        for file in 0..self.files.len() {
            self.refuse_hopeless(file, 0)?;
        }
        for file in &mut self.files {
            let rejected: u64 = file.source.rejected.values().sum();
            file.source.accepted = file.source.rows - rejected - file.superseded;
        }
        Ok(self.files)
    }
}

impl ReadReport {
    pub(crate) fn time(&mut self, stage: &str, took: Duration) {
        self.stages.push((stage.to_owned(), (took.as_secs_f64() * 1000.0).round() / 1000.0));
    }

    /// The files as they are published.
    pub(crate) fn sources(&self) -> Vec<SourceInfo> {
        self.files.iter().map(|file| file.source.clone()).collect()
    }
}

/// What was read, for people.
fn write_read(
    formatter: &mut fmt::Formatter<'_>,
    files: &[FileReport],
    kinds: &BTreeMap<String, KindInfo>,
) -> fmt::Result {
    for file in files {
        write!(formatter, "{file}")?;
    }
    for (name, kind) in kinds {
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
    Ok(())
}

/// The report for people.
impl fmt::Display for ReadReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_read(formatter, &self.files, &self.kinds)
    }
}

/// The report for people.
impl fmt::Display for BuildReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_read(formatter, &self.files, &self.kinds)?;
        match &self.changes {
            None => {}
            Some(Compared::With(changes)) => {
                writeln!(formatter, "changes since {}: {}", changes.since, changes.all())?;
            }
            Some(Compared::Not { not_compared }) => {
                writeln!(formatter, "not compared with the served index: {not_compared}")?;
            }
        }
        let stages = self.stages.iter().map(|(stage, seconds)| format!("{stage} {seconds:.1} s"));
        let stages: Vec<String> = stages.collect();
        writeln!(formatter, "time: {}", stages.join(", "))?;
        writeln!(formatter, "index: {} bytes", self.index_bytes)?;
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
                self.rejected_rows.iter().filter(|row| row.reason.code() == reason.as_str());
            for Reject { line, column, value, .. } in samples {
                match column.as_str() {
                    "" => writeln!(formatter, "    line {line}")?,
                    column => writeln!(formatter, "    line {line}, `{column}`: `{value}`")?,
                }
            }
        }
        if self.unlisted_rejects > 0 {
            writeln!(
                formatter,
                "  {} of the rejected rows are not listed in rejects.csv, which has no room for more",
                self.unlisted_rejects
            )?;
        }
        let Repeats { rows, first } = &self.repeated;
        if *rows > 0 {
            let what = match kind.as_str() {
                "npri-releases" => "the same in every column as a later row; each is counted",
                _ => "of the same facility and year as a later row, which is taken instead",
            };
            writeln!(formatter, "  repeated rows, {what}: {rows}")?;
            for Repeat { record_id, line, again_in_line } in first {
                writeln!(formatter, "    line {line}: {record_id}, again in line {again_in_line}")?;
            }
        }
        if !self.unknown_columns.is_empty() {
            let names = self.unknown_columns.join("`, `");
            writeln!(formatter, "  unknown columns, not read: `{names}`")?;
        }
        Ok(())
    }
}
