//! Reading one file: blocks in parallel, results in the order of the file.

use std::path::Path;
use std::sync::atomic::Ordering;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::cell::Cells;
use super::emissions::EmissionLine;
use super::locations::LocationLine;
use super::releases::{ReleaseLines, ReleaseReader};
use super::{cesi, ghgrp, locations};
use crate::BuildError;
use crate::header::{FileKind, Header};
use crate::progress::Progress;
use crate::reject::Fault;
use crate::report::RejectLog;
use crate::source::{Block, Blocks, Encoding, Opened, Rows};

/// The rows of all files, in the order of the files.
#[derive(Default)]
pub(crate) struct Inputs {
    pub(crate) releases: ReleaseLines,
    /// For each file with releases, its number and how many lines there are up to its end.
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

/// How the rows of a file are read, once its header is bound.
#[derive(Clone, Copy)]
struct Layout<'a> {
    header: &'a Header,
    encoding: Encoding,
    delimiter: u8,
}

/// What the rows of one block came to.
struct Parsed {
    rows: u64,
    faults: Vec<(u64, Fault)>,
    values: Values,
}

enum Values {
    Releases(ReleaseLines),
    Emissions(Vec<EmissionLine>),
    Locations(Vec<LocationLine>),
}

/// Reads the file of number `file` and adds its rows to `inputs`.
pub(crate) fn read_file(
    path: &Path,
    file: usize,
    opened: Opened,
    claimed: Option<FileKind>,
    inputs: &mut Inputs,
    log: &mut RejectLog,
    progress: &dyn Progress,
) -> Result<(), BuildError> {
    let failed = |source| BuildError::Read {
        path: path.to_owned(),
        source,
    };
    let Opened {
        reader,
        encoding,
        bytes,
        consumed,
        sha256,
    } = opened;
    let mut blocks = Blocks::new(reader);
    let Some(first) = blocks.next().map_err(failed)? else {
        let reason = "it is empty".to_owned();
        return Err(BuildError::Refused {
            path: path.to_owned(),
            reason,
        });
    };
    let delimiter = delimiter(&first.bytes);
    let (header, rest) = bind_header(path, &first, encoding, delimiter)?;
    if let Some(claimed) = claimed.filter(|claimed| *claimed != header.kind) {
        return Err(BuildError::WrongKind {
            path: path.to_owned(),
            found: header.kind.described(),
            claimed: claimed.described(),
        });
    }
    log.begin_file(file, &header, bytes, sha256);
    progress.begin(&format!("reading {}", log.name(file)), Some(bytes));
    let layout = Layout {
        header: &header,
        encoding,
        delimiter,
    };
    let origin = Origin {
        file,
        kind: header.kind,
    };
    let mut batch = vec![rest];
    let (mut rows, width) = (0, rayon::current_num_threads() * 2);
    while !batch.is_empty() {
        let parsed: Vec<Parsed> = batch.par_iter().map(|block| parse(block, layout)).collect();
        for parsed in parsed {
            rows += parsed.rows;
            log.read(file, parsed.rows);
            for (line, fault) in parsed.faults {
                log.reject(file, line, fault)?;
            }
            inputs.append(origin, parsed.values);
        }
        progress.advance(consumed.load(Ordering::Relaxed).min(bytes), rows);
        batch.clear();
        while batch.len() < width {
            let Some(block) = blocks.next().map_err(failed)? else {
                break;
            };
            batch.push(block);
        }
    }
    if header.kind == FileKind::NpriReleases {
        inputs
            .release_files
            .push((file, inputs.releases.lines.len()));
    }
    progress.end();
    Ok(())
}

/// TAB where the first line has more of them than commas.
fn delimiter(bytes: &[u8]) -> u8 {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or(bytes);
    let count = |wanted: u8| line.iter().filter(|byte| **byte == wanted).count();
    if count(b'\t') > count(b',') {
        b'\t'
    } else {
        b','
    }
}

/// The header, and the lines of the block after it.
fn bind_header(
    path: &Path,
    block: &Block,
    encoding: Encoding,
    delimiter: u8,
) -> Result<(Header, Block), BuildError> {
    let mut rows = Rows::new(&block.bytes, block.first_line, delimiter, None);
    let fields =
        rows.next()
            .and_then(|row| row.fields.ok())
            .ok_or_else(|| BuildError::Refused {
                path: path.to_owned(),
                reason: "its first line is not a header of comma-separated names".to_owned(),
            })?;
    let header = Header::bind(path, &fields, encoding)?;
    let (rest, first_line) = rows.rest();
    Ok((
        header,
        Block {
            bytes: rest.to_vec(),
            first_line,
        },
    ))
}

fn parse(block: &Block, layout: Layout<'_>) -> Parsed {
    match layout.header.kind {
        FileKind::NpriReleases => {
            let mut reader = ReleaseReader::default();
            let (rows, faults) = each_row(block, layout, |cells, line| reader.take(cells, line));
            Parsed {
                rows,
                faults,
                values: Values::Releases(reader.read),
            }
        }
        FileKind::NpriLocations => {
            let (rows, faults, values) = collect(block, layout, locations::parse_row);
            Parsed {
                rows,
                faults,
                values: Values::Locations(values),
            }
        }
        FileKind::Ghgrp => {
            let (rows, faults, values) = collect(block, layout, ghgrp::parse_row);
            Parsed {
                rows,
                faults,
                values: Values::Emissions(values),
            }
        }
        FileKind::Cesi => {
            let (rows, faults, values) = collect(block, layout, cesi::parse_row);
            Parsed {
                rows,
                faults,
                values: Values::Emissions(values),
            }
        }
    }
}

type Faults = Vec<(u64, Fault)>;

fn collect<T>(
    block: &Block,
    layout: Layout<'_>,
    parse: impl Fn(Cells<'_>) -> Result<T, Fault>,
) -> (u64, Faults, Vec<T>) {
    let mut values = Vec::new();
    let (rows, faults) = each_row(block, layout, |cells, _| {
        values.push(parse(cells)?);
        Ok(())
    });
    (rows, faults, values)
}

fn each_row(
    block: &Block,
    layout: Layout<'_>,
    mut take: impl FnMut(Cells<'_>, u64) -> Result<(), Fault>,
) -> (u64, Faults) {
    let Layout {
        header,
        encoding,
        delimiter,
    } = layout;
    let mut rows = Rows::new(
        &block.bytes,
        block.first_line,
        delimiter,
        Some(header.width),
    );
    let (mut count, mut faults) = (0, Vec::new());
    while let Some(row) = rows.next() {
        count += 1;
        match row.fields {
            Ok(fields) => {
                if let Err(fault) = take(
                    Cells {
                        header,
                        fields: &fields,
                        encoding,
                    },
                    row.line,
                ) {
                    faults.push((row.line, fault));
                }
                rows.recycle(fields);
            }
            Err(reason) => faults.push((row.line, Fault::whole_row(reason))),
        }
    }
    (count, faults)
}

impl Inputs {
    fn append(&mut self, origin: Origin, values: Values) {
        match values {
            Values::Releases(lines) => self.releases.append(lines),
            Values::Emissions(lines) => {
                self.emissions
                    .extend(lines.into_iter().map(|line| (origin, line)));
            }
            Values::Locations(lines) => self.locations.extend(lines),
        }
    }
}
