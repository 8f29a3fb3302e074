//! The values of cells in earlier rows, by their bytes: most cells repeat those of another row, and
//! looking them up takes a fraction of the time of reading them again.
//!
//! In the official files, columns that belong together are adjacent, so a row costs only the hash
//! of their bytes in place. Other orders of the columns merely find fewer repeats.

use std::ops::RangeInclusive;

use outfall_records::{Medium, ReportingYear, Unit};
use rustc_hash::FxHashMap;

use super::cell::Cells;
use crate::header::Header;
use crate::reject::RowFault;

/// Enough for all sites of all years, and not much more.
const MOST_BYTES: usize = 32 << 20;

/// The values of a file's cells in the blocks before, as numbers of the whole.
#[derive(Default)]
pub(crate) struct CellCache {
    pub(super) counts: Counts,
    pub(super) years: SeenCells<ReportingYear>,
    pub(super) sites: SeenCells<u32>,
    pub(super) substances: SeenCells<u32>,
    pub(super) media: SeenCells<(Medium, u32)>,
    pub(super) methods: SeenCells<u32>,
    pub(super) units: SeenCells<Unit>,
    /// The bytes of all cells.
    bytes: usize,
}

/// The number of distinct values when the memory was last added to; a block numbers its own values
/// from there on.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) sites: u32,
    pub(super) substances: u32,
    pub(super) categories: u32,
    pub(super) methods: u32,
}

type SeenCells<T> = FxHashMap<Box<[u8]>, T>;

/// The cells that a block adds to a memory.
#[derive(Default)]
pub(crate) struct CacheUpdate {
    pub(super) years: NewCells<ReportingYear>,
    pub(super) sites: NewCells<u32>,
    pub(super) substances: NewCells<u32>,
    pub(super) media: NewCells<(Medium, u32)>,
    pub(super) methods: NewCells<u32>,
    pub(super) units: NewCells<Unit>,
}

type NewCells<T> = Vec<(Box<[u8]>, T)>;

impl CellCache {
    /// Adds the cells that a block found, up to [`MOST_BYTES`] in all.
    pub(super) fn learn(&mut self, learnt: CacheUpdate) {
        let CacheUpdate { years, sites, substances, media, methods, units } = learnt;
        add(&mut self.years, years, &mut self.bytes);
        add(&mut self.sites, sites, &mut self.bytes);
        add(&mut self.substances, substances, &mut self.bytes);
        add(&mut self.media, media, &mut self.bytes);
        add(&mut self.methods, methods, &mut self.bytes);
        add(&mut self.units, units, &mut self.bytes);
    }
}

fn add<T>(seen: &mut SeenCells<T>, new: NewCells<T>, bytes: &mut usize) {
    for (cells, value) in new {
        *bytes += cells.len();
        if *bytes > MOST_BYTES {
            return;
        }
        seen.insert(cells, value);
    }
}

/// Looks up the values of some columns, from earlier blocks or this one.
pub(super) struct CachedCells<'m, 'a, T> {
    /// The places of the cells in a row.
    places: Option<RangeInclusive<usize>>,
    earlier: &'m SeenCells<T>,
    here: FxHashMap<&'a [u8], Result<T, RowFault>>,
    /// The cells of the last row: most rows repeat them, and then nothing need be hashed.
    last: Option<(&'a [u8], T)>,
}

impl<'m, 'a, T: Copy> CachedCells<'m, 'a, T> {
    pub(super) fn new(header: &Header, columns: &[usize], earlier: &'m SeenCells<T>) -> Self {
        let places = header.places(columns);
        Self { places, earlier, here: FxHashMap::default(), last: None }
    }

    /// The value of the cells of a row: a known one if the bytes from the first cell to the last
    /// are the same.
    pub(super) fn get(
        &mut self,
        cells: Cells<'_, 'a>,
        parse: impl FnOnce() -> Result<T, RowFault>,
    ) -> Result<T, RowFault> {
        let places = self.places.clone();
        let bytes = places.map_or(&[][..], |places| cells.fields.span(places));
        if let Some((last, result)) = self.last
            && last == bytes
        {
            return Ok(result);
        }
        let result = match self.earlier.get(bytes) {
            Some(earlier) => *earlier,
            None => self.here.entry(bytes).or_insert_with(parse).clone()?,
        };
        self.last = Some((bytes, result));
        Ok(result)
    }

    /// The cells that were not known before the block.
    pub(super) fn into_new(self) -> NewCells<T> {
        let accepted =
            |(bytes, result): (&[u8], Result<T, RowFault>)| Some((bytes.into(), result.ok()?));
        self.here.into_iter().filter_map(accepted).collect()
    }
}
