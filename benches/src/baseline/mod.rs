//! The plain way: what an engineer would build with tantivy on the first day, but exact.
//!
//! It indexes one document per record, with all texts in one field and fast fields to sort by,
//! searches with the stock collectors `(TopDocs, Count)`, and sends bodies as `serde_json` wrote
//! them. The embedded backend is measured against it. Where the engine itself gives no exact answer
//! (ties, decimals, counts by unit), it takes the simplest detour, because comparing with a wrong
//! baseline would prove nothing.

mod build;
mod documents;
mod facets;
mod fields;
mod lower;
mod places;
mod values;

use anyhow::Context;
use outfall_indexer::Dataset;
use outfall_query::ValueMeasure;
use outfall_records::{DatasetInfo, PerKind, Unit};
use outfall_request::{
    Cursor, CursorKey, RecordsJson, SearchBackend, SearchError, SearchPage, SearchRequest, SortKey,
    Start, UnitCounts, ValueUnit,
};
use tantivy::collector::Count;
use tantivy::{DocAddress, TantivyError};

pub use self::build::{PlainIndex, Segments};
use self::documents::StoredRecord;
use self::lower::Lowering;

/// Answers with the stock parts of the engine, from memory.
#[derive(Debug)]
pub struct PlainBackend {
    kinds: PerKind<PlainIndex>,
    dataset: DatasetInfo,
}

impl PlainBackend {
    /// Indexes all records.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn build(dataset: &Dataset, segments: Segments) -> anyhow::Result<Self> {
        let index = |tables| PlainIndex::build(tables, segments);
        Ok(Self {
            kinds: PerKind {
                releases: index(&dataset.tables.releases).context("releases")?,
                emissions: index(&dataset.tables.emissions).context("emissions")?,
            },
            dataset: DatasetInfo::default(),
        })
    }

    /// Keeps the values of every record in columns, which only facets need.
    pub fn count_facets(&mut self, dataset: &Dataset) {
        self.kinds.releases.count_facets(&dataset.tables.releases);
        self.kinds.emissions.count_facets(&dataset.tables.emissions);
    }

    /// The bytes of both indexes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.kinds.each().map(PlainIndex::bytes).iter().sum()
    }
}

/// The measure that `value_*` and `sort_by=value` compare.
pub(crate) const fn compared(unit: ValueUnit) -> ValueMeasure {
    match unit {
        ValueUnit::Reported => ValueMeasure::Reported,
        ValueUnit::Mass(_) => ValueMeasure::Mass,
        ValueUnit::GramsTeq => ValueMeasure::GramsTeq,
    }
}

impl SearchBackend for PlainBackend {
    /// Answers every request except those sorted by relevance, which the engine defines differently
    /// from the contract. Ignores deadlines, and explains nothing.
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        if request.sort.by == SortKey::Relevance {
            return Err(SearchError::Engine("no order by relevance".to_owned()));
        }
        let index = self.kinds.of(request.record_kind);
        let page = search(index, request);
        let page = page.map_err(|error| SearchError::Engine(error.to_string()))?;
        Ok(SearchPage { build_id: self.dataset.build_id.clone(), ..page })
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

fn search(index: &PlainIndex, request: &SearchRequest) -> Result<SearchPage, TantivyError> {
    let lowering = Lowering { index, request };
    // The engine cannot resume after a given record, so it skips to a position.
    let offset = match &request.page.start {
        Start::Offset(offset) => u64::from(*offset),
        Start::After(cursor) => cursor.position(),
    };
    let matches = lowering.matches();
    let (total, addresses) = index.top(&matches, request, offset)?;
    let facets = index.facets(&matches, request)?;
    let mut records = RecordsJson::default();
    let mut last = None;
    for address in addresses {
        let stored = index.stored(address)?;
        records.push_with(|body| body.extend_from_slice(&stored.json));
        last = Some((address, stored));
    }
    let end = offset + records.len() as u64;
    let next = match last {
        Some((address, stored)) if end < total => cursor(index, request, address, stored, end)?,
        _ => None,
    };
    let units = match compares_published(request) {
        true => Some(unit_counts(&lowering)?),
        false => None,
    };
    let build_id = String::new();
    Ok(SearchPage { build_id, total, offset, records, next, units, explanation: None, facets })
}

fn cursor(
    index: &PlainIndex,
    request: &SearchRequest,
    address: DocAddress,
    stored: StoredRecord,
    position: u64,
) -> Result<Option<Cursor>, TantivyError> {
    let year = index.fast(address, "year")?.and_then(|year| u16::try_from(year).ok());
    let compared = compared(request.value_unit);
    let ordinal = index.fast(address, fields::value_name(compared))?;
    let value = ordinal.and_then(|ordinal| index.values(compared).get(ordinal));
    let value = value.and_then(|value| match request.value_unit {
        ValueUnit::Mass(unit) => Unit::Kilograms.convert(value, unit),
        ValueUnit::Reported | ValueUnit::GramsTeq => Some(value),
    });
    let key = match request.sort.by {
        SortKey::Year => CursorKey::Year(year.unwrap_or_default()),
        SortKey::Value => CursorKey::Value(value),
        // The baseline does not order by relevance.
        SortKey::Relevance => return Ok(None),
    };
    Ok(Some(Cursor::after(request, key, stored.record_id, position)))
}

/// Whether quantities are compared as published, each in its own unit.
fn compares_published(request: &SearchRequest) -> bool {
    request.record_kind.has_units()
        && request.value_unit == ValueUnit::Reported
        && (request.filters.values.is_bounded() || request.sort.by == SortKey::Value)
}

fn unit_counts(lowering: &Lowering<'_>) -> Result<UnitCounts, TantivyError> {
    let mut counts = UnitCounts::default();
    for unit in Unit::ALL {
        let query = lowering.matches_in(unit);
        counts.add(unit, lowering.index.searcher().search(&query, &Count)? as u64);
    }
    Ok(counts)
}
