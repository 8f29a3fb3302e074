//! The backend: answers requests from the indexes of one generation.

use std::time::Instant;

use outfall_records::{DatasetInfo, RecordKind};
use outfall_request::{
    Explanation, FacetTables, SearchBackend, SearchError, SearchPage, SearchRequest,
};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::client::Body;
use crate::facets::{Matches, along_with_page};
use crate::lower::lower;
use crate::open::{self, search};
use crate::opened::Opened;
use crate::page::{counts_units, offset, page_of, records, unit_counts, units_aggregation};
use crate::{Client, ClusterError, Names};

/// The name of the aggregation that counts the matches by unit.
const UNITS: &str = "units";

/// Answers from a published generation, which stays the same one for as long as the backend lives.
#[derive(Debug)]
pub struct OpenSearchBackend {
    client: Client,
    opened: Opened,
}

impl OpenSearchBackend {
    /// Opens the published generation.
    ///
    /// # Errors
    /// [`ClusterError::NotServable`] when there is none, or it is not whole; those of the connection.
    pub fn open(client: &Client, names: &Names) -> Result<Self, ClusterError> {
        let number = open::published(client, names)?.ok_or_else(|| ClusterError::NotServable {
            alias: names.alias(RecordKind::Release),
            reason: "nothing is published".to_owned(),
        })?;
        Self::open_number(client, names, number)
    }

    /// The name of the published generation, if there is one, asked until a deadline.
    ///
    /// # Errors
    /// [`ClusterError::NotServable`] if the aliases lead to no generation; those of the connection.
    pub fn published(
        client: &Client,
        names: &Names,
        deadline: Instant,
    ) -> Result<Option<String>, ClusterError> {
        let published = open::published_until(client, names, Some(deadline))?;
        Ok(published.map(|number| names.generation(number)))
    }

    /// Opens a generation, published or not.
    pub(crate) fn open_number(
        client: &Client,
        names: &Names,
        number: u32,
    ) -> Result<Self, ClusterError> {
        Ok(Self { client: client.clone(), opened: open::open(client, names, number)? })
    }

    /// The name of the generation, such as `outfall-gen-000042`.
    #[must_use]
    pub fn generation(&self) -> &str {
        &self.opened.generation
    }

    fn answer(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        let kind = self.opened.kinds.of(request.record_kind);
        let ask = |body: Value| self.ask(&kind.index, &body, request.deadline);
        let query = lower(request, &kind.lists);
        let mut search = json!({"track_total_hits": true, "query": query});
        page_of(request, &mut search)?;
        let along = match request.facets.is_empty() {
            true => None,
            false => along_with_page(request, kind),
        };
        let is_along = along.is_some();
        let mut aggregations = along.unwrap_or_default();
        if counts_units(request) {
            aggregations.insert(UNITS.to_owned(), units_aggregation());
        }
        if !aggregations.is_empty() {
            search["aggs"] = aggregations.into();
        }
        let Answer { total, hits, mut aggregations } = ask(search)?;
        let (records, next) = records(request, hits)?;
        let units = match counts_units(request) {
            true => Some(unit_counts(aggregations.remove(UNITS).as_ref())?),
            false => None,
        };
        let explanation = match total {
            0 => Explanation::of(self, request, &kind.lists)?,
            _ => None,
        };
        let facets = match request.facets.is_empty() {
            true => FacetTables::default(),
            false => Matches { request, query: &query, total, kind, search: &ask }
                .tables(is_along.then_some(aggregations))?,
        };
        Ok(SearchPage {
            build_id: self.opened.dataset.build_id.clone(),
            total,
            offset: offset(request),
            records,
            next,
            units,
            explanation,
            facets,
        })
    }

    fn ask(
        &self,
        index: &str,
        body: &Value,
        deadline: Option<Instant>,
    ) -> Result<Answer, ClusterError> {
        search(&self.client, index, Body::Json(body), deadline)
    }
}

impl SearchBackend for OpenSearchBackend {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        self.answer(request)
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.opened.dataset
    }

    fn is_remote(&self) -> bool {
        true
    }
}
