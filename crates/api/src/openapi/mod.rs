//! The OpenAPI 3.1 description of the service, generated from the tables that the service itself
//! uses: parameters, record fields and problems.

mod examples;
mod mcp;
mod parameters;
mod places;
mod responses;
mod schemas;
mod twins;

use std::sync::LazyLock;

use outfall_records::{Doc, RecordKind};
use serde_json::{Value, json};

use self::twins::twins;
use crate::Language;

pub use parameters::REQUEST_ID;
pub(crate) use parameters::own as own_parameter;
pub(crate) use twins::{doc, in_language};

/// The document as it is served in a language, indented for people and for version control.
pub fn document(language: Language) -> &'static str {
    static DOCUMENTS: LazyLock<[String; 2]> = LazyLock::new(|| {
        [Language::English, Language::French]
            .map(|language| format!("{:#}\n", of_language(language)))
    });
    let [english, french] = &*DOCUMENTS;
    language.choose([english, french])
}

/// The document in a language, for a part of this program that shows some of it.
pub fn of_language(language: Language) -> Value {
    twins::in_language(&description(), language)
}

const ABOUT: Doc = Doc::new(
    "Pollutant releases of Canadian facilities (National Pollutant Release \
    Inventory) and their greenhouse-gas totals (Greenhouse Gas Reporting Program).\n\nNo \
    answer is ever silently wrong: a filter is applied or refused, a count is exact, an answer is \
    whole or an error. Every operation answers `HEAD` as it answers `GET`, without a body. \
    Fields and parameters are added, never changed or taken away; clients must ignore what they do \
    not know.",
    "Rejets de polluants des installations canadiennes (Inventaire national des rejets de \
    polluants, INRP) et totaux de leurs gaz à effet de serre (Programme de déclaration des gaz à \
    effet de serre, PDGES).\n\nAucune réponse n’est erronée à l’insu du client\u{a0}: un filtre \
    est appliqué ou refusé, un compte est exact, une réponse est entière ou est une erreur. Chaque \
    opération répond à `HEAD` comme à `GET`, sans corps. Des champs et des paramètres sont ajoutés, \
    jamais modifiés ni retirés; les clients doivent ignorer ce qu’ils ne connaissent pas.",
);

/// The document in both languages, each text with its twin.
fn description() -> Value {
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": {
            "title": "Outfall",
            "summary": twins(
                "Pollutant releases and greenhouse-gas emissions of Canadian facilities",
                "Rejets de polluants et émissions de gaz à effet de serre des installations canadiennes",
            ),
            "description": doc(ABOUT),
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "search", "description": twins(
                "The records. A key is needed.",
                "Les enregistrements. Une clé est nécessaire.",
            )},
            {"name": "service", "description": twins(
                "The service itself. No key is needed.",
                "Le service lui-même. Aucune clé n’est nécessaire.",
            )},
        ],
        "paths": {
            "/release": {"get": search(
                RecordKind::Release,
                Doc::new("Search pollutant releases", "Chercher des rejets de polluants"),
                Doc::new(
                    "Releases to air, water and land, reported to the NPRI. A record is one \
                     facility, year, substance and medium.",
                    "Rejets dans l’air, dans l’eau et sur le sol, déclarés à l’INRP. Un \
                     enregistrement correspond à une installation, une année, une substance et un milieu.",
                ),
            )},
            "/emission": {"get": search(
                RecordKind::Emission,
                Doc::new(
                    "Search facility greenhouse-gas totals",
                    "Chercher des totaux de gaz à effet de serre d’installations",
                ),
                Doc::new(
                    "Totals reported to the GHGRP. A record is one facility and year.",
                    "Totaux déclarés au PDGES. Un enregistrement correspond à une installation et \
                     une année.",
                ),
            )},
            "/release/places": {"get": places::operation(
                RecordKind::Release,
                Doc::new(
                    "Locate the facilities of pollutant releases",
                    "Situer les installations des rejets de polluants",
                ),
            )},
            "/emission/places": {"get": places::operation(
                RecordKind::Emission,
                Doc::new(
                    "Locate the facilities of greenhouse-gas totals",
                    "Situer les installations des totaux de gaz à effet de serre",
                ),
            )},
            "/mcp": {"post": mcp::operation()},
            "/meta": {"get": service(
                "meta",
                Doc::new(
                    "What is served: build, sources with SHA-256, counts, licence, attribution",
                    "Ce qui est servi\u{a0}: version, sources avec SHA-256, comptes, licence, mention \
                     de source",
                ),
                responses::json_of("Meta", &["X-Data-Version"]),
                &[503],
            )},
            "/health/live": {"get": service(
                "live",
                Doc::new("Whether the process lives", "Indique si le processus est en vie"),
                responses::json_of("Health", &[]),
                &[],
            )},
            "/health/ready": {"get": service(
                "ready",
                Doc::new("Whether there is an index to search", "Indique s’il y a un index à interroger"),
                responses::json_of("Health", &[]),
                &[503],
            )},
            "/openapi.json": {"get": fixed(
                "openapi",
                Doc::new("This description", "La présente description"),
                responses::document("application/json", json!({"type": "object"})),
            )},
            "/docs": {"get": fixed(
                "docs",
                Doc::new(
                    "This description for people, who can try it there",
                    "La présente description sous forme de page, avec des formulaires d’essai",
                ),
                responses::document("text/html", json!({"type": "string"})),
            )},
            "/": {"get": service(
                "index",
                Doc::new("The list of operations", "La liste des opérations"),
                responses::json_of("Index", &[]),
                &[],
            )},
        },
        "components": {
            "securitySchemes": {
                "key": {
                    "type": "apiKey", "in": "header", "name": "x-gateway-key",
                    "description": twins(
                        "Your key, 16 to 128 visible ASCII characters; or `DEMO_KEY`, where the \
                         operator lets people try.",
                        "Votre clé, de 16 à 128 caractères ASCII visibles; ou `DEMO_KEY`, là où \
                         l’exploitant permet des essais.",
                    ),
                },
                "host": {
                    "type": "apiKey", "in": "header", "name": "x-gateway-host",
                    "description": twins(
                        "The host name of the service's base URL.",
                        "Le nom d’hôte de l’URL de base du service.",
                    ),
                },
                "secret": {
                    "type": "apiKey", "in": "header", "name": "x-gateway-secret",
                    "description": twins(
                        "The gateway's own secret, only where the operator configured one.",
                        "Le secret de la passerelle, seulement là où l’exploitant en a établi un.",
                    ),
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
fn search(record_kind: RecordKind, summary: Doc, description: Doc) -> Value {
    json!({
        "operationId": format!("search_{record_kind}s"),
        "tags": ["search"],
        "summary": doc(summary),
        "description": doc(description),
        "security": with_a_key(),
        "parameters": parameters::of_search(record_kind),
        "x-examples": examples::of_search(record_kind),
        "responses": answers_with(responses::records(record_kind)),
    })
}

/// What a caller of a search must send.
fn with_a_key() -> Value {
    json!([{"key": [], "host": []}, {"key": [], "host": [], "secret": []}])
}

/// The answers to a search whose successful answer is `success`.
fn answers_with(success: Value) -> Value {
    let mut answers = responses::references(&[400, 401, 403, 414, 429, 431, 500, 503]);
    answers.insert("200".to_owned(), success);
    answers.insert("304".to_owned(), responses::not_modified(&responses::OF_A_SEARCH));
    answers.into()
}

/// The operation of a document that is built into the program and needs no key.
fn fixed(id: &str, summary: Doc, answer: Value) -> Value {
    let mut operation = service(id, summary, answer, &[]);
    operation["responses"]["304"] = responses::not_modified(&responses::OF_A_DOCUMENT);
    operation
}

/// An operation that needs no key and takes no parameter.
fn service(id: &str, summary: Doc, answer: Value, problems: &[u16]) -> Value {
    let mut answers = responses::references(&[problems, &[400, 414, 431]].concat());
    answers.insert("200".to_owned(), answer);
    json!({
        "operationId": id,
        "tags": ["service"],
        "summary": doc(summary),
        "security": [],
        "parameters": parameters::of_service(),
        "responses": answers,
    })
}
