//! Whether one record passes, filter by filter.

use outfall_records::{Decimal, Record, Unit};

use super::text::{FoundUnit, ReferenceTexts};
use crate::{Bound, SearchRequest, SubstanceFilter, ValueUnit};

/// A record, and by number the texts that it is found by.
#[derive(Debug)]
pub(super) struct SearchedRecord {
    pub(super) record: Record,
    pub(super) record_id: String,
    texts: Vec<RecordText>,
    /// Every name that its substance ever had.
    substance_names: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct RecordText {
    number: usize,
    is_name: bool,
}

impl SearchedRecord {
    pub(super) fn new(record: Record, texts: &mut ReferenceTexts) -> Self {
        let own_texts = record.texts().into_iter().map(|text| RecordText {
            number: texts.number_of(&text.text),
            is_name: text.field.is_name(),
        });
        let own_texts = own_texts.collect();
        let names = record.substance().into_iter().flat_map(|it| &it.every_name);
        let substance_names = names.map(|name| texts.number_of(name)).collect();
        Self { texts: own_texts, substance_names, record_id: record.record_id(), record }
    }

    /// Whether the record is of the kind asked for and passes every filter but `q`.
    pub(super) fn passes_filters(&self, request: &SearchRequest, texts: &ReferenceTexts) -> bool {
        let site = self.record.site();
        let filters = &request.filters;
        if self.record.entity() != request.entity {
            return false;
        }
        if !filters.provinces.is_empty() {
            let is_kept = |province| filters.provinces.contains(&province);
            if !site.province.is_some_and(is_kept) {
                return false;
            }
        }
        if !filters.facilities.is_empty() {
            let is_kept = |key| filters.facilities.contains(&key);
            if !site.facility_keys().any(is_kept) {
                return false;
            }
        }
        if !filters.naics.is_empty() {
            let is_kept = |code| filters.naics.iter().any(|branch| branch.contains(code));
            if !site.naics_code.as_ref().is_some_and(is_kept) {
                return false;
            }
        }
        if !filters.substances.is_empty() {
            let passes = |filter| self.passes_substance(filter, texts);
            if !filters.substances.iter().any(passes) {
                return false;
            }
        }
        if !filters.record_ids.is_empty() && !filters.record_ids.contains(&self.record_id) {
            return false;
        }
        if !filters.years.contains(self.record.year().get()) {
            return false;
        }
        self.passes_values(request)
    }

    /// Each word may stand in another of the names.
    fn passes_substance(&self, filter: &SubstanceFilter, texts: &ReferenceTexts) -> bool {
        let Some(substance) = self.record.substance() else {
            return false;
        };
        match filter {
            SubstanceFilter::Id(id) => substance.id == *id,
            SubstanceFilter::Words(words) => words.iter().all(|word| {
                let mut names = self.substance_names.iter();
                names.any(|name| texts.holds(*name, word))
            }),
        }
    }

    fn passes_values(&self, request: &SearchRequest) -> bool {
        let values = &request.filters.values;
        if !values.is_bounded() {
            return true;
        }
        let Some(value) = self.value(request).map(Bound::from) else {
            return false;
        };
        values.min.as_ref().is_none_or(|min| *min <= value)
            && values.max.as_ref().is_none_or(|max| value <= *max)
    }

    /// The value that the request compares, if the record has it.
    pub(super) fn value(&self, request: &SearchRequest) -> Option<Decimal> {
        let value = self.record.value();
        match (self.record.unit(), request.value_unit) {
            (None, _) | (_, ValueUnit::Reported) => Some(value),
            (Some(unit), ValueUnit::Mass(to)) => unit.convert(value, to),
            (Some(unit), ValueUnit::GramsTeq) => (unit == Unit::GramsTeq).then_some(value),
        }
    }

    /// Whether some text holds the unit, or none does when it is excluded.
    pub(super) fn passes_unit(&self, unit: &FoundUnit<'_>) -> bool {
        self.texts.iter().any(|text| unit.is_in[text.number]) != unit.unit.is_excluded
    }

    /// Whether the unit counts for the relevance of the record: it stands in a name.
    pub(super) fn is_named_by(&self, unit: &FoundUnit<'_>) -> bool {
        let mut names = self.texts.iter().filter(|text| text.is_name);
        !unit.unit.is_excluded && names.any(|text| unit.is_in[text.number])
    }
}
