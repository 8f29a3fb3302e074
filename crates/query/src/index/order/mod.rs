//! The orders of the records of a kind: by id, and by each value that can be compared.

use std::iter::Peekable;
use std::ops::Range;

use outfall_records::{Decimal, FixedPoint, RecordKind, Tables, TooLarge, Unit, ranks};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::index::bytes::{Encoder, FileDecoder, Numbers, numbered};

/// Records by `record_id` in byte order.
#[derive(Clone, Debug, Default)]
pub struct IdOrder {
    /// Document numbers in that order.
    pub documents: Numbers<u32>,
    /// The place of each document in that order.
    pub ranks: Numbers<u32>,
}

/// Records by a value, ties by `record_id`; those without a value come last, by `record_id`.
#[derive(Clone, Debug, Default)]
pub struct ValueOrder {
    /// Document numbers, the smallest value first.
    pub documents: Numbers<u32>,
    /// Where the documents of each distinct value begin; the last entry is where those without a
    /// value begin.
    pub starts: Numbers<u32>,
    /// The place of each document's value among the distinct ones, or [`ValueOrder::NO_VALUE`].
    pub ordinals: Numbers<u32>,
}

/// The value that an order compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueMeasure {
    /// The number that the record shows.
    Reported,
    /// The mass in kilograms.
    Mass,
    /// The quantity of `g TEQ` records.
    GramsTeq,
}

impl ValueMeasure {
    /// The orders that a kind has, in the order in which they are stored.
    #[must_use]
    pub const fn of(record_kind: RecordKind) -> &'static [Self] {
        match record_kind {
            RecordKind::Release => &[Self::Reported, Self::Mass, Self::GramsTeq],
            RecordKind::Emission => &[Self::Reported],
        }
    }

    /// The value of a quantity in `unit`; emissions have no unit.
    #[must_use]
    pub fn value(self, quantity: Decimal, unit: Option<Unit>) -> Option<Decimal> {
        match self {
            Self::Reported => Some(quantity),
            Self::Mass => unit?.kilograms(quantity),
            Self::GramsTeq => (unit? == Unit::GramsTeq).then_some(quantity),
        }
    }
}

impl IdOrder {
    /// Orders the records of `tables`.
    ///
    /// Within a year they are already in this order, so it is enough to gather the records of each
    /// facility, year after year.
    pub(crate) fn of(tables: &Tables) -> Self {
        // Ids compare part by part if no part is a prefix of another; the colon after each part
        // ensures that.
        let ids = tables.sites.iter().map(|site| site.facility_id);
        let facilities = ranks(ids, |id| format!("{id}:"));
        let facility = |index: usize| facilities[tables.shared(index).0 as usize] as usize;
        // Where the next record of each facility goes.
        let mut next = vec![0; facilities.len() + 1];
        (0..tables.len()).for_each(|index| next[facility(index) + 1] += 1);
        for place in 1..next.len() {
            next[place] += next[place - 1];
        }
        let mut documents = Numbers::zeroed(tables.len());
        let mut end = tables.len();
        while let Some(last) = end.checked_sub(1) {
            let year = tables.year(last);
            let start = (0..last).rev().find(|index| tables.year(*index) != year);
            let start = start.map_or(0, |before| before + 1);
            for index in start..end {
                let place = &mut next[facility(index)];
                documents[*place] = numbered(index);
                *place += 1;
            }
            end = start;
        }
        Self::new(documents.shared())
    }

    fn new(documents: Numbers<u32>) -> Self {
        let mut filling = Numbers::zeroed(documents.len());
        let ranks = &mut *filling;
        for (rank, document) in documents.iter().enumerate() {
            ranks[*document as usize] = numbered(rank);
        }
        Self { documents, ranks: filling.shared() }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::default();
        encoder.u32s(&self.documents);
        encoder.bytes
    }

    pub(crate) fn decode(decoder: &mut FileDecoder<'_>, len: usize) -> Option<Self> {
        let documents = decoder.u32s()?;
        let is_whole =
            documents.len() == len && documents.iter().all(|document| (*document as usize) < len);
        is_whole.then(|| Self::new(documents))
    }
}

impl ValueOrder {
    /// The ordinal of a document without a value.
    pub const NO_VALUE: u32 = u32::MAX;

    /// Sorts the records of `tables`, whose order by id is `ids`. Returns the bytes of the orders
    /// of their kind, as [`ValueMeasure::of`] lists them.
    ///
    /// # Errors
    /// [`TooLarge`] if a record shows a number beyond [`FixedPoint::QUANTITY`].
    pub(crate) fn encode_all(tables: &Tables, ids: &IdOrder) -> Result<Vec<Vec<u8>>, TooLarge> {
        let key = |(rank, document): (usize, &u32)| {
            let (quantity, unit) = tables.quantity(*document as usize);
            let value = FixedPoint::QUANTITY.unscaled(quantity);
            let value = value.ok_or_else(|| tables.too_large(*document as usize))?;
            Ok((value, numbered(rank), unit))
        };
        let mut reported =
            ids.documents.iter().enumerate().map(key).collect::<Result<Vec<_>, _>>()?;
        reported.par_sort_unstable();
        let encoded = |compared: &ValueMeasure| {
            let run = |unit: Option<Unit>| {
                let is_in_run = move |own: Option<Unit>| unit.is_none() || own == unit;
                let values = reported.iter().filter(move |(_, _, own)| is_in_run(*own));
                let valued = values.map(|(value, rank, unit)| match (compared, unit) {
                    (ValueMeasure::Mass, Some(unit)) => (value / per_tonne(*unit), *rank),
                    _ => (*value, *rank),
                });
                valued.peekable()
            };
            // Within a unit, masses sort as the reported values do.
            Ok(match compared {
                ValueMeasure::Mass => encode(merged(MASSES.map(|unit| run(Some(unit)))), ids),
                ValueMeasure::GramsTeq => encode(run(Some(Unit::GramsTeq)), ids),
                ValueMeasure::Reported => encode(run(None), ids),
            })
        };
        ValueMeasure::of(tables.record_kind()).par_iter().map(encoded).collect()
    }

    /// How many documents have a value.
    #[must_use]
    pub fn valued(&self) -> usize {
        self.starts.last().copied().unwrap_or(0) as usize
    }

    /// How many distinct values there are.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The places of the documents whose values have these ordinals.
    #[must_use]
    pub fn places(&self, ordinals: &Range<usize>) -> Range<usize> {
        self.starts[ordinals.start] as usize..self.starts[ordinals.end] as usize
    }

    pub(crate) fn decode(decoder: &mut FileDecoder<'_>, len: usize) -> Option<Self> {
        let documents = decoder.u32s()?;
        let starts = decoder.u32s()?;
        let valued = documents.get(..*starts.last()? as usize)?;
        let is_whole = documents.len() == len
            && documents.iter().all(|document| (*document as usize) < len)
            && starts.is_sorted();
        if !is_whole {
            return None;
        }
        let mut filling = Numbers::zeroed(len);
        let ordinals = &mut *filling;
        ordinals.fill(Self::NO_VALUE);
        for (ordinal, ends) in starts.windows(2).enumerate() {
            for document in &valued[ends[0] as usize..ends[1] as usize] {
                ordinals[*document as usize] = numbered(ordinal);
            }
        }
        // No document has two values.
        let unvalued = ordinals.iter().filter(|ordinal| **ordinal == Self::NO_VALUE).count();
        let is_distinct = unvalued + valued.len() == len;
        is_distinct.then(|| Self { documents, starts, ordinals: filling.shared() })
    }
}

/// The units of masses.
const MASSES: [Unit; 3] = [Unit::Grams, Unit::Kilograms, Unit::Tonnes];

/// How many of a unit are a tonne. A mass has at most 18 decimal places in kilograms
/// ([`outfall_records::Amount`]), so that dividing its unscaled value by this leaves no rest.
const fn per_tonne(unit: Unit) -> i128 {
    match unit {
        Unit::Grams => 1_000_000,
        Unit::Kilograms => 1_000,
        Unit::Tonnes | Unit::GramsTeq => 1,
    }
}

/// A value without its decimal point, and the rank by id of its document.
type Valued = (i128, u32);

/// Merges sorted runs.
fn merged<I, const RUNS: usize>(mut runs: [Peekable<I>; RUNS]) -> impl Iterator<Item = Valued>
where
    I: Iterator<Item = Valued>,
{
    std::iter::from_fn(move || {
        let least = runs.iter_mut().filter_map(|run| run.peek().copied()).min()?;
        runs.iter_mut().find_map(|run| run.next_if_eq(&least))
    })
}

/// Encodes the order of sorted values.
fn encode(sorted: impl Iterator<Item = Valued>, ids: &IdOrder) -> Vec<u8> {
    let (mut documents, mut starts) = (Vec::with_capacity(ids.documents.len()), Vec::new());
    let mut is_valued = vec![false; ids.documents.len()];
    let mut last = None;
    for (value, rank) in sorted {
        if last != Some(value) {
            starts.push(numbered(documents.len()));
            last = Some(value);
        }
        documents.push(ids.documents[rank as usize]);
        is_valued[rank as usize] = true;
    }
    starts.push(numbered(documents.len()));
    let unvalued = ids.documents.iter().zip(is_valued).filter(|(_, is_valued)| !is_valued);
    documents.extend(unvalued.map(|(document, _)| *document));
    let mut encoder = Encoder::default();
    encoder.u32s(&documents);
    encoder.u32s(&starts);
    encoder.bytes
}
