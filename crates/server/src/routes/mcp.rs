//! `POST /mcp`: the searches for agents. Problems with the key and its limits are answered as
//! everywhere else, problems with the message with an error of JSON-RPC, and problems with the
//! search with an answer of the tool.

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, ORIGIN};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use outfall_api::mcp::{Call, Headers, MAX_MESSAGE, McpFault, Reply, Step, receive};
use outfall_api::{Problem, Weight, quality_values};
use tokio::time::timeout;

use super::admitted::answer_to_caller;
use crate::admission::Party;
use crate::caller::Caller;
use crate::http::{Encoding, accepted_language, lines};
use crate::middleware::RequestLog;
use crate::settings::HostName;
use crate::state::AppState;

const JSON: &str = "application/json";

/// Answers a message.
pub(super) async fn message(
    request: HttpRequest,
    body: web::Payload,
    state: web::Data<AppState>,
) -> HttpResponse {
    answer_to_caller(&request, &state, async |caller, party| {
        answer(&request, &state, body, caller, party).await
    })
    .await
}

async fn answer(
    request: &HttpRequest,
    state: &AppState,
    body: web::Payload,
    caller: Caller,
    party: Party,
) -> Result<HttpResponse, Problem> {
    let headers = request.headers();
    let language = accepted_language(headers);
    let step = match read(request, state, body).await {
        Ok(message) => receive(&message, Some(&repeated(headers)), language),
        Err(fault) => Step::Reply(Reply::refused(&fault, language)),
    };
    let reply = match step {
        // A cancellation has no effect, because it does not say whose call it means: callers choose
        // the same ids.
        Step::Silence | Step::Cancelled(_) => return Ok(HttpResponse::Accepted().finish()),
        Step::Reply(reply) => reply,
        Step::Call(call) => {
            let _slot = state.take_slot(&caller)?;
            found(request, state, &party, &call)
                .await
                .unwrap_or_else(|problem| call.refused(problem))
        }
    };
    RequestLog::note(request, |log| log.problem = reply.problem);
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    response.content_type(JSON).insert_header((CACHE_CONTROL, "no-store"));
    let body = Encoding::encode(headers, reply.body, &mut response);
    Ok(response.body(body))
}

/// Reads the message, if its origin and its form are allowed and it arrives in time.
async fn read(
    request: &HttpRequest,
    state: &AppState,
    body: web::Payload,
) -> Result<Bytes, McpFault> {
    let headers = request.headers();
    if !is_own_origin(headers, &state.settings.host_names) {
        return Err(McpFault::ForeignOrigin);
    }
    if !is_declared_as_json(headers) {
        return Err(McpFault::NotDeclaredAsJson);
    }
    if !accepts_json(headers) {
        return Err(McpFault::NotAcceptable);
    }
    let read = timeout(state.settings.client_request_timeout, body.to_bytes_limited(MAX_MESSAGE));
    match read.await {
        Ok(Ok(Ok(message))) => Ok(message),
        Ok(Ok(Err(_))) => Err(McpFault::NotJson),
        Ok(Err(_)) => Err(McpFault::TooLong { limit: MAX_MESSAGE }),
        Err(_) => Err(McpFault::Late),
    }
}

/// Whether no web page sent the message, or a page of this service did. A foreign page could
/// otherwise reach a service that needs no key, through its own host name for this machine.
fn is_own_origin(headers: &HeaderMap, hosts: &[HostName]) -> bool {
    headers.get_all(ORIGIN).all(|origin| {
        let host = origin.to_str().ok().filter(|origin| origin.contains("://"));
        host.and_then(|origin| HostName::of_base_url(origin).ok())
            .is_some_and(|host| hosts.contains(&host))
    })
}

fn is_declared_as_json(headers: &HeaderMap) -> bool {
    let declared = headers.get(CONTENT_TYPE).and_then(|declared| declared.to_str().ok());
    let media_type = declared.and_then(|declared| declared.split(';').next());
    media_type.is_some_and(|media_type| media_type.trim().eq_ignore_ascii_case(JSON))
}

/// Whether the caller takes JSON, or does not say what it takes.
fn accepts_json(headers: &HeaderMap) -> bool {
    let accepted = quality_values(lines(headers, ACCEPT));
    let takes = |(range, weight): &(String, Weight)| {
        *weight > 0 && [JSON, "application/*", "*/*"].contains(&range.as_str())
    };
    accepted.is_empty() || accepted.iter().any(takes)
}

/// The headers that repeat what the message says.
fn repeated(headers: &HeaderMap) -> Headers {
    let value = |name| {
        let lines: Vec<&str> = lines(headers, HeaderName::from_static(name)).collect();
        (!lines.is_empty()).then(|| lines.join(", "))
    };
    Headers {
        version: value("mcp-protocol-version"),
        method: value("mcp-method"),
        name: value("mcp-name"),
    }
}

/// Does the searches of a call, all in the same index.
async fn found(
    request: &HttpRequest,
    state: &AppState,
    party: &Party,
    call: &Call,
) -> Result<Reply, Problem> {
    let backend = state.backend()?;
    let mut pages = Vec::new();
    for checked in call.searches() {
        RequestLog::note(request, |log| {
            log.parameters = checked.names();
            if state.settings.slow_query.is_some() {
                log.query.clone_from(&checked.q);
            }
        });
        pages.push(state.search(request, party, &backend, checked).await?);
    }
    Ok(call.answer(&pages, backend.dataset()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn only_pages_of_this_service_may_ask() {
        let hosts = ["api.example.org", "localhost"].map(|host| HostName::parse(host).unwrap());
        for (origin, expected) in [
            (None, true),
            (Some("https://api.example.org"), true),
            (Some("http://localhost:6274"), true),
            (Some("https://api.example.org.evil.example"), false),
            (Some("https://news.example"), false),
            (Some("api.example.org"), false),
            (Some("null"), false),
            (Some(""), false),
            (Some("chrome-extension://localhost"), false),
            (Some("https://news.example@localhost"), false),
        ] {
            let origin = origin.map(|origin| (ORIGIN, HeaderValue::from_static(origin)));
            let headers = HeaderMap::from_iter(origin);
            assert_eq!(is_own_origin(&headers, &hosts), expected, "{headers:?}");
        }
    }
}
