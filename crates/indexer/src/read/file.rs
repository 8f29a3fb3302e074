//! Reads one file: blocks in parallel, results in the order of the file.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::Ordering;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::begin::{Begun, begin};
use super::block::{FileFormat, Parsed, RowValues, parse};
use super::cell_cache::{CacheUpdate, CellCache};
use super::emissions::EmissionLine;
use super::locations::LocationLine;
use super::pool::MOST_ROWS;
use super::releases::ReleaseLines;
use crate::header::FileKind;
use crate::progress::Progress;
use crate::report::RejectLog;
use crate::source::{Block, Blocks, Opened, Stamp};
use crate::{ReadError, source};

/// The rows of all files, in the order of the files.
#[derive(Default)]
pub(crate) struct Inputs {
    pub(crate) releases: ReleaseLines,
    /// For each file with releases, its number and the number of lines up to its end.
    pub(crate) release_files: Vec<(usize, usize)>,
    pub(crate) emissions: Vec<(Origin, EmissionLine)>,
    pub(crate) locations: Vec<LocationLine>,
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The number of the file.
    pub(crate) file: usize,
    pub(crate) kind: FileKind,
}

/// Reads file number `file`, adds its rows to `inputs`, and hashes it meanwhile.
pub(crate) fn read_file(
    path: &Path,
    file: usize,
    claimed: Option<FileKind>,
    inputs: &mut Inputs,
    log: &mut RejectLog,
    progress: &dyn Progress,
) -> Result<(), ReadError> {
    let opened = source::open(path)?;
    let stamp = opened.stamp;
    let read = read_rows(path, file, opened, claimed, inputs, log, progress);
    // Checked first, because a change also explains most errors.
    if Stamp::of_path(path).ok() != Some(stamp) {
        let reason = "it changed while it was read".to_owned();
        return Err(ReadError::Refused { path: path.to_owned(), reason });
    }
    read
}

fn read_rows(
    path: &Path,
    file: usize,
    opened: Opened,
    claimed: Option<FileKind>,
    inputs: &mut Inputs,
    log: &mut RejectLog,
    progress: &dyn Progress,
) -> Result<(), ReadError> {
    let failed = |source| ReadError::Read { path: path.to_owned(), source };
    let Opened { content, encoding, bytes, most_bytes, consumed, .. } = opened;
    let Begun { header, delimiter, rest, mut blocks } = begin(path, content, encoding, claimed)?;
    log.begin_file(file, &header, bytes);
    progress.begin(&format!("reading {}", log.name(file)), Some(bytes));
    let layout = FileFormat { header: &header, encoding, delimiter };
    let origin = Origin { file, kind: header.kind };
    let mut reading = Reading {
        layout,
        origin,
        open: Block { bytes: Vec::new(), first_line: rest.first_line },
        bytes_left: most_bytes,
        rows: 0,
        learnt: Vec::new(),
    };
    // While one batch is parsed, the one before it is added and the one after it is read.
    let (mut batch, mut before) = (vec![rest], Vec::new());
    let mut memory = CellCache::default();
    inputs.releases.remember([], &mut memory);
    while !batch.is_empty() {
        let parsed = |block| {
            let parsed = parse(&block, layout, &memory, false);
            (block, parsed)
        };
        let (parsed, beside) = rayon::join(
            || batch.into_par_iter().map(parsed).collect(),
            || {
                reading.take_all(before, &mut blocks, &memory, inputs, log)?;
                progress.advance(consumed.load(Ordering::Relaxed).min(bytes), reading.rows);
                blocks.next_batch(batch_width()).map_err(failed)
            },
        );
        (before, batch) = (parsed, beside?);
        inputs.releases.remember(reading.learnt.drain(..), &mut memory);
    }
    reading.take_all(before, &mut blocks, &memory, inputs, log)?;
    reading.finish(&memory, inputs, log)?;
    log.hashed(file, blocks.into_reader().hashes(path).map_err(failed)?);
    if header.kind == FileKind::NpriReleases {
        inputs.release_files.push((file, inputs.releases.lines.len()));
    }
    progress.end();
    Ok(())
}

/// Enough blocks to keep every thread busy, but no more memory than a small machine has.
fn batch_width() -> usize {
    (rayon::current_num_threads() * 2).min(16)
}

/// A file on its way into [`Inputs`].
struct Reading<'a> {
    layout: FileFormat<'a>,
    origin: Origin,
    /// The lines of a row that began in an earlier block and did not end there.
    open: Block,
    /// The most bytes that may come after the blocks added so far.
    bytes_left: u64,
    rows: u64,
    /// The new cells of the added blocks, which the cell cache has yet to take in.
    learnt: Vec<CacheUpdate>,
}

impl Reading<'_> {
    fn take_all(
        &mut self,
        batch: Vec<(Block, Parsed)>,
        blocks: &mut Blocks<impl Read>,
        memory: &CellCache,
        inputs: &mut Inputs,
        log: &mut RejectLog,
    ) -> Result<(), ReadError> {
        for (block, parsed) in batch {
            self.bytes_left = self.bytes_left.saturating_sub(block.bytes.len() as u64);
            blocks.recycle(self.take(block, parsed, memory, inputs, log)?);
            log.refuse_hopeless(self.origin.file, self.most_rows_left())?;
        }
        Ok(())
    }

    /// The most good rows that may still come: each has all delimiters of the header and an end.
    fn most_rows_left(&self) -> u64 {
        let bytes = self.bytes_left.saturating_add(self.open.bytes.len() as u64);
        // The last row may end without an end of line.
        bytes.saturating_add(1) / (self.layout.header.width as u64).max(1)
    }

    /// Adds the rows of the next block. It was parsed as if it began with a row; if it does not, it
    /// is parsed again from where that row begins, so that cutting a file changes nothing. Returns
    /// a block that is no longer needed.
    fn take(
        &mut self,
        block: Block,
        parsed: Parsed,
        memory: &CellCache,
        inputs: &mut Inputs,
        log: &mut RejectLog,
    ) -> Result<Block, ReadError> {
        if self.open.bytes.is_empty() {
            self.add(&block, parsed, inputs, log)?;
            return Ok(block);
        }
        let mut whole = std::mem::replace(&mut self.open, block);
        whole.bytes.append(&mut self.open.bytes);
        let parsed = parse(&whole, self.layout, memory, false);
        self.add(&whole, parsed, inputs, log)?;
        Ok(whole)
    }

    /// Adds the rows that the end of the file leaves open.
    fn finish(
        &mut self,
        memory: &CellCache,
        inputs: &mut Inputs,
        log: &mut RejectLog,
    ) -> Result<(), ReadError> {
        let parsed = parse(&self.open, self.layout, memory, true);
        self.add_values(parsed, inputs, log)
    }

    fn add(
        &mut self,
        block: &Block,
        parsed: Parsed,
        inputs: &mut Inputs,
        log: &mut RejectLog,
    ) -> Result<(), ReadError> {
        let rest = &block.bytes[block.bytes.len() - parsed.open_bytes..];
        self.open = Block { bytes: rest.to_vec(), first_line: parsed.open_line };
        self.add_values(parsed, inputs, log)
    }

    fn add_values(
        &mut self,
        parsed: Parsed,
        inputs: &mut Inputs,
        log: &mut RejectLog,
    ) -> Result<(), ReadError> {
        self.rows += parsed.rows;
        log.read(self.origin.file, parsed.rows);
        for (line, fault) in parsed.faults {
            log.reject(self.origin.file, line, fault)?;
        }
        self.learnt.extend(inputs.append(self.origin, parsed.values));
        match inputs.releases.lines.len() {
            0..=MOST_ROWS => Ok(()),
            _ => Err(ReadError::TooMany { what: "rows of releases", limit: MOST_ROWS }),
        }
    }
}

impl Inputs {
    /// Adds the rows of a block; returns the cells to remember, if any.
    fn append(&mut self, origin: Origin, values: RowValues) -> Option<CacheUpdate> {
        match values {
            RowValues::Releases(block) => return Some(self.releases.append(*block)),
            RowValues::Emissions(lines) => {
                self.emissions.extend(lines.into_iter().map(|line| (origin, line)));
            }
            RowValues::Locations(lines) => self.locations.extend(lines),
        }
        None
    }
}
