//! Answers search requests, in the same way for both operations.

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, ETAG, LINK};
use actix_web::{HttpRequest, HttpResponse};
use outfall_api::{CheckedRequest, Problem, RawParams, canonical_query, envelope, places};
use outfall_records::RecordKind;
use outfall_request::Start;

use super::admitted::answer_to_caller;
use crate::admission::Party;
use crate::caller::Caller;
use crate::export;
use crate::http::{Encoding, EntityTag, accepted_format, accepted_language};
use crate::middleware::RequestLog;
use crate::state::AppState;

/// What a search answers with.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// A page of matches, or all of them in a file.
    Records,
    /// The places of the facilities of all matches.
    Places,
}

/// Answers with what is wanted, or with the problem that prevents it.
pub(super) async fn answer(
    request: &HttpRequest,
    state: &AppState,
    record_kind: RecordKind,
    wanted: Wanted,
) -> HttpResponse {
    answer_to_caller(request, state, async |caller, party| {
        let checked = checked_request(request, state, record_kind, wanted)?;
        found(request, state, &caller, party, (checked, wanted)).await
    })
    .await
}

fn checked_request(
    request: &HttpRequest,
    state: &AppState,
    record_kind: RecordKind,
    wanted: Wanted,
) -> Result<CheckedRequest, Problem> {
    let raw = RawParams::from_query_string(request.query_string(), record_kind);
    RequestLog::note(request, |log| log.parameters = raw.names());
    let checked = match wanted {
        Wanted::Records => {
            CheckedRequest::new(record_kind, raw, accepted_format(request.headers()))
        }
        Wanted::Places => CheckedRequest::of_places(record_kind, raw),
    };
    let checked = checked.map_err(Problem::InvalidParameters)?;
    if state.settings.slow_query.is_some() {
        RequestLog::note(request, |log| log.query.clone_from(&checked.q));
    }
    Ok(checked)
}

/// The records or the places as asked for, or 304 when the caller has them already.
async fn found(
    request: &HttpRequest,
    state: &AppState,
    caller: &Caller,
    party: Party,
    (mut checked, wanted): (CheckedRequest, Wanted),
) -> Result<HttpResponse, Problem> {
    let _slot = state.take_slot(caller)?;
    let backend = state.backend()?;
    let build_id = &backend.dataset().build_id;
    // The format of the answer is part of the canonical query, even when `Accept` chose it.
    let language = accepted_language(request.headers());
    let tag = EntityTag::new(build_id, request.path(), &canonical_query(&checked), language);
    let (mut response, is_known) = tag.begin(request.headers());
    response
        .insert_header((CACHE_CONTROL, "private, max-age=300"))
        .insert_header(("x-data-version", build_id.as_str()));
    if is_known {
        return Ok(response.finish());
    }
    if checked.format.is_export() {
        let place = match request.method() {
            &Method::HEAD => None,
            _ => Some(state.exports_of(caller).take(caller, request).await?),
        };
        return Ok(export::answer(request, state, party, &backend, checked, place, response));
    }
    let page = state.search(request, &party, &backend, &checked).await?;
    if page.build_id != *build_id {
        // The data of a remote engine changed in the meantime, and the answer comes from the new
        // data.
        let query = canonical_query(&checked);
        let tag = EntityTag::new(&page.build_id, request.path(), &query, language);
        response
            .insert_header((ETAG, tag.to_string()))
            .insert_header(("x-data-version", page.build_id.as_str()));
    }
    let body = match wanted {
        Wanted::Records => envelope(&checked.search, &page, language),
        Wanted::Places => places(&checked, &page, language),
    };
    if let Some(next) = page.next {
        checked.search.page.start = Start::After(next);
        let link = format!("<?{}>; rel=\"next\"", canonical_query(&checked));
        response.insert_header((LINK, link));
    }
    response.insert_header((CONTENT_LANGUAGE, language.tag()));
    let body = Encoding::encode(request.headers(), body, &mut response);
    Ok(response.content_type("application/json").body(body))
}
