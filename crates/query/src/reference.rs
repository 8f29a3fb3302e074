//! The slow, obviously right backend: the executable meaning of the contract.
//!
//! Every request looks at every record with plain `if`s, sorts all matches and cuts the page out.
//! It shares nothing with the embedded backend but the tokens, the request and the cursor.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use outfall_records::text::tokens;
use outfall_records::{DatasetInfo, Decimal, Entity, Record, Unit};

use crate::cursor::{CursorKey, Fingerprint};
use crate::text::TextUnit;
use crate::{
    Cursor, RecordsJson, SearchBackend, SearchError, SearchPage, SearchRequest, SortKey, SortOrder,
    Start, SubstanceFilter, TermCount, UnitCounts, ValueUnit,
};

/// Answers by looking at every record.
#[derive(Debug)]
pub struct ReferenceBackend {
    records: Vec<TokenisedRecord>,
    dataset: DatasetInfo,
}

#[derive(Debug)]
struct TokenisedRecord {
    record: Record,
    record_id: String,
    texts: Vec<TokenisedText>,
}

/// One text of a record, as tokens.
#[derive(Clone, Debug)]
struct TokenisedText {
    is_name: bool,
    tokens: Arc<[String]>,
}

/// What a match is sorted by: the key, then the id.
#[derive(Clone, Copy)]
struct Position<'a> {
    key: CursorKey,
    record_id: &'a str,
}

impl ReferenceBackend {
    /// A backend over records of both kinds, in any order.
    #[must_use]
    pub fn new(records: impl IntoIterator<Item = Record>, dataset: DatasetInfo) -> Self {
        // The tokens of a text are looked up by the text, for most texts stand in many records.
        let mut known: HashMap<String, Arc<[String]>> = HashMap::new();
        let mut tokenise = |record: Record| {
            let texts = record.texts().into_iter().map(|text| TokenisedText {
                is_name: text.field.is_name(),
                tokens: known
                    .entry(text.text.clone().into_owned())
                    .or_insert_with(|| tokens(&text.text).into())
                    .clone(),
            });
            let texts = texts.collect();
            TokenisedRecord {
                record_id: record.record_id(),
                texts,
                record,
            }
        };
        Self {
            records: records.into_iter().map(&mut tokenise).collect(),
            dataset,
        }
    }
}

impl SearchBackend for ReferenceBackend {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        let mut filtered = Vec::new();
        for record in &self.records {
            if request
                .deadline
                .is_some_and(|deadline| Instant::now() > deadline)
            {
                return Err(SearchError::TimedOut);
            }
            if record.passes_filters(request) {
                filtered.push(record);
            }
        }
        let clauses = &request.text.clauses;
        let passes_text = |record: &&&TokenisedRecord| {
            clauses
                .iter()
                .all(|clause| clause.units.iter().any(|unit| record.passes_unit(unit)))
        };
        let matches = filtered.iter().filter(passes_text);
        let mut matches: Vec<(Position<'_>, &TokenisedRecord)> = matches
            .map(|record| (record.position(request), *record))
            .collect();
        matches.sort_by(|(a, _), (b, _)| compare(request, *a, *b));

        let (skipped, offset) = match &request.page.start {
            Start::Offset(offset) => ((*offset as usize).min(matches.len()), u64::from(*offset)),
            Start::After(cursor) => {
                let end = Position {
                    key: cursor.key,
                    record_id: &cursor.record_id,
                };
                let is_before = |(position, _): &(Position<'_>, _)| {
                    compare(request, *position, end) != Ordering::Greater
                };
                (matches.partition_point(is_before), cursor.position)
            }
        };
        let rest = &matches[skipped..];
        let page = &rest[..rest.len().min(request.page.limit as usize)];
        let mut records = RecordsJson::default();
        for (_, TokenisedRecord { record, .. }) in page {
            let json = serde_json::to_vec(record);
            let json = json.map_err(|error| SearchError::Engine(error.to_string()))?;
            records.push_with(|body| body.extend(json));
        }
        let next = page
            .last()
            .filter(|_| page.len() < rest.len())
            .map(|(last, _)| Cursor {
                key: last.key,
                record_id: last.record_id.to_owned(),
                position: offset + page.len() as u64,
                fingerprint: Fingerprint::of(request),
            });
        let counts_terms = matches.is_empty() && !request.text.is_empty();
        let terms = counts_terms.then(|| term_counts(request, &filtered));
        Ok(SearchPage {
            total: matches.len() as u64,
            offset,
            records,
            next,
            units: unit_counts(request, &matches),
            terms,
        })
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

/// Matches by unit, when published quantities of releases are compared.
fn unit_counts(
    request: &SearchRequest,
    matches: &[(Position<'_>, &TokenisedRecord)],
) -> Option<UnitCounts> {
    let compares_values = request.filters.values.is_bounded() || request.sort.by == SortKey::Value;
    let is_published = request.value_unit == ValueUnit::Reported;
    if request.entity != Entity::Release || !compares_values || !is_published {
        return None;
    }
    let mut counts = UnitCounts::default();
    for unit in matches
        .iter()
        .filter_map(|(_, record)| record.record.unit())
    {
        counts.add(unit, 1);
    }
    Some(counts)
}

fn term_counts(request: &SearchRequest, filtered: &[&TokenisedRecord]) -> Vec<TermCount> {
    let term = |unit: &TextUnit| {
        let passing = filtered.iter().filter(|record| record.passes_unit(unit));
        TermCount {
            text: unit.written.clone(),
            count: passing.count() as u64,
        }
    };
    request.text.units().map(term).collect()
}

fn compare(request: &SearchRequest, a: Position<'_>, b: Position<'_>) -> Ordering {
    let directed = |ascending: Ordering| match request.sort.order {
        SortOrder::Asc => ascending,
        SortOrder::Desc => ascending.reverse(),
    };
    let by_key = match (a.key, b.key) {
        (CursorKey::Year(a), CursorKey::Year(b)) => directed(a.cmp(&b)),
        (CursorKey::Relevance(a), CursorKey::Relevance(b)) => directed(a.cmp(&b)),
        (CursorKey::Value(Some(a)), CursorKey::Value(Some(b))) => directed(a.cmp(&b)),
        // Records without a value come last in both directions.
        (CursorKey::Value(Some(_)), CursorKey::Value(None)) => Ordering::Less,
        (CursorKey::Value(None), CursorKey::Value(Some(_))) => Ordering::Greater,
        _ => Ordering::Equal,
    };
    by_key.then_with(|| a.record_id.cmp(b.record_id))
}

impl TokenisedRecord {
    fn passes_filters(&self, request: &SearchRequest) -> bool {
        let record = &self.record;
        let filters = &request.filters;
        if record.entity() != request.entity {
            return false;
        }
        if !filters.provinces.is_empty()
            && !record
                .site()
                .province
                .is_some_and(|it| filters.provinces.contains(&it))
        {
            return false;
        }
        if !filters.facilities.is_empty()
            && !record
                .site()
                .facility_keys()
                .any(|key| filters.facilities.contains(&key))
        {
            return false;
        }
        let is_in = |branch: &outfall_records::NaicsBranch| {
            record
                .site()
                .naics_code
                .as_ref()
                .is_some_and(|code| branch.contains(code))
        };
        if !filters.naics.is_empty() && !filters.naics.iter().any(is_in) {
            return false;
        }
        if !filters.substances.is_empty()
            && !filters
                .substances
                .iter()
                .any(|filter| self.passes_substance(filter))
        {
            return false;
        }
        if !filters.record_ids.is_empty() && !filters.record_ids.contains(&self.record_id) {
            return false;
        }
        filters.years.contains(record.year().get()) && self.passes_values(request)
    }

    fn passes_substance(&self, filter: &SubstanceFilter) -> bool {
        let Some(substance) = self.record.substance() else {
            return false;
        };
        match filter {
            SubstanceFilter::Id(id) => substance.id == *id,
            SubstanceFilter::Words(words) => words.iter().all(|word| {
                substance
                    .every_name
                    .iter()
                    .any(|name| has_in_a_row(&tokens(name), word))
            }),
        }
    }

    fn passes_values(&self, request: &SearchRequest) -> bool {
        let values = &request.filters.values;
        if !values.is_bounded() {
            return true;
        }
        let Some(value) = self.value(request) else {
            return false;
        };
        values.min.as_ref().is_none_or(|min| min.ceil() <= value)
            && values.max.as_ref().is_none_or(|max| value <= max.floor())
    }

    /// The value that the request compares.
    fn value(&self, request: &SearchRequest) -> Option<Decimal> {
        let value = self.record.value();
        match (self.record.unit(), request.value_unit) {
            (None, _) | (_, ValueUnit::Reported) => Some(value),
            (Some(unit), ValueUnit::Mass(to)) => unit.convert(value, to),
            (Some(unit), ValueUnit::GramsTeq) => (unit == Unit::GramsTeq).then_some(value),
        }
    }

    fn passes_unit(&self, unit: &TextUnit) -> bool {
        self.holds(unit, |_| true) != unit.is_excluded
    }

    /// Whether a text that `looks_at` accepts holds the unit, excluded or not.
    fn holds(&self, unit: &TextUnit, looks_at: impl Fn(&TokenisedText) -> bool) -> bool {
        let alternatives = unit.alternatives();
        self.texts.iter().filter(|text| looks_at(text)).any(|text| {
            alternatives
                .iter()
                .any(|alternative| has_in_a_row(&text.tokens, alternative))
        })
    }

    fn position(&self, request: &SearchRequest) -> Position<'_> {
        let key = match request.sort.by {
            SortKey::Year => CursorKey::Year(self.record.year().get()),
            SortKey::Value => CursorKey::Value(self.value(request)),
            SortKey::Relevance => {
                let units = request.text.units().filter(|unit| !unit.is_excluded);
                let named = units.filter(|unit| self.holds(unit, |text| text.is_name));
                CursorKey::Relevance(named.count() as u32)
            }
        };
        Position {
            key,
            record_id: &self.record_id,
        }
    }
}

fn has_in_a_row(tokens: &[String], wanted: &[String]) -> bool {
    tokens
        .windows(wanted.len().max(1))
        .any(|window| window == wanted)
}
