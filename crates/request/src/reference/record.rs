//! Tests one record, filter by filter.

use std::borrow::Cow;

use outfall_records::{Amount, Decimal, Record, Unit};

use super::text::{FoundUnit, ReferenceTexts};
use crate::text::Pattern;
use crate::{Bound, SearchRequest, ValueUnit};

/// A record, and the numbers of the texts that it is found by.
#[derive(Debug)]
pub(super) struct SearchedRecord {
    pub(super) record: Record,
    pub(super) record_id: String,
    pub(super) amount: Amount,
    texts: Vec<RecordText>,
    /// Every name that its substance has had, by number.
    substance_names: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct RecordText {
    number: usize,
    is_name: bool,
}

impl SearchedRecord {
    #[expect(clippy::expect_used, reason = "records that cannot be added up are in no index")]
    pub(super) fn new(record: Record, texts: &mut ReferenceTexts) -> Self {
        let amount = Amount::of(record.value(), record.unit()).expect("an amount");
        let own_texts = record.texts().into_iter().map(|text| RecordText {
            number: texts.number_of(&text.text),
            is_name: text.field.is_name(),
        });
        let own_texts = own_texts.collect();
        let names = record.substance().into_iter().flat_map(|substance| &substance.every_name);
        let substance_names = names.map(|name| texts.number_of(name)).collect();
        Self { texts: own_texts, substance_names, record_id: record.record_id(), amount, record }
    }

    /// Whether the record is of the kind asked for and passes every filter but `q`.
    pub(super) fn passes_filters(&self, request: &SearchRequest, texts: &ReferenceTexts) -> bool {
        self.record.record_kind() == request.record_kind
            && request.filters.pass(&FilteredRecord { record: self, texts })
            && self.passes_values(request)
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

    /// Whether some text holds the unit or it abbreviates the substance; reversed if it is
    /// excluded.
    pub(super) fn passes_unit(&self, unit: &FoundUnit<'_>) -> bool {
        let holds = self.texts.iter().any(|text| unit.is_in[text.number]);
        (holds || self.is_abbreviated_by(unit)) != unit.unit.is_excluded
    }

    /// Whether the unit counts for the relevance of the record: it is not excluded, and a name
    /// holds it or it abbreviates the substance.
    pub(super) fn is_named_by(&self, unit: &FoundUnit<'_>) -> bool {
        let mut names = self.texts.iter().filter(|text| text.is_name);
        let is_named = names.any(|text| unit.is_in[text.number]) || self.is_abbreviated_by(unit);
        !unit.unit.is_excluded && is_named
    }

    fn is_abbreviated_by(&self, unit: &FoundUnit<'_>) -> bool {
        let substance = self.record.substance();
        let abbreviation = unit.unit.pattern.abbreviation;
        substance.zip(abbreviation).is_some_and(|(substance, known)| known.names(&substance.id))
    }
}

/// A record as filters see it.
pub(crate) struct FilteredRecord<'a> {
    record: &'a SearchedRecord,
    texts: &'a ReferenceTexts,
}

impl FilteredRecord<'_> {
    /// The record itself.
    pub(crate) fn record(&self) -> &Record {
        &self.record.record
    }

    /// Its id.
    pub(crate) fn record_id(&self) -> &str {
        &self.record.record_id
    }

    /// The tokens of one of its texts.
    pub(crate) fn tokens_of(&self, text: &str) -> Cow<'_, [String]> {
        self.texts.tokens_of(text)
    }

    /// Whether some name that its substance ever had holds the pattern.
    pub(crate) fn has_substance_name(&self, pattern: &Pattern) -> bool {
        self.record.substance_names.iter().any(|name| self.texts.holds(*name, pattern))
    }
}
