//! Why nothing matches: what each unit of `q` and each filter matches by itself.
//!
//! The engine that found nothing counts these too, so that all counts are of the same data.

use crate::text::{Clause, TextQuery, TextUnit};
use crate::{Filters, Page, SearchBackend, SearchError, SearchRequest, Start};

/// A filter as the caller gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenFilter {
    /// The name of the parameter as written, which may be an alias.
    pub parameter: String,
    /// The value as written.
    pub value: String,
    /// This filter and no other.
    pub filters: Filters,
}

/// Why nothing matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Each unit of `q`, in the order written.
    pub terms: Vec<TermCount>,
    /// Each value of each filter, in the order of [`SearchRequest::explain`].
    pub filters: Vec<FilterCount>,
}

/// What a unit of `q` matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermCount {
    /// The unit as written, its `-` included.
    pub text: String,
    /// The records that it matches under the other filters.
    pub count: u64,
    /// The records that it matches by itself.
    pub count_alone: u64,
}

/// What a filter matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterCount {
    /// The name of the parameter as written.
    pub parameter: String,
    /// The value as written.
    pub value: String,
    /// The records that it matches by itself.
    pub count: u64,
}

impl Explanation {
    /// Explains why `request` matches nothing, if it is to be explained: an engine calls this with
    /// itself.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn of(
        backend: &dyn SearchBackend,
        request: &SearchRequest,
    ) -> Result<Option<Self>, SearchError> {
        let Some(given) = &request.explain else { return Ok(None) };
        let counter = Counter { backend, request };
        let terms = request.text.units().map(|unit| {
            Ok(TermCount {
                text: unit.written.clone(),
                count: counter.count(Some(unit), &request.filters)?,
                count_alone: counter.count(Some(unit), &Filters::default())?,
            })
        });
        let filters = given.iter().map(|given| {
            Ok(FilterCount {
                parameter: given.parameter.clone(),
                value: given.value.clone(),
                count: counter.count(None, &given.filters)?,
            })
        });
        let terms = terms.collect::<Result<_, SearchError>>()?;
        Ok(Some(Self { terms, filters: filters.collect::<Result<_, SearchError>>()? }))
    }
}

/// Counts within the deadline of a request, and in its unit of values.
struct Counter<'a> {
    backend: &'a dyn SearchBackend,
    request: &'a SearchRequest,
}

impl Counter<'_> {
    fn count(&self, unit: Option<&TextUnit>, filters: &Filters) -> Result<u64, SearchError> {
        let clauses = unit.map(|unit| Clause { units: vec![unit.clone()] });
        let SearchRequest { record_kind, value_unit, deadline, .. } = *self.request;
        let counted = SearchRequest {
            text: TextQuery { clauses: clauses.into_iter().collect(), ..TextQuery::default() },
            filters: filters.clone(),
            value_unit,
            page: Page { start: Start::Offset(0), limit: 0 },
            deadline,
            ..SearchRequest::all(record_kind)
        };
        Ok(self.backend.search(&counted)?.total)
    }
}
