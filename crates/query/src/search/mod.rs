//! The backend over a published generation.
//!
//! Words and phrases are looked up among the distinct texts that the dimensions of records (sites,
//! substances, media, years) show. Each dimension lists its documents, and the matches are a set of
//! document numbers. Documents are numbered in canonical order, so the default order, a range of
//! years and the default cursor cost nothing.

mod body;
mod deadline;
mod facets;
mod index;
mod lower;
mod page;
mod places;
mod region;
mod sets;
mod texts;
mod union;
mod values;
mod words;

use std::path::Path;

use outfall_records::{DatasetInfo, PerKind};
use outfall_request::{
    Cursor, Explanation, FacetTables, RecordsJson, SearchBackend, SearchError, SearchPage,
    SearchRequest, SortKey, Start, UnitCounts, ValueUnit,
};

use self::index::KindIndex;
use self::lower::{Lowering, Matches};
use crate::index::{Generation, IndexError};

/// Answers requests from one generation, all of it in memory.
#[derive(Debug)]
pub struct EmbeddedBackend {
    dataset: DatasetInfo,
    kinds: PerKind<KindIndex>,
}

impl EmbeddedBackend {
    /// Opens the generation that `CURRENT` of a data directory names.
    ///
    /// # Errors
    /// See [`Generation::open`].
    pub fn open(data: &Path) -> Result<Self, IndexError> {
        Generation::open(data).map(Self::from)
    }
}

impl From<Generation> for EmbeddedBackend {
    fn from(Generation { dataset, kinds, .. }: Generation) -> Self {
        Self { dataset, kinds: kinds.map(KindIndex::new) }
    }
}

impl SearchBackend for EmbeddedBackend {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        let kind = self.kinds.of(request.record_kind);
        let lowering = Lowering::new(kind, request);
        let matches = lowering.matches()?;
        let total = matches.total as u64;
        let selected = page::select(&lowering, &matches)?;
        let offset = match &request.page.start {
            Start::Offset(offset) => u64::from(*offset),
            Start::After(cursor) => cursor.position(),
        };
        let next = selected.end.map(|(key, last)| {
            let position = offset + selected.documents.len() as u64;
            Cursor::after(request, key, kind.record_id(last), position)
        });
        let mut records = RecordsJson::with_room(selected.documents.len());
        for document in &selected.documents {
            records.push_with(|body| body::write_record(kind, *document, body));
        }
        let explanation = match total {
            0 => Explanation::of(self, request, kind)?,
            _ => None,
        };
        let units = match compares_published(request) {
            true => Some(unit_counts(&lowering, &matches)?),
            false => None,
        };
        let facets = match request.facets.is_empty() {
            true => FacetTables::default(),
            false => kind.facets().tables(kind, &matches.rows, request, &lowering.deadline)?,
        };
        let build_id = self.dataset.build_id.clone();
        Ok(SearchPage { build_id, total, offset, records, next, units, explanation, facets })
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

/// Whether quantities are compared as published, each in its own unit.
fn compares_published(request: &SearchRequest) -> bool {
    request.record_kind.has_units()
        && request.value_unit == ValueUnit::Reported
        && (request.filters.values.is_bounded() || request.sort.by == SortKey::Value)
}

/// Counts the matches by unit. Every release has one unit, so the commonest gets what the others
/// leave.
fn unit_counts(lowering: &Lowering<'_>, matches: &Matches) -> Result<UnitCounts, SearchError> {
    let mut counts = UnitCounts::default();
    let mut left = matches.total as u64;
    let units = lowering.kind.units();
    for other in &units.others {
        let count = match &matches.places {
            Some(places) => lowering.count_at(places, &matches.rows, Some(other))?,
            None => matches.rows.count_common(&other.documents),
        };
        counts.add(other.unit, count as u64);
        left -= count as u64;
    }
    if let Some(commonest) = units.commonest {
        counts.add(commonest, left);
    }
    Ok(counts)
}
