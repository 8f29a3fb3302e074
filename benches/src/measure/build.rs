//! Measures builds, against only parsing the same files.

use std::fs::{File, remove_dir_all};
use std::io::{BufReader, ErrorKind};

use csv::{ByteRecord, ReaderBuilder};
use outfall_query::EmbeddedBackend;

use crate::baseline::{PlainBackend, Segments};
use crate::corpus::Corpus;
use crate::process::{Usage, again};
use crate::statistics::median;

/// A piece of work that is measured in its own process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Work {
    /// The floor under every build: the `csv` crate reads a buffered file into one reused record,
    /// and every field is touched; nothing is decoded, parsed as a number or kept.
    Parse,
    /// The plain way: the indexer reads the rows, and each record becomes a document.
    Naive,
    /// The build that ships, from files to the first published generation.
    Build,
    /// The same over the generation before, with the list of what changed.
    Replace,
    /// Opening, from the published generation to a backend that answers.
    Open,
}

impl Work {
    const fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Naive => "naive",
            Self::Build => "build",
            Self::Replace => "replace",
            Self::Open => "open",
        }
    }

    /// Does the work in this process.
    ///
    /// # Errors
    /// When the work fails.
    pub fn run(self, corpus: &Corpus) -> anyhow::Result<Usage> {
        match self {
            Self::Parse => Usage::of(|| parse(corpus)),
            Self::Naive => {
                Usage::of(|| Ok(PlainBackend::build(&corpus.read()?, Segments::Several)?.bytes()))
            }
            Self::Build => {
                remove_dir_all(corpus.data()).or_else(|error| match error.kind() {
                    ErrorKind::NotFound => Ok(()),
                    _ => Err(error),
                })?;
                Usage::of(|| Ok(corpus.build()?.index_bytes))
            }
            Self::Replace => Usage::of(|| Ok(corpus.build()?.index_bytes)),
            Self::Open => {
                let mut opened = None;
                let usage = Usage::of(|| {
                    opened = Some(EmbeddedBackend::open(&corpus.data())?);
                    Ok(0)
                });
                drop(opened);
                usage
            }
        }
    }
}

/// Counts the bytes in the fields of all files.
fn parse(corpus: &Corpus) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for path in corpus.files() {
        let mut reader = ReaderBuilder::new()
            .flexible(true)
            .from_reader(BufReader::with_capacity(1 << 20, File::open(path)?));
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record)? {
            bytes += record.iter().map(|field| field.len() as u64).sum::<u64>();
        }
    }
    Ok(bytes)
}

/// The median usage of each piece of work over all alternations.
#[derive(Clone, Debug)]
pub struct BuildFigures {
    /// Only parsing.
    pub parse: Usage,
    /// The plain way, unless it was left out.
    pub naive: Option<Usage>,
    /// The build that ships.
    pub build: Usage,
    /// The same over the generation before.
    pub replace: Usage,
    /// Opening.
    pub open: Usage,
}

/// Runs all pieces of work in turn, each in its own process; the naive one only if `with_naive`.
///
/// # Errors
/// When a piece of work fails.
pub fn alternate(
    corpus: &Corpus,
    with_naive: bool,
    alternations: usize,
) -> anyhow::Result<BuildFigures> {
    let mut runs: [Vec<Usage>; 5] = Default::default();
    for _ in 0..alternations {
        let works = [Work::Parse, Work::Naive, Work::Build, Work::Replace, Work::Open];
        for (work, runs) in works.into_iter().zip(&mut runs) {
            if work == Work::Naive && !with_naive {
                continue;
            }
            runs.push(again(&["work", work.name()], corpus.dir())?);
        }
    }
    let [parse, naive, build, replace, open] = runs.map(|runs| medians(&runs));
    Ok(BuildFigures { parse, naive: with_naive.then_some(naive), build, replace, open })
}

fn medians(runs: &[Usage]) -> Usage {
    let of = |figure: &dyn Fn(&Usage) -> f64| median(&runs.iter().map(figure).collect::<Vec<_>>());
    Usage {
        cpu: of(&|run| run.cpu),
        wall: of(&|run| run.wall),
        peak: of(&|run| run.peak as f64) as u64,
        bytes: of(&|run| run.bytes as f64) as u64,
    }
}
