//! Turns files into records, and hands them to a sink that publishes them.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use outfall_records::{PerKind, Tables};
use outfall_request::{Published, RecordSink};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::changes::list_changes;
use crate::fold::{fold_emissions, fold_releases};
use crate::header::FileKind;
use crate::progress::Progress;
use crate::read::{Inputs, read_file};
use crate::reject::RejectSink;
use crate::report::{BuildReport, ReadReport, RejectLog};
use crate::shrink::refuse_shrinking;
use crate::{BuildError, ReadError, disk_estimate};

/// The files to build from, and the settings.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The files; later ones supersede earlier ones.
    pub files: Vec<InputFile>,
    /// The share of a file's rows that may be rejected, 0 to 1.
    pub max_rejects: f64,
    /// Whether the build may hold much less than the served generation.
    pub allow_shrink: bool,
    /// The number of threads that parse; `None` means one per core.
    pub threads: Option<usize>,
}

/// A file to read.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// Its path.
    pub path: PathBuf,
    /// The kind that the caller says it is; its header decides, and must agree.
    pub kind: Option<FileKind>,
}

/// The records of all files, as they would be published.
#[derive(Debug)]
pub struct Dataset {
    /// The records of each kind, in canonical order.
    pub tables: PerKind<Tables>,
    /// The report of what was read and rejected.
    pub report: ReadReport,
}

impl BuildOptions {
    /// The share of rejected rows that a build accepts by default.
    pub const MAX_REJECTS: f64 = 0.01;

    /// Default options for files whose kind follows from their headers.
    #[must_use]
    pub fn of_files(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let files = paths.into_iter().map(|path| InputFile { path, kind: None });
        Self {
            files: files.collect(),
            max_rejects: Self::MAX_REJECTS,
            allow_shrink: false,
            threads: None,
        }
    }
}

/// Reads the files into records and publishes nothing.
///
/// # Errors
/// See [`ReadError`].
pub fn read(options: &BuildOptions, progress: &dyn Progress) -> Result<Dataset, ReadError> {
    pool(options)?
        .install(|| read_into(options, RejectSink::Nowhere, Path::new("rejects.csv"), progress))
}

/// Reads the files and publishes their records.
///
/// # Errors
/// See [`BuildError`]; what was served before then stays served.
pub fn build<S: RecordSink<Error: Send> + Send>(
    options: &BuildOptions,
    sink: S,
    progress: &dyn Progress,
) -> Result<BuildReport, BuildError<S::Error>> {
    pool(options)?.install(|| build_into(options, sink, progress))
}

fn build_into<S: RecordSink>(
    options: &BuildOptions,
    mut sink: S,
    progress: &dyn Progress,
) -> Result<BuildReport, BuildError<S::Error>> {
    let paths = options.files.iter().map(|file| file.path.as_path());
    sink.require_space(disk_estimate::estimated(paths)).map_err(BuildError::Sink)?;
    let path = sink.rejects();
    let rejects = RejectSink::create(&path);
    let rejects =
        rejects.map_err(|source| ReadError::WriteRejects { path: path.clone(), source })?;
    let Dataset { tables, mut report } = read_into(options, rejects, &path, progress)?;
    if tables.each().iter().all(|tables| tables.is_empty()) {
        return Err(BuildError::NoRecords);
    }
    if !options.allow_shrink {
        refuse_shrinking(sink.served().map_err(BuildError::Sink)?, &report.kinds)?;
    }
    let started = Instant::now();
    let changes = list_changes(&sink, &tables, progress)?;
    if changes.is_some() {
        report.time("compare", started.elapsed());
    }
    let started = Instant::now();
    progress.begin("writing the index", None);
    sink.write(tables).map_err(BuildError::Sink)?;
    progress.end();
    report.time("index", started.elapsed());
    let started = Instant::now();
    progress.begin("publishing", None);
    let published = sink.publish(report.sources()).map_err(BuildError::Sink)?;
    progress.end();
    report.time("publish", started.elapsed());
    let Published { name: generation, build_id, bytes: index_bytes, not_removed } = published;
    let ReadReport { files, kinds, stages } = report;
    Ok(BuildReport {
        generation,
        build_id,
        index_bytes,
        not_removed,
        files,
        kinds,
        changes,
        stages,
    })
}

/// A pool of as many threads as `options` asks for.
fn pool(options: &BuildOptions) -> Result<ThreadPool, ReadError> {
    let pool = ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build();
    pool.map_err(|error| ReadError::Threads { source: io::Error::other(error) })
}

fn read_into(
    options: &BuildOptions,
    sink: RejectSink,
    sink_path: &Path,
    progress: &dyn Progress,
) -> Result<Dataset, ReadError> {
    if options.files.is_empty() {
        return Err(ReadError::NoFiles);
    }
    let paths = options.files.iter().map(|file| file.path.clone()).collect();
    let mut log = RejectLog::new(paths, sink, sink_path, options.max_rejects);
    let mut report = ReadReport::default();
    let mut inputs = Inputs::default();
    let started = Instant::now();
    for (number, file) in options.files.iter().enumerate() {
        read_file(&file.path, number, file.kind, &mut inputs, &mut log, progress)?;
    }
    report.time("read", started.elapsed());
    let started = Instant::now();
    progress.begin("folding rows into records", None);
    let folded = fold_emissions(&mut inputs, &mut log);
    let (releases, titles) = fold_releases(&inputs, &folded, &mut log)?;
    drop(inputs);
    let emissions = folded.tables(&titles);
    progress.end();
    report.time("fold", started.elapsed());
    report.files = log.finish()?;
    let tables = PerKind { releases, emissions };
    for tables in tables.each() {
        tables.total()?;
        report.kinds.insert(tables.record_kind().name().to_owned(), tables.info());
    }
    Ok(Dataset { tables, report })
}
