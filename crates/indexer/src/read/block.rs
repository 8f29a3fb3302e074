//! Parses the rows of one block.

use super::cell::Cells;
use super::cell_cache::CellCache;
use super::emissions::EmissionLine;
use super::locations::LocationLine;
use super::releases::{ReleaseBlock, ReleaseReader};
use super::{cesi, ghgrp, locations};
use crate::header::{FileKind, Header};
use crate::reject::{Reason, RowFault};
use crate::source::{Block, CsvRows, Encoding};

/// How the rows of a file are read, once its header is bound.
#[derive(Clone, Copy)]
pub(crate) struct FileFormat<'a> {
    pub(crate) header: &'a Header,
    pub(crate) encoding: Encoding,
    pub(crate) delimiter: u8,
}

/// The parsed rows of one block.
pub(crate) struct Parsed {
    pub(crate) rows: u64,
    pub(crate) faults: RowFaults,
    pub(crate) values: RowValues,
    /// How many of the last bytes belong to a row that continues past the block.
    pub(crate) open_bytes: usize,
    /// The line that row begins at.
    pub(crate) open_line: u64,
}

/// Rejected rows by the line they begin at.
type RowFaults = Vec<(u64, RowFault)>;

pub(crate) enum RowValues {
    Releases(Box<ReleaseBlock>),
    Emissions(Vec<EmissionLine>),
    Locations(Vec<LocationLine>),
}

/// Reads the rows of one block. Unless the block is the last of its file, a row that continues past
/// its end is left for the caller. The memory must be that of the same file.
pub(crate) fn parse(
    block: &Block,
    layout: FileFormat<'_>,
    memory: &CellCache,
    is_last: bool,
) -> Parsed {
    let mut rows = CsvRows::new(
        &block.bytes,
        block.first_line,
        layout.delimiter,
        Some(layout.header.width),
        is_last,
    );
    let (count, faults, values) = match layout.header.kind {
        FileKind::NpriReleases => {
            let mut reader = ReleaseReader::new(layout.header, memory);
            let (count, faults) =
                each_row(&mut rows, layout, |cells, line| reader.take(cells, line));
            (count, faults, RowValues::Releases(Box::new(reader.finish())))
        }
        FileKind::NpriLocations => {
            let (count, faults, values) =
                collect(&mut rows, layout, |cells, _| locations::parse_row(cells));
            (count, faults, RowValues::Locations(values))
        }
        FileKind::Ghgrp => {
            let (count, faults, values) = collect(&mut rows, layout, ghgrp::parse_row);
            (count, faults, RowValues::Emissions(values))
        }
        FileKind::Cesi => {
            let (count, faults, values) = collect(&mut rows, layout, cesi::parse_row);
            (count, faults, RowValues::Emissions(values))
        }
    };
    let (open, open_line) = rows.rest();
    Parsed { rows: count, faults, values, open_bytes: open.len(), open_line }
}

fn collect<T>(
    rows: &mut CsvRows<'_>,
    layout: FileFormat<'_>,
    parse: impl Fn(Cells<'_, '_>, u64) -> Result<T, RowFault>,
) -> (u64, RowFaults, Vec<T>) {
    let mut values = Vec::new();
    let (count, faults) = each_row(rows, layout, |cells, line| {
        values.push(parse(cells, line)?);
        Ok(())
    });
    (count, faults, values)
}

/// Counts the rows, and collects the faults that `take` or the splitting of a row finds.
fn each_row<'a>(
    rows: &mut CsvRows<'a>,
    layout: FileFormat<'_>,
    mut take: impl FnMut(Cells<'_, 'a>, u64) -> Result<(), RowFault>,
) -> (u64, RowFaults) {
    let FileFormat { header, encoding, .. } = layout;
    let (mut count, mut faults) = (0, Vec::new());
    while let Some(row) = rows.next() {
        count += 1;
        let taken = row.fields.map_err(RowFault::whole_row).and_then(|fields| {
            let taken = if encoding.is_valid(fields.bytes()) {
                let fields = &fields;
                take(Cells { header, fields, encoding }, row.line)
            } else {
                Err(RowFault::whole_row(Reason::InvalidText))
            };
            rows.recycle(fields);
            taken
        });
        if let Err(fault) = taken {
            faults.push((row.line, fault));
        }
    }
    (count, faults)
}
