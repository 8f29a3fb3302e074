//! The value that `value_min`, `value_max` and `sort_by=value` compare, and its unit.

use std::ops::Range;

use outfall_records::{Decimal, RecordKind, Unit};
use outfall_request::{Bound, SearchRequest, ValueRange, ValueUnit};

use crate::index::{Kind, ValueMeasure, ValueOrder};

/// The value that bounds and the sort by value compare, and its unit.
#[derive(Clone, Copy)]
pub(crate) struct ValueFilter {
    pub(crate) compared: ValueMeasure,
    /// The unit of the caller's masses.
    unit: Unit,
}

impl ValueFilter {
    pub(crate) fn of(request: &SearchRequest) -> Self {
        match (request.record_kind, request.value_unit) {
            (RecordKind::Release, ValueUnit::Mass(unit)) => {
                Self { compared: ValueMeasure::Mass, unit }
            }
            (RecordKind::Release, ValueUnit::GramsTeq) => {
                Self { compared: ValueMeasure::GramsTeq, unit: Unit::GramsTeq }
            }
            (RecordKind::Emission, _) | (_, ValueUnit::Reported) => {
                Self { compared: ValueMeasure::Reported, unit: Unit::Kilograms }
            }
        }
    }

    /// Converts a bound to the unit of the order, which compares masses in kilograms.
    fn bound(&self, bound: &Bound) -> Bound {
        match (self.compared, self.unit) {
            (ValueMeasure::Mass, Unit::Tonnes) => bound.shifted(3),
            (ValueMeasure::Mass, Unit::Grams) => bound.shifted(-3),
            _ => bound.clone(),
        }
    }

    /// The ordinals of the values within the bounds.
    pub(crate) fn within(&self, kind: &Kind, bounds: &ValueRange) -> Range<usize> {
        let order = kind.order(self.compared);
        let least = bounds.min.as_ref().map(|min| self.bound(min).ceil());
        let most = bounds.max.as_ref().map(|max| self.bound(max).floor());
        let first = least.map_or(0, |least| self.first_at_least(kind, order, least));
        let end = most.map_or(order.distinct(), |most| self.first_above(kind, order, most));
        first..end.max(first)
    }

    /// The value of a document in the caller's unit.
    pub(crate) fn value(&self, kind: &Kind, document: u32) -> Option<Decimal> {
        let (quantity, unit) = kind.record(document).quantity();
        match (self.compared, unit) {
            (ValueMeasure::Mass, Some(unit)) => unit.convert(quantity, self.unit),
            (compared, unit) => compared.value(quantity, unit),
        }
    }

    /// The first ordinal of `order` whose value is at least `value`.
    pub(crate) fn first_at_least(&self, kind: &Kind, order: &ValueOrder, value: Decimal) -> usize {
        self.partition_point(kind, order, |other| other < value)
    }

    /// The first ordinal of `order` whose value is above `value`.
    pub(crate) fn first_above(&self, kind: &Kind, order: &ValueOrder, value: Decimal) -> usize {
        self.partition_point(kind, order, |other| other <= value)
    }

    /// Values are compared as the order does: masses in kilograms.
    fn partition_point(
        &self,
        kind: &Kind,
        order: &ValueOrder,
        is_before: impl Fn(Decimal) -> bool,
    ) -> usize {
        let distinct = &order.starts[..order.starts.len() - 1];
        distinct.partition_point(|start| {
            let (quantity, unit) = kind.record(order.documents[*start as usize]).quantity();
            self.compared.value(quantity, unit).is_some_and(&is_before)
        })
    }

    /// Converts a value from the caller's unit to that of the order.
    pub(crate) fn ordered(&self, value: Decimal) -> Option<Decimal> {
        match self.compared {
            ValueMeasure::Mass => self.unit.kilograms(value),
            ValueMeasure::Reported | ValueMeasure::GramsTeq => Some(value),
        }
    }
}
