//! JSON schemas. Those of records are generated from the table of their fields; the others are
//! written out here.
//!
//! Objects allow additional properties, so that a field added later breaks no client.

use outfall_records::{Field, FieldKind, RecordKind};
use outfall_request::Facet;
use serde_json::{Map, Value, json};

use crate::params::PARAMETER_CODES;
use crate::problem::PROBLEM_CODES;

/// The schema name of a record of this kind.
pub(super) const fn record(record_kind: RecordKind) -> &'static str {
    match record_kind {
        RecordKind::Release => "Release",
        RecordKind::Emission => "Emission",
    }
}

/// The schema name of a page of this kind.
pub(super) const fn page(record_kind: RecordKind) -> &'static str {
    match record_kind {
        RecordKind::Release => "ReleasePage",
        RecordKind::Emission => "EmissionPage",
    }
}

pub(super) fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

pub(super) fn components() -> Value {
    let mut schemas = Map::new();
    for record_kind in RecordKind::ALL {
        schemas.insert(record(record_kind).to_owned(), object_of(&record_kind.fields()));
        schemas.insert(page(record_kind).to_owned(), page_of(record_kind));
    }
    for (name, schema) in [
        ("Warning", warning()),
        ("QueryTerms", query_terms()),
        ("Problem", problem()),
        ("ParameterProblem", parameter_problem()),
        ("Meta", meta()),
        ("Source", source()),
        ("Kind", kind()),
        ("Health", health()),
        ("Index", index()),
    ] {
        schemas.insert(name.to_owned(), schema);
    }
    schemas.into()
}

/// An object with these fields, all of them required.
fn object_of(fields: &[&Field]) -> Value {
    let properties = fields.iter().map(|field| (field.name.to_owned(), property(field)));
    json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "required": fields.iter().map(|field| field.name).collect::<Vec<_>>(),
    })
}

fn property(field: &Field) -> Value {
    let mut schema = match field.kind {
        FieldKind::Text => json!({"type": "string"}),
        FieldKind::Url => json!({"type": "string", "format": "uri"}),
        FieldKind::Number => json!({"type": "number"}),
        FieldKind::Year => json!({"type": "integer", "minimum": 1990, "maximum": 2100}),
        FieldKind::Choice(words) => json!({"type": "string", "enum": words}),
        FieldKind::Parts(fields) => {
            let fields: Vec<&Field> = fields.iter().map(|field| &field.field).collect();
            json!({"type": "array", "items": object_of(&fields)})
        }
    };
    if field.is_nullable {
        let kind = schema["type"].take();
        schema["type"] = json!([kind, "null"]);
        if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            words.push(Value::Null);
        }
    }
    schema["description"] = json!(field.doc);
    schema
}

/// An object whose fields are all required, except for those in `optional`.
fn object(properties: &Value, optional: &[&str]) -> Value {
    let names = properties.as_object().into_iter().flat_map(Map::keys);
    let required: Vec<_> = names.filter(|name| !optional.contains(&name.as_str())).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn page_of(record_kind: RecordKind) -> Value {
    object(
        &json!({
            "entity_type": {"const": record_kind.name()},
            "count": {
                "type": "integer", "minimum": 0,
                "description": "how many records match, exactly, the same on every page",
            },
            "offset": {
                "type": "integer", "minimum": 0,
                "description": "the absolute position of the first record, with a cursor too",
            },
            "limit": {"type": "integer", "minimum": 0, "description": "the limit that holds"},
            "next_cursor": {
                "type": ["string", "null"], "maxLength": 512,
                "description": "where the next page begins; null on the last",
            },
            "results": {"type": "array", "items": reference(record(record_kind))},
            "facets": facets(record_kind),
            "warnings": {
                "type": "array", "minItems": 1, "items": reference("Warning"),
                "description": "only when there is something to warn of",
            },
            "query": reference("QueryTerms"),
        }),
        &["facets", "warnings", "query"],
    )
}

/// Counts and sums of all matches, by the values of each requested facet.
fn facets(record_kind: RecordKind) -> Value {
    let sums: &[&str] = match record_kind {
        RecordKind::Release => &["kg", "g_teq"],
        RecordKind::Emission => &["tonnes"],
    };
    let sums = sums.iter().map(|unit| ((*unit).to_owned(), json!({"type": ["number", "null"]})));
    let text = json!({"type": ["string", "null"]});
    let entry = object(
        &json!({
            "value": text,
            "label_en": text,
            "label_fr": text,
            "count": {"type": "integer", "minimum": 1},
            "sum": object(&sums.collect::<Map<_, _>>().into(), &[]),
        }),
        &[],
    );
    let tables = Facet::of(record_kind)
        .map(|facet| (facet.name().to_owned(), json!({"type": "array", "items": entry})));
    json!({
        "type": "object",
        "properties": tables.collect::<Map<_, _>>(),
        "description": "only with `facets`: a list for each that was asked for",
    })
}

fn warning() -> Value {
    object(
        &json!({
            "code": {"enum": crate::envelope::WARNING_CODES},
            "detail": {"type": "string", "description": "for people, in the language asked for"},
            "counts": counts("with `mixed-units`: how many matches are in each unit"),
        }),
        &["counts"],
    )
}

fn query_terms() -> Value {
    let term = object(
        &json!({
            "text": {"type": "string", "description": "a unit of `q`, as it was written"},
            "count": {
                "type": "integer", "minimum": 0,
                "description": "the records it matches by itself, under the other filters",
            },
        }),
        &[],
    );
    let mut terms = object(&json!({"terms": {"type": "array", "items": term}}), &[]);
    terms["description"] = json!("only with `q`, and without a match");
    terms
}

fn problem() -> Value {
    object(
        &json!({
            "type": {"type": "string", "format": "uri-reference"},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "for people, in the language asked for"},
            "instance": {"type": "string", "description": "the path that was asked"},
            "code": {"enum": PROBLEM_CODES, "description": "what to act on; it never changes"},
            "request_id": {"type": "string", "minLength": 1, "maxLength": 64},
            "errors": {
                "type": "array", "minItems": 1, "maxItems": 100,
                "items": reference("ParameterProblem"),
                "description": "with `invalid-parameter`: what is wrong with each",
            },
        }),
        &["errors"],
    )
}

fn parameter_problem() -> Value {
    object(
        &json!({
            "parameter": {"type": "string", "description": "the name as the caller spelled it"},
            "code": {"enum": PARAMETER_CODES},
            "detail": {"type": "string"},
            "value": {"type": "string", "description": "the value as given, shortened"},
            "did_you_mean": {"type": "string"},
        }),
        &["value", "did_you_mean"],
    )
}

fn meta() -> Value {
    object(
        &json!({
            "build_id": {
                "type": "string",
                "description": "made from records and sources: changes whenever an answer could, and \
                    is the same in every build of the same files",
            },
            "built_at": {
                "type": "string", "format": "date-time",
                "description": "when the index was published; no part of `build_id`",
            },
            "sources": {"type": "array", "items": reference("Source")},
            "kinds": {"type": "object", "additionalProperties": reference("Kind")},
            "licence": object(&json!({
                "name": {"type": "string"}, "url": {"type": "string", "format": "uri"},
            }), &[]),
            "attribution": object(&json!({
                "en": {"type": "string"}, "fr": {"type": "string"},
            }), &[]),
            "service": of_service(),
        }),
        &["built_at"],
    )
}

fn of_service() -> Value {
    object(&json!({"name": {"const": "outfall"}, "version": {"type": "string"}}), &[])
}

fn counts(description: &str) -> Value {
    json!({
        "type": "object", "additionalProperties": {"type": "integer", "minimum": 0},
        "description": description,
    })
}

fn source() -> Value {
    let rows = json!({"type": "integer", "minimum": 0});
    object(
        &json!({
            "name": {"type": "string"},
            "kind": {"enum": ["npri-releases", "npri-locations", "ghgrp", "cesi"]},
            "vintage": {"type": "string"},
            "bytes": rows,
            "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "unpacked_sha256": {
                "type": "string", "pattern": "^[0-9a-f]{64}$",
                "description": "of what the file unpacks to; the same unless it is packed",
            },
            "rows": rows,
            "accepted": rows,
            "rejected": counts("rows that became part of no record, by the code of the reason"),
        }),
        &[],
    )
}

fn kind() -> Value {
    object(
        &json!({
            "records": {"type": "integer", "minimum": 0},
            "years": counts("records by reporting year"),
            "provinces": counts("records by province code; of no province under the empty text"),
        }),
        &[],
    )
}

fn health() -> Value {
    object(
        &json!({
            "status": {"enum": ["live", "ready", "degraded"]},
            "build_id": {"type": "string"},
            "reasons": {
                "type": "array",
                "items": {"enum": ["index-unreadable", "key-file-unreadable"]},
                "description": "why it is degraded; the log says more",
            },
        }),
        &["build_id", "reasons"],
    )
}

fn index() -> Value {
    let operation = object(
        &json!({
            "path": {"type": "string"},
            "summary": {"type": "string"},
            "needs_key": {"type": "boolean"},
        }),
        &[],
    );
    object(
        &json!({
            "service": of_service(),
            "documentation": {"type": "string", "format": "uri-reference"},
            "operations": {"type": "array", "items": operation},
        }),
        &[],
    )
}
