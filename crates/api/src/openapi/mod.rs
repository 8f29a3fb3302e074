//! The OpenAPI 3.1 description of the service, generated from the tables that the service itself
//! uses: parameters, record fields and problems.

mod examples;
mod parameters;
mod responses;
mod schemas;

use std::sync::LazyLock;

use outfall_records::RecordKind;
use serde_json::{Value, json};

pub use parameters::REQUEST_ID;

/// The document as it is served, indented for people and for version control.
pub fn document() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", description()));
    &DOCUMENT
}

const ABOUT: &str = "Pollutant releases of Canadian facilities (National Pollutant Release \
    Inventory) and their greenhouse-gas totals (Greenhouse Gas Reporting Program).\n\nNo \
    answer is ever silently wrong: a filter is applied or refused, a count is exact, an answer is \
    whole or an error. Every operation answers `HEAD` as it answers `GET`, without a body. \
    Fields and parameters are added, never changed or taken away; clients must ignore what they do \
    not know.";

fn description() -> Value {
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": {
            "title": "Outfall",
            "summary": "Pollutant releases and greenhouse-gas emissions of Canadian facilities",
            "description": ABOUT,
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "search", "description": "The records. A key is needed."},
            {"name": "service", "description": "The service itself. No key is needed."},
        ],
        "paths": {
            "/release": {"get": search(
                RecordKind::Release,
                "Search pollutant releases",
                "Releases to air, water and land, reported to the NPRI. A record is one facility, \
                 year, substance and medium.",
            )},
            "/emission": {"get": search(
                RecordKind::Emission,
                "Search facility greenhouse-gas totals",
                "Totals reported to the GHGRP. A record is one facility and year.",
            )},
            "/meta": {"get": service(
                "meta",
                "What is served: build, sources with SHA-256, counts, licence, attribution",
                responses::json_of("Meta", &["X-Data-Version"]),
                &[503],
            )},
            "/health/live": {"get": service(
                "live",
                "Whether the process lives",
                responses::json_of("Health", &[]),
                &[],
            )},
            "/health/ready": {"get": service(
                "ready",
                "Whether there is an index to search",
                responses::json_of("Health", &[]),
                &[503],
            )},
            "/openapi.json": {"get": fixed(
                "openapi",
                "This description",
                responses::document("application/json", json!({"type": "object"})),
            )},
            "/docs": {"get": fixed(
                "docs",
                "This description for people, who can try it there",
                responses::document("text/html", json!({"type": "string"})),
            )},
            "/": {"get": service(
                "index",
                "The list of operations",
                responses::json_of("Index", &[]),
                &[],
            )},
        },
        "components": {
            "securitySchemes": {
                "key": {
                    "type": "apiKey", "in": "header", "name": "x-gateway-key",
                    "description": "Your key, 16 to 128 visible ASCII characters; or `DEMO_KEY`, where \
                                    the operator lets people try.",
                },
                "host": {
                    "type": "apiKey", "in": "header", "name": "x-gateway-host",
                    "description": "The host name of the service's base URL.",
                },
                "secret": {
                    "type": "apiKey", "in": "header", "name": "x-gateway-secret",
                    "description": "The gateway's own secret, only where the operator configured \
                                    one.",
                },
            },
            "parameters": parameters::components(),
            "headers": responses::headers(),
            "responses": responses::problems(),
            "schemas": schemas::components(),
        },
    })
}

/// The operation of a search. Its parameters and records come from the tables.
fn search(record_kind: RecordKind, summary: &str, description: &str) -> Value {
    let mut answers = responses::references(&[400, 401, 403, 414, 429, 431, 500, 503]);
    answers.insert("200".to_owned(), responses::records(record_kind));
    answers.insert("304".to_owned(), responses::not_modified(&responses::OF_A_SEARCH));
    json!({
        "operationId": format!("search_{record_kind}s"),
        "tags": ["search"],
        "summary": summary,
        "description": description,
        "security": [{"key": [], "host": []}, {"key": [], "host": [], "secret": []}],
        "parameters": parameters::of_search(record_kind),
        "x-examples": examples::of_search(record_kind),
        "responses": answers,
    })
}

/// The operation of a document that is built into the program and needs no key.
fn fixed(id: &str, summary: &str, answer: Value) -> Value {
    let mut operation = service(id, summary, answer, &[]);
    operation["responses"]["304"] = responses::not_modified(&responses::OF_A_DOCUMENT);
    operation
}

/// An operation that needs no key and takes no parameter.
fn service(id: &str, summary: &str, answer: Value, problems: &[u16]) -> Value {
    let mut answers = responses::references(&[problems, &[400, 414, 431]].concat());
    answers.insert("200".to_owned(), answer);
    json!({
        "operationId": id,
        "tags": ["service"],
        "summary": summary,
        "security": [],
        "parameters": parameters::of_service(),
        "responses": answers,
    })
}
