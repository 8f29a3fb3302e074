//! Records drawn from a build, which the loaded index must find before it is published, and the sum
//! of all.

use outfall_records::{Amount, KindInfo, Record, RecordKind, Tables};
use outfall_request::text::{Clause, Pattern, TextQuery, TextUnit, UnitForm};
use outfall_request::{
    Facet, FacetSum, Filters, Page, RecordIdFilter, SearchBackend, SearchPage, SearchRequest, Start,
};

use crate::{ClusterError, OpenSearchBackend};

/// How many records are drawn.
const SIZE: usize = 16;

/// What the loaded index must answer.
#[derive(Debug)]
pub(super) struct Sample {
    every: usize,
    records: Vec<Record>,
    sum: FacetSum,
}

impl Sample {
    pub(super) fn new(tables: &Tables) -> Self {
        let every = tables.len().div_ceil(SIZE).max(1);
        Self { every, records: Vec::new(), sum: FacetSum::zero(tables.record_kind()) }
    }

    /// Adds the amount of a record to the sum, and keeps the record if its place is drawn.
    pub(super) fn see(&mut self, place: usize, record: &Record, amount: Amount) {
        self.sum.add(amount, record.unit());
        if place.is_multiple_of(self.every) {
            self.records.push(record.clone());
        }
    }

    /// Compares what the index answers with the records.
    pub(super) fn check(
        &self,
        opened: &OpenSearchBackend,
        record_kind: RecordKind,
        info: &KindInfo,
    ) -> Result<(), ClusterError> {
        let differs =
            |what: &str| ClusterError::Disagrees { reason: format!("{record_kind}: {what}") };
        let all = SearchRequest::all(record_kind);
        let mut totals =
            SearchRequest { page: Page { start: Start::Offset(0), limit: 0 }, ..all.clone() };
        totals.facets.wanted = vec![Facet::Year];
        let found = search(opened, &totals)?;
        let years = found.facets.tables.iter().flat_map(|table| &table.entries);
        let years =
            years.map(|entry| (entry.value.as_ref().map(|year| year.value.clone()), entry.count));
        let expected = info.years.iter().map(|(year, count)| (Some(year.to_string()), *count));
        if found.total != info.records || !years.eq(expected) {
            return Err(differs("its years are not those of the records"));
        }
        let years = found.facets.tables.iter().flat_map(|table| &table.entries);
        let sums = years.map(|entry| entry.sum);
        let found = sums.reduce(plus).unwrap_or(FacetSum::zero(record_kind));
        if found != self.sum {
            return Err(differs("its sum is not that of the records"));
        }
        for record in &self.records {
            let id = record.record_id();
            let ids = vec![RecordIdFilter(id.clone())];
            let filters = Filters { record_ids: ids, ..Filters::default() };
            let request = SearchRequest { text: by_its_texts(record), filters, ..all.clone() };
            let json = serde_json::to_vec(record);
            let json = json.map_err(|error| ClusterError::unexpected(error.to_string()))?;
            if search(opened, &request)?.records.joined() != json {
                return Err(differs(&format!("it does not find {id} by its texts, as it is")));
            }
        }
        Ok(())
    }
}

/// A query for the records that have every text of this one.
fn by_its_texts(record: &Record) -> TextQuery {
    let unit = |text: &str| {
        let pattern = Pattern::new(text, UnitForm::Phrase)?;
        let (written, text) = (format!("\"{text}\""), text.to_owned());
        Some(TextUnit { is_excluded: false, written, text, pattern })
    };
    let clause = |text: &str| unit(text).map(|unit| Clause { units: vec![unit] });
    let clauses = record.texts().iter().filter_map(|text| clause(&text.text)).collect();
    TextQuery { clauses, ..TextQuery::default() }
}

fn plus(a: FacetSum, b: FacetSum) -> FacetSum {
    let part = |a: Option<Amount>, b: Option<Amount>| match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
    match (a, b) {
        (FacetSum::Emission { tonnes: a }, FacetSum::Emission { tonnes: b }) => {
            FacetSum::Emission { tonnes: a + b }
        }
        (
            FacetSum::Release { kilograms: a, grams_teq: a_teq },
            FacetSum::Release { kilograms: b, grams_teq: b_teq },
        ) => FacetSum::Release { kilograms: part(a, b), grams_teq: part(a_teq, b_teq) },
        // The years of one kind have sums of one kind.
        (a, _) => a,
    }
}

fn search(opened: &OpenSearchBackend, request: &SearchRequest) -> Result<SearchPage, ClusterError> {
    opened.search(request).map_err(|error| ClusterError::Disagrees { reason: error.to_string() })
}
