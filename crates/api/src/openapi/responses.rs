//! Answers: their headers, and the problems by status.

use std::collections::BTreeMap;

use outfall_records::{Doc, RecordKind};
use serde_json::{Map, Value, json};

use super::twins::{doc, twins};
use super::{places, schemas};
use crate::{Format, Problem};

type Responses = Map<String, Value>;

/// Headers: name, type and description.
const HEADERS: [(&str, &str, Doc); 16] = [
    (
        "X-Request-Id",
        "string",
        Doc::new(
            "the id of the request, also in the log",
            "identifiant de la requête, aussi dans le journal",
        ),
    ),
    (
        "Vary",
        "string",
        Doc::new(
            "what an answer depends on beside its URL",
            "ce dont une réponse dépend en plus de son URL",
        ),
    ),
    (
        "ETag",
        "string",
        Doc::new(
            "one for all requests of the same meaning on the same data",
            "le même pour toutes les requêtes de même sens sur les mêmes données",
        ),
    ),
    (
        "Cache-Control",
        "string",
        Doc::new(
            "how long an answer may be kept",
            "combien de temps une réponse peut être conservée",
        ),
    ),
    (
        "X-Data-Version",
        "string",
        Doc::new(
            "the build of the index, as `/meta` shows it",
            "la version de l’index, telle que `/meta` la montre",
        ),
    ),
    (
        "Link",
        "string",
        Doc::new("the next page, `<?…>; rel=\"next\"`", "la page suivante, `<?…>; rel=\"next\"`"),
    ),
    (
        "Content-Disposition",
        "string",
        Doc::new(
            "of an export: the name of the file",
            "d’une exportation\u{a0}: le nom du fichier",
        ),
    ),
    (
        "RateLimit-Policy",
        "string",
        Doc::new(
            "requests at once, and seconds until an empty bucket is full",
            "nombre de requêtes permises à la fois, et secondes pour qu’une réserve vide se remplisse",
        ),
    ),
    (
        "RateLimit",
        "string",
        Doc::new(
            "requests left, and seconds until the bucket is full",
            "nombre de requêtes restantes, et secondes jusqu’à ce que la réserve soit pleine",
        ),
    ),
    (
        "X-RateLimit-Limit",
        "integer",
        Doc::new("requests at once", "nombre de requêtes permises à la fois"),
    ),
    ("X-RateLimit-Remaining", "integer", Doc::new("requests left", "nombre de requêtes restantes")),
    (
        "X-RateLimit-Reset",
        "integer",
        Doc::new(
            "seconds until the bucket is full",
            "secondes jusqu’à ce que la réserve soit pleine",
        ),
    ),
    ("Retry-After", "integer", Doc::new("seconds to wait", "secondes à attendre")),
    (
        "WWW-Authenticate",
        "string",
        Doc::new("which header carries the key", "l’en-tête qui porte la clé"),
    ),
    (
        "Content-Language",
        "string",
        Doc::new(
            "the language of the texts for people, `en` or `fr`",
            "la langue des textes destinés aux personnes, `en` ou `fr`",
        ),
    ),
    (
        "Content-Encoding",
        "string",
        Doc::new("the compression of the body", "la compression du corps"),
    ),
];

const EVERYWHERE: [&str; 3] = ["X-Request-Id", "Vary", "Cache-Control"];
/// Headers of built-in documents, in addition to `EVERYWHERE`.
pub(super) const OF_A_DOCUMENT: [&str; 3] = ["ETag", "Content-Encoding", "Content-Language"];
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
        let header = json!({"description": doc(*description), "schema": {"type": kind}});
        ((*name).to_owned(), header)
    });
    headers.collect::<Map<_, _>>().into()
}

fn success() -> Value {
    twins("Success.", "Réussite.")
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
    with_headers(json!({"description": success(), "content": content}), OF_A_DOCUMENT)
}

/// A JSON answer with a named schema.
pub(super) fn json_of(schema: &str, headers: &[&'static str]) -> Value {
    let content = json!({"application/json": {"schema": schemas::reference(schema)}});
    let answer = json!({"description": success(), "content": content});
    with_headers(answer, headers.iter().copied())
}

/// A page of records, or all of them in a file.
pub(super) fn records(record_kind: RecordKind) -> Value {
    let media_type = |format: Format| format.media_type().split(';').next().unwrap_or_default();
    let answer = json!({
        "description": twins(
            "A page of records, or every match in a file.",
            "Une page d’enregistrements, ou tous les résultats dans un fichier.",
        ),
        "content": {
            media_type(Format::Json): {"schema": schemas::reference(&schemas::page(record_kind))},
            media_type(Format::Ndjson): {
                "schema": {
                    "type": "string",
                    "description": twins("a record a line", "un enregistrement par ligne"),
                },
            },
            media_type(Format::Csv): {
                "schema": {"type": "string", "description": twins(
                    "a header, and a row for each record",
                    "un en-tête, puis une ligne par enregistrement",
                )},
            },
            media_type(Format::GeoJson): {"schema": schemas::features(record_kind)},
            // Bytes have no schema (OpenAPI 3.1, section 4.8.14.2).
            media_type(Format::Parquet): {},
        },
    });
    with_headers(
        answer,
        OF_A_SEARCH.into_iter().chain(["Content-Language", "Link", "Content-Disposition"]),
    )
}

/// The places of the facilities of all matches.
pub(super) fn places(record_kind: RecordKind) -> Value {
    let headers = [&OF_A_SEARCH[..], &["Content-Language"]].concat();
    json_of(&places::name(record_kind), &headers)
}

/// 304: the caller already has the answer.
pub(super) fn not_modified(headers: &[&'static str]) -> Value {
    let answer = json!({
        "description": twins("You have the answer already.", "Vous avez déjà la réponse."),
    });
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
        let answer = json!({
            "description": twins(codes.join(" or "), codes.join(" ou ")), "content": content,
        });
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
