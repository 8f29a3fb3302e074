//! Numbers decimals by their place among the distinct ones, so that a fast field can sort by them.

use std::ops::Range;

use outfall_query::ValueMeasure;
use outfall_records::{Decimal, Tables, Unit};
use outfall_request::{Bound, ValueRange, ValueUnit};

/// The distinct values of one kind of record, ascending.
#[derive(Debug, Default)]
pub(crate) struct DistinctValues(Vec<Decimal>);

impl DistinctValues {
    pub(crate) fn of(tables: &Tables, compared: ValueMeasure) -> Self {
        let records = tables.records();
        let values = records.filter_map(|record| compared.value(record.value(), record.unit()));
        let mut distinct: Vec<Decimal> = values.collect();
        distinct.sort_unstable();
        distinct.dedup();
        Self(distinct)
    }

    pub(crate) fn get(&self, ordinal: u64) -> Option<Decimal> {
        self.0.get(usize::try_from(ordinal).ok()?).copied()
    }

    pub(crate) fn ordinal(&self, value: Decimal) -> Option<u64> {
        self.0.binary_search(&value).ok().map(|place| place as u64)
    }

    /// The ordinals of the values within `bounds`, which are in `unit`.
    pub(crate) fn within(&self, bounds: &ValueRange, unit: ValueUnit) -> Range<u64> {
        // Masses are kept in kilograms.
        let power = match unit {
            ValueUnit::Mass(Unit::Tonnes) => 3,
            ValueUnit::Mass(Unit::Grams) => -3,
            _ => 0,
        };
        let first_where = |passes: &dyn Fn(Bound) -> bool| {
            self.0.partition_point(|value| !passes(Bound::from(*value))) as u64
        };
        let (min, max) = (bounds.min.as_ref(), bounds.max.as_ref());
        let (min, max) = (min.map(|min| min.shifted(power)), max.map(|max| max.shifted(power)));
        let start = min.map_or(0, |min| first_where(&|value| value >= min));
        let end = max.map_or(self.0.len() as u64, |max| first_where(&|value| value > max));
        start..end
    }
}
