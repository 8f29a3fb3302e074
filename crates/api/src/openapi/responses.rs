//! Answers: their headers, and the problems by status.

use std::collections::BTreeMap;

use outfall_records::RecordKind;
use serde_json::{Map, Value, json};

use super::schemas;
use crate::{Format, Problem};

type Responses = Map<String, Value>;

/// Headers: name, type and description.
const HEADERS: [(&str, &str, &str); 16] = [
    ("X-Request-Id", "string", "the id of the request, also in the log"),
    ("Vary", "string", "what an answer depends on beside its URL"),
    ("ETag", "string", "one for all requests of the same meaning on the same data"),
    ("Cache-Control", "string", "how long an answer may be kept"),
    ("X-Data-Version", "string", "the build of the index, as `/meta` shows it"),
    ("Link", "string", "the next page, `<?…>; rel=\"next\"`"),
    ("Content-Disposition", "string", "of an export: the name of the file"),
    ("RateLimit-Policy", "string", "requests at once, and seconds until an empty bucket is full"),
    ("RateLimit", "string", "requests left, and seconds until the bucket is full"),
    ("X-RateLimit-Limit", "integer", "requests at once"),
    ("X-RateLimit-Remaining", "integer", "requests left"),
    ("X-RateLimit-Reset", "integer", "seconds until the bucket is full"),
    ("Retry-After", "integer", "seconds to wait"),
    ("WWW-Authenticate", "string", "which header carries the key"),
    ("Content-Language", "string", "the language of the texts for people, `en` or `fr`"),
    ("Content-Encoding", "string", "the compression of the body"),
];

const EVERYWHERE: [&str; 3] = ["X-Request-Id", "Vary", "Cache-Control"];
/// Headers of built-in documents, in addition to `EVERYWHERE`.
pub(super) const OF_A_DOCUMENT: [&str; 2] = ["ETag", "Content-Encoding"];
pub(super) const OF_A_SEARCH: [&str; 8] = [
    "ETag",
    "X-Data-Version",
    "Content-Encoding",
    "RateLimit-Policy",
    "RateLimit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
];

/// The header components.
pub(super) fn headers() -> Value {
    let headers = HEADERS.iter().map(|(name, kind, description)| {
        let header = json!({"description": description, "schema": {"type": kind}});
        ((*name).to_owned(), header)
    });
    headers.collect::<Map<_, _>>().into()
}

fn with_headers<'a>(mut answer: Value, names: impl IntoIterator<Item = &'a str>) -> Value {
    let names = EVERYWHERE.into_iter().chain(names);
    let headers = names
        .map(|name| (name.to_owned(), json!({"$ref": format!("#/components/headers/{name}")})));
    answer["headers"] = headers.collect::<Map<_, _>>().into();
    answer
}

/// The answer to a request for a built-in document.
pub(super) fn document(media_type: &str, schema: Value) -> Value {
    let content = json!({media_type: {"schema": schema}});
    with_headers(json!({"description": "Success.", "content": content}), OF_A_DOCUMENT)
}

/// A JSON answer with a named schema.
pub(super) fn json_of(schema: &str, headers: &[&'static str]) -> Value {
    let content = json!({"application/json": {"schema": schemas::reference(schema)}});
    let answer = json!({"description": "Success.", "content": content});
    with_headers(answer, headers.iter().copied())
}

/// A page of records, or all of them in a file.
pub(super) fn records(record_kind: RecordKind) -> Value {
    let media_type = |format: Format| format.media_type().split(';').next().unwrap_or_default();
    let answer = json!({
        "description": "A page of records, or every match in a file.",
        "content": {
            media_type(Format::Json): {"schema": schemas::reference(schemas::page(record_kind))},
            media_type(Format::Ndjson): {
                "schema": {"type": "string", "description": "a record a line"},
            },
            media_type(Format::Csv): {
                "schema": {"type": "string", "description": "a header, and a row for each record"},
            },
        },
    });
    with_headers(
        answer,
        OF_A_SEARCH.into_iter().chain(["Content-Language", "Link", "Content-Disposition"]),
    )
}

/// 304: the caller already has the answer.
pub(super) fn not_modified(headers: &[&'static str]) -> Value {
    let answer = json!({"description": "You have the answer already."});
    with_headers(answer, headers.iter().copied())
}

fn by_status() -> BTreeMap<u16, Vec<Problem>> {
    let mut by_status = BTreeMap::<u16, Vec<Problem>>::new();
    for problem in Problem::each() {
        by_status.entry(problem.status()).or_default().push(problem);
    }
    by_status
}

/// A response component for each status of a problem.
pub(super) fn problems() -> Value {
    let all = by_status().into_iter().map(|(status, problems)| {
        let codes: Vec<_> =
            problems.iter().map(|problem| format!("`{}`", problem.code())).collect();
        let content = json!({"application/problem+json": {"schema": {
            "allOf": [schemas::reference("Problem")],
            "properties": {
                "status": {"const": status},
                "code": {"enum": problems.iter().map(Problem::code).collect::<Vec<_>>()},
            },
        }}});
        let answer = json!({"description": codes.join(" or "), "content": content});
        (component(status), with_headers(answer, of_status(status).iter().copied()))
    });
    all.collect::<Map<_, _>>().into()
}

const fn of_status(status: u16) -> &'static [&'static str] {
    match status {
        401 => &["Content-Language", "WWW-Authenticate"],
        429 | 503 => &["Content-Language", "Retry-After"],
        _ => &["Content-Language"],
    }
}

fn component(status: u16) -> String {
    format!("Problem{status}")
}

/// References to the problem responses of these statuses.
pub(super) fn references(statuses: &[u16]) -> Responses {
    let references = statuses.iter().map(|status| {
        let reference = format!("#/components/responses/{}", component(*status));
        (status.to_string(), json!({"$ref": reference}))
    });
    references.collect()
}
