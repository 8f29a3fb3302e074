//! Parsing the rows of one block.

use super::cell::Cells;
use super::emissions::EmissionLine;
use super::locations::LocationLine;
use super::memory::Memory;
use super::releases::{ReleaseBlock, ReleaseReader};
use super::{cesi, ghgrp, locations};
use crate::header::{FileKind, Header};
use crate::reject::{Fault, Reason};
use crate::source::{Block, Encoding, Rows};

/// How the rows of a file are read, once its header is bound.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'a> {
    pub(crate) header: &'a Header,
    pub(crate) encoding: Encoding,
    pub(crate) delimiter: u8,
}

/// What the rows of one block came to.
pub(crate) struct Parsed {
    pub(crate) rows: u64,
    pub(crate) faults: Faults,
    pub(crate) values: Values,
    /// How many of the last bytes are of a row that goes on past the block.
    pub(crate) open_bytes: usize,
    /// The line that row begins at.
    pub(crate) open_line: u64,
}

/// Rejected rows by the line they begin at.
type Faults = Vec<(u64, Fault)>;

pub(crate) enum Values {
    Releases(Box<ReleaseBlock>),
    Emissions(Vec<EmissionLine>),
    Locations(Vec<LocationLine>),
}

/// Reads the rows of one block. Unless the block is the last of its file, a row that goes on past
/// its end is left for the caller. The memory is that of the same file.
pub(crate) fn parse(block: &Block, layout: Layout<'_>, memory: &Memory, is_last: bool) -> Parsed {
    let mut rows = Rows::new(
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
            (count, faults, Values::Releases(Box::new(reader.finish())))
        }
        FileKind::NpriLocations => {
            let (count, faults, values) =
                collect(&mut rows, layout, |cells, _| locations::parse_row(cells));
            (count, faults, Values::Locations(values))
        }
        FileKind::Ghgrp => {
            let (count, faults, values) = collect(&mut rows, layout, ghgrp::parse_row);
            (count, faults, Values::Emissions(values))
        }
        FileKind::Cesi => {
            let (count, faults, values) = collect(&mut rows, layout, cesi::parse_row);
            (count, faults, Values::Emissions(values))
        }
    };
    let (open, open_line) = rows.rest();
    Parsed { rows: count, faults, values, open_bytes: open.len(), open_line }
}

fn collect<T>(
    rows: &mut Rows<'_>,
    layout: Layout<'_>,
    parse: impl Fn(Cells<'_, '_>, u64) -> Result<T, Fault>,
) -> (u64, Faults, Vec<T>) {
    let mut values = Vec::new();
    let (count, faults) = each_row(rows, layout, |cells, line| {
        values.push(parse(cells, line)?);
        Ok(())
    });
    (count, faults, values)
}

/// Counts the rows, and gathers those that `take` or the splitting of the row refuses.
fn each_row<'a>(
    rows: &mut Rows<'a>,
    layout: Layout<'_>,
    mut take: impl FnMut(Cells<'_, 'a>, u64) -> Result<(), Fault>,
) -> (u64, Faults) {
    let Layout { header, encoding, .. } = layout;
    let (mut count, mut faults) = (0, Vec::new());
    while let Some(row) = rows.next() {
        count += 1;
        let taken = row.fields.map_err(Fault::whole_row).and_then(|fields| {
            let taken = if encoding.is_valid(fields.bytes()) {
                let fields = &fields;
                take(Cells { header, fields, encoding }, row.line)
            } else {
                Err(Fault::whole_row(Reason::InvalidText))
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
