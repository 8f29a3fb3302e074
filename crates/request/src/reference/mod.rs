//! The slow, obviously right backend: the executable meaning of the contract.
//!
//! Every request looks at every record with plain `if`s, sorts all matches and cuts the page out.
//! It shares nothing with the embedded backend but the tokens, the request, the cursor and
//! exact sums.

mod facets;
mod record;
mod text;
mod words;

use std::cmp::Ordering;
use std::time::Instant;

use outfall_records::{DatasetInfo, PerKind, Record, RecordKind};

pub(crate) use self::record::FilteredRecord;
use self::record::SearchedRecord;
use self::text::{FoundUnit, ReferenceTexts};
use self::words::ReferenceWords;
use crate::{
    Cursor, CursorKey, Explanation, RecordsJson, SearchBackend, SearchError, SearchPage,
    SearchRequest, SortKey, SortOrder, Start, Stop, UnitCounts, ValueUnit,
};

/// Answers by looking at every record.
#[derive(Debug)]
pub struct ReferenceBackend {
    records: Vec<SearchedRecord>,
    texts: ReferenceTexts,
    words: PerKind<ReferenceWords>,
    dataset: DatasetInfo,
}

/// A matching record and its sort key.
struct Match<'a> {
    record: &'a SearchedRecord,
    key: CursorKey,
}

impl ReferenceBackend {
    /// A backend over records of both kinds, in any order.
    #[must_use]
    pub fn new(records: impl IntoIterator<Item = Record>, dataset: DatasetInfo) -> Self {
        let mut texts = ReferenceTexts::default();
        let records = records.into_iter().map(|record| SearchedRecord::new(record, &mut texts));
        let records: Vec<SearchedRecord> = records.collect();
        let of = |kind| {
            records
                .iter()
                .map(|found| &found.record)
                .filter(move |record| record.record_kind() == kind)
        };
        let words = PerKind {
            releases: ReferenceWords::of(of(RecordKind::Release)),
            emissions: ReferenceWords::of(of(RecordKind::Emission)),
        };
        Self { records, texts, words, dataset }
    }

    /// The records that pass every filter but `q`.
    fn filtered(&self, request: &SearchRequest) -> Result<Vec<&SearchedRecord>, SearchError> {
        let mut filtered = Vec::new();
        for record in &self.records {
            let is_late = request.deadline.is_some_and(|deadline| Instant::now() > deadline);
            if is_late || request.stop.as_ref().is_some_and(Stop::is_set) {
                return Err(SearchError::TimedOut);
            }
            if record.passes_filters(request, &self.texts) {
                filtered.push(record);
            }
        }
        Ok(filtered)
    }
}

impl SearchBackend for ReferenceBackend {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        let find = |unit| FoundUnit::new(unit, &self.texts);
        let clauses = request.text.clauses.iter();
        let clauses: Vec<Vec<FoundUnit<'_>>> =
            clauses.map(|clause| clause.units.iter().map(find).collect()).collect();
        let filtered = self.filtered(request)?;
        let mut matches = Vec::new();
        for record in &filtered {
            let passes = |unit: &FoundUnit<'_>| record.passes_unit(unit);
            if clauses.iter().all(|units| units.iter().any(passes)) {
                let key = sort_key(request, record, &clauses);
                matches.push(Match { record, key });
            }
        }
        matches.sort_by(|a, b| compare(request, (a.key, a.id()), (b.key, b.id())));

        let (skipped, offset) = match &request.page.start {
            Start::Offset(offset) => ((*offset as usize).min(matches.len()), u64::from(*offset)),
            Start::After(cursor) => {
                let end = (cursor.key(), cursor.record_id());
                let is_before = |found: &Match<'_>| {
                    compare(request, (found.key, found.id()), end) != Ordering::Greater
                };
                (matches.partition_point(is_before), cursor.position())
            }
        };
        let rest = &matches[skipped..];
        let page = &rest[..rest.len().min(request.page.limit as usize)];
        let next = page.last().filter(|_| page.len() < rest.len()).map(|last| {
            let position = offset + page.len() as u64;
            Cursor::after(request, last.key, last.id().to_owned(), position)
        });
        let matching: Vec<&SearchedRecord> = matches.iter().map(|found| found.record).collect();
        let explanation = match matches.is_empty() {
            true => Explanation::of(self, request, self.words.of(request.record_kind))?,
            false => None,
        };
        Ok(SearchPage {
            build_id: self.dataset.build_id.clone(),
            total: matches.len() as u64,
            offset,
            records: json(page)?,
            next,
            units: unit_counts(request, &matches),
            explanation,
            facets: facets::tables(request, &self.records, &matching),
        })
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

impl Match<'_> {
    fn id(&self) -> &str {
        &self.record.record_id
    }
}

fn sort_key(
    request: &SearchRequest,
    record: &SearchedRecord,
    clauses: &[Vec<FoundUnit<'_>>],
) -> CursorKey {
    match request.sort.by {
        SortKey::Year => CursorKey::Year(record.record.year().get()),
        SortKey::Value => CursorKey::Value(record.value(request)),
        SortKey::Relevance => {
            let units = clauses.iter().flatten();
            CursorKey::Relevance(units.map(|unit| u32::from(record.is_named_by(unit))).sum())
        }
    }
}

/// The order of two records, each by its key and its id.
fn compare(request: &SearchRequest, a: (CursorKey, &str), b: (CursorKey, &str)) -> Ordering {
    let directed = |ascending: Ordering| match request.sort.order {
        SortOrder::Asc => ascending,
        SortOrder::Desc => ascending.reverse(),
    };
    let by_key = match (a.0, b.0) {
        (CursorKey::Year(a), CursorKey::Year(b)) => directed(a.cmp(&b)),
        (CursorKey::Relevance(a), CursorKey::Relevance(b)) => directed(a.cmp(&b)),
        (CursorKey::Value(Some(a)), CursorKey::Value(Some(b))) => directed(a.cmp(&b)),
        // Records without a value come last in both directions.
        (CursorKey::Value(Some(_)), CursorKey::Value(None)) => Ordering::Less,
        (CursorKey::Value(None), CursorKey::Value(Some(_))) => Ordering::Greater,
        // Keys of two kinds never meet: `Cursor::differences` reports such a cursor.
        _ => Ordering::Equal,
    };
    by_key.then_with(|| a.1.cmp(b.1))
}

fn json(page: &[Match<'_>]) -> Result<RecordsJson, SearchError> {
    let mut records = RecordsJson::default();
    for found in page {
        let json = serde_json::to_vec(&found.record.record);
        let json = json.map_err(|error| SearchError::Engine(error.to_string()))?;
        records.push_with(|body| body.extend(json));
    }
    Ok(records)
}

/// Matches by unit, when quantities are compared as published, each in its own unit.
fn unit_counts(request: &SearchRequest, matches: &[Match<'_>]) -> Option<UnitCounts> {
    let compares_values = request.filters.values.is_bounded() || request.sort.by == SortKey::Value;
    let as_published = request.value_unit == ValueUnit::Reported;
    if !request.record_kind.has_units() || !compares_values || !as_published {
        return None;
    }
    let mut counts = UnitCounts::default();
    let units = matches.iter().filter_map(|found| found.record.record.unit());
    units.for_each(|unit| counts.add(unit, 1));
    Some(counts)
}
