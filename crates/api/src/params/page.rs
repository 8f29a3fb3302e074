//! `limit`, `offset` and `cursor`: which part of the matches to answer with.

use outfall_request::{Cursor, Page, SearchRequest, Start};

use super::fault::ParameterFault;
use super::raw::RawParams;
use super::read::Parsed;
use super::table::Name;

/// Reads the page, and the cursor if there is one. The caller must still compare it with the rest
/// of the request, by [`check_cursor`].
pub(crate) fn page(raw: &mut RawParams) -> (Page, Option<Parsed<Cursor>>) {
    let limit = raw.read_integer(Name::Limit);
    let offset = raw.read_integer(Name::Offset);
    let cursor = raw.read_one(Name::Cursor, |text| {
        Cursor::decode(text).map_err(|_| ParameterFault::DamagedCursor)
    });
    if let Some(offset) = offset.as_ref().filter(|offset| offset.value > 0)
        && raw.is_given(Name::Cursor)
    {
        raw.refuse(&offset.given, ParameterFault::CursorWithOffset);
    }
    let start = match &cursor {
        Some(cursor) => Start::After(cursor.value.clone()),
        None => Start::Offset(offset.map_or(0, |offset| offset.value)),
    };
    let limit = limit.map_or(Page::DEFAULT_LIMIT, |limit| limit.value);
    (Page { start, limit }, cursor)
}

/// Reads which part of the matches an export holds; all of them by default.
pub(crate) fn export(raw: &mut RawParams) -> Page {
    let limit = raw.read_count(Name::Limit);
    let offset = raw.read_count(Name::Offset);
    for cursor in raw.values(Name::Cursor) {
        raw.refuse(&cursor, ParameterFault::CursorWithExport);
    }
    Page {
        start: Start::Offset(offset.map_or(0, |offset| offset.value)),
        limit: limit.map_or(u32::MAX, |limit| limit.value),
    }
}

/// Refuses a cursor that belongs to another request.
///
/// Parameters that are already refused are not named again.
pub(crate) fn check_cursor(raw: &mut RawParams, cursor: &Parsed<Cursor>, request: &SearchRequest) {
    let mut differences = cursor.value.differences(request);
    differences.retain(|name| !raw.is_refused(name));
    if !differences.is_empty() {
        raw.refuse(&cursor.given, ParameterFault::CursorMismatch(differences));
    }
}
