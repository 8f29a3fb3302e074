//! Takes every measurement and writes the document about them; `cargo xtask bench` runs this.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use mimalloc::MiMalloc;
use outfall_benches::agreement::check;
use outfall_benches::baseline::{PlainBackend, Segments};
use outfall_benches::corpus::{Corpus, reference};
use outfall_benches::measure::build::Work;
use outfall_benches::measure::cluster::{self, Asked};
use outfall_benches::measure::http::{self, Effort, run_static_handler};
use outfall_benches::measure::{build, latency};
use outfall_benches::report::{
    ClassFigures, Figures, PassFigures, keeping_cluster, render, render_cluster, with_cluster,
};
use outfall_benches::workload::questions;
use outfall_indexer::Dataset;
use outfall_query::EmbeddedBackend;
use outfall_records::RecordKind;
use outfall_request::{SearchBackend, SearchRequest, Sort, SortKey};

/// The largest corpus, in rows, for which the reference backend is fast enough.
const REFERENCE_ROWS: u64 = 120_000;
/// The largest corpus, in rows, for which the naive index fits into memory with the others.
const NAIVE_ROWS: u64 = 2_000_000;
/// The requests of each class on a larger corpus, where the stock way takes seconds for one.
const LARGE_EACH: usize = 2;

/// Measures Outfall against the plain way.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Measures everything on corpora of the given sizes, and prints the document.
    Run(RunArgs),
    /// Measures a cluster beside the embedded engine, and prints the section about it.
    Cluster(ClusterArgs),
    /// Does one piece of work in this process, and prints as JSON what it used.
    Work {
        /// The piece of work.
        #[arg(value_enum)]
        work: Work,
        /// The folder of the corpus.
        #[arg(long)]
        dir: PathBuf,
    },
    /// Serves the bodies in a folder as they are.
    StaticHandler {
        /// The folder.
        #[arg(long)]
        dir: PathBuf,
    },
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Rows of releases; may be repeated.
    #[arg(long, required = true)]
    rows: Vec<u64>,
    /// The binary of the service.
    #[arg(long)]
    outfall: PathBuf,
    /// The folder that corpora are written to; each is removed once it is measured.
    #[arg(long)]
    dir: PathBuf,
    /// The number of requests of each class; fewer where the naive index does not fit.
    #[arg(long, default_value_t = 12)]
    each: usize,
    /// How often baseline and candidate take turns.
    #[arg(long, default_value_t = 3)]
    alternations: usize,
    /// The seconds that each load lasts.
    #[arg(long, default_value_t = 4)]
    seconds: u32,
    /// The command that the document names.
    #[arg(long)]
    command: String,
    /// The file that the document is written to.
    #[arg(long)]
    write: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ClusterArgs {
    /// Rows of releases.
    #[arg(long)]
    rows: u64,
    /// The nodes, separated by commas.
    #[arg(long, required = true, value_delimiter = ',')]
    url: Vec<String>,
    /// The folder that the corpus is written to; it is removed once it is measured.
    #[arg(long)]
    dir: PathBuf,
    /// The number of requests of each class.
    #[arg(long, default_value_t = 6)]
    each: usize,
    /// How often the engines take turns.
    #[arg(long, default_value_t = 3)]
    alternations: usize,
    /// The command that the section names.
    #[arg(long)]
    command: String,
    /// The document whose section is replaced.
    #[arg(long)]
    write: Option<PathBuf>,
}

/// As in the programs that are measured.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Run(args) => run(&args),
        Task::Cluster(args) => beside_cluster(&args),
        Task::Work { work, dir } => {
            let usage = work.run(&Corpus::open(&dir))?;
            Ok(writeln!(std::io::stdout(), "{}", serde_json::to_string(&usage)?)?)
        }
        Task::StaticHandler { dir } => run_static_handler(&dir),
    }
}

fn run(args: &RunArgs) -> anyhow::Result<()> {
    fs::create_dir_all(&args.dir)?;
    let smallest = args.rows.iter().copied().min().unwrap_or(REFERENCE_ROWS);
    agree_with_reference(args, smallest.min(REFERENCE_ROWS))?;
    let (mut runs, mut document) = (Vec::new(), String::new());
    for rows in &args.rows {
        runs.push(measure(args, *rows).with_context(|| format!("{rows} rows"))?);
        document = render(&runs, &args.command)?;
        // Written after each size: a run that is stopped at the largest keeps the others.
        if let Some(path) = &args.write {
            rewrite(path, |older| keeping_cluster(&document, older))?;
        }
    }
    Ok(std::io::stdout().write_all(document.as_bytes())?)
}

fn beside_cluster(args: &ClusterArgs) -> anyhow::Result<()> {
    fs::create_dir_all(&args.dir)?;
    let dir = tempfile::tempdir_in(&args.dir)?;
    say(&format!("{} rows: writing the files", args.rows))?;
    let corpus = Corpus::generate(dir.path(), args.rows)?;
    let asked = Asked { each: args.each, alternations: args.alternations };
    let figures = cluster::measure(&args.url, &corpus, asked, say)?;
    let section = render_cluster(&figures, args.rows, &args.command)?;
    std::io::stdout().write_all(section.as_bytes())?;
    match &args.write {
        Some(path) => rewrite(path, |document| with_cluster(document, &section)),
        None => Ok(()),
    }
}

/// Rewrites a document with the result of `document`, which gets the old text; a missing document
/// has an empty text.
fn rewrite(path: &Path, document: impl FnOnce(&str) -> String) -> anyhow::Result<()> {
    let failed = || format!("`{}`", path.display());
    let older = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        older => older.with_context(failed)?,
    };
    fs::write(path, document(&older)).with_context(failed)
}

/// Checks every backend against the reference, before anything is timed.
fn agree_with_reference(args: &RunArgs, rows: u64) -> anyhow::Result<()> {
    let dir = tempfile::tempdir_in(&args.dir)?;
    say(&format!("every answer against the reference, {rows} rows"))?;
    let corpus = Corpus::generate(dir.path(), rows)?;
    corpus.build()?;
    let dataset = corpus.read()?;
    let outfall = EmbeddedBackend::open(&corpus.data())?;
    let questions = questions(&dataset, &outfall, args.each, 1)?;
    let reference = reference(&dataset);
    let naive = plain(&dataset, Segments::Several)?;
    let stock = plain(&dataset, Segments::One)?;
    let backends: [(&str, &dyn SearchBackend); 4] =
        [("reference", &reference), ("outfall", &outfall), ("naive", &naive), ("stock", &stock)];
    questions.iter().try_for_each(|question| check(&backends, question))
}

fn measure(args: &RunArgs, rows: u64) -> anyhow::Result<Figures> {
    let dir = tempfile::tempdir_in(&args.dir)?;
    say(&format!("{rows} rows: writing the files"))?;
    let corpus = Corpus::generate(dir.path(), rows)?;
    say("builds")?;
    let with_naive = rows <= NAIVE_ROWS;
    let build = build::alternate(&corpus, with_naive, args.alternations)?;
    say("indexes of the plain ways")?;
    let dataset = corpus.read()?;
    let records = (dataset.tables.releases.len() + dataset.tables.emissions.len()) as u64;
    let outfall = EmbeddedBackend::open(&corpus.data())?;
    let each = if with_naive { args.each } else { args.each.min(LARGE_EACH) };
    let questions = questions(&dataset, &outfall, each, 1)?;
    let naive = match with_naive {
        true => Some(plain(&dataset, Segments::Several)?),
        false => None,
    };
    let stock = plain(&dataset, Segments::One)?;
    drop(dataset);
    let mut backends: Vec<(&'static str, &dyn SearchBackend)> = Vec::new();
    backends.extend(naive.as_ref().map(|naive| ("naive", naive as &dyn SearchBackend)));
    backends.extend([("stock", &stock as &dyn SearchBackend), ("outfall", &outfall)]);
    say(&format!("{} requests, each answered alike", questions.len()))?;
    questions.iter().try_for_each(|question| check(&backends, question))?;
    say("searches")?;
    let latencies = latency::alternate(&backends, &questions, args.alternations)?;
    let deep_page = latency::deep_page_ratio(&outfall, &walks())?;
    let bounded_sorts = latency::bounded_sorts(&outfall, &questions)?;
    drop((naive, stock));
    say("load")?;
    let effort = Effort { seconds: args.seconds, alternations: args.alternations };
    let http = http::alternate(&args.outfall, &corpus, &outfall, &questions, effort)?;
    Ok(Figures {
        rows,
        csv_bytes: corpus.bytes()?,
        records,
        build,
        passes: PassFigures::all(&latencies, &questions),
        classes: ClassFigures::all(&latencies, &questions),
        deep_page,
        bounded_sorts,
        http,
    })
}

fn plain(dataset: &Dataset, segments: Segments) -> anyhow::Result<PlainBackend> {
    let mut backend = PlainBackend::build(dataset, segments)?;
    backend.count_facets(dataset);
    Ok(backend)
}

/// Walks that are long enough to have a thousandth page.
fn walks() -> Vec<SearchRequest> {
    let all = SearchRequest::all(RecordKind::Release);
    let by_value = Sort { by: SortKey::Value, ..all.sort };
    vec![all.clone(), SearchRequest { sort: by_value, ..all }]
}

/// Reports progress on standard error.
fn say(what: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stderr(), "measure: {what}")?)
}
