//! The search of a checked request, as every front end does it.

use std::time::Instant;

use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};

use crate::CheckedRequest;

/// Searches. If nothing matches, searches once more to explain why: what each word and each filter
/// matches by itself.
///
/// # Errors
/// Those of the backend; all of it must be done by `deadline`.
pub fn search(
    backend: &dyn SearchBackend,
    checked: &CheckedRequest,
    deadline: Option<Instant>,
) -> Result<SearchPage, SearchError> {
    let mut request = SearchRequest { deadline, ..checked.search.clone() };
    let page = backend.search(&request)?;
    if page.total > 0 {
        return Ok(page);
    }
    let given = checked.given_filters();
    if given.is_empty() && request.text.is_empty() {
        return Ok(page);
    }
    request.explain = Some(given);
    // A remote engine may have newer data by now, so this page replaces the first one.
    backend.search(&request)
}
