//! JSON schemas: of records, from the table of their fields; of pages, written out here, because
//! pages are put together without a type; of everything else, from the types that are serialised,
//! whose doc comments are the English texts, each with its French twin below it as `x-fr`.
//!
//! Objects allow additional properties, so that a field added later breaks no client.

use outfall_records::{Field, FieldKind, RecordKind};
use outfall_request::Facet;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value, json};

use super::places;
use super::twins::{FRENCH, doc, twins};
use crate::envelope::{Query, Warning};
use crate::facets::InfoJson;
use crate::places::Nowhere;
use crate::problem::Body;
use crate::service::{Health, Index, Meta};

/// The schema name of a record of this kind.
pub(super) const fn record(record_kind: RecordKind) -> &'static str {
    match record_kind {
        RecordKind::Release => "Release",
        RecordKind::Emission => "Emission",
    }
}

/// The schema name of a page of this kind.
pub(super) fn page(record_kind: RecordKind) -> String {
    format!("{}Page", record(record_kind))
}

pub(super) fn reference(schema: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{schema}")})
}

pub(super) fn components() -> Value {
    let mut schemas = Map::new();
    for record_kind in RecordKind::ALL {
        schemas.insert(record(record_kind).to_owned(), object_of(&record_kind.fields()));
        schemas.insert(page(record_kind), page_of(record_kind));
        schemas.insert(places::name(record_kind), places::schema(record_kind));
        schemas.insert(places::columns_name(record_kind), places::columns(record_kind));
        schemas.insert(crossed_entry(record_kind), entry_of_crossed(record_kind));
    }
    schemas.append(&mut of_types());
    schemas.into()
}

/// The schemas of the types that are serialised, by their names.
fn of_types() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(RecursiveTransform(join_twins)).with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut generator = settings.into_generator();
    generator.subschema_for::<Warning>();
    generator.subschema_for::<Query<'_>>();
    generator.subschema_for::<InfoJson>();
    generator.subschema_for::<Nowhere>();
    generator.subschema_for::<Body<'_>>();
    generator.subschema_for::<Meta<'_>>();
    generator.subschema_for::<Health<'_>>();
    generator.subschema_for::<Index>();
    generator.take_definitions(true)
}

/// Joins the English description of a type with the French one beside it in the source.
fn join_twins(schema: &mut Schema) {
    let french = schema.remove(FRENCH);
    let english = schema.get("description").and_then(Value::as_str);
    if let (Some(english), Some(Value::String(french))) = (english, french) {
        // The source breaks a description into lines.
        let both = twins(english.replace('\n', " "), french);
        schema.insert("description".to_owned(), both);
    }
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
        FieldKind::Number(_) => json!({"type": "number"}),
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
    schema["description"] = doc(field.doc);
    schema
}

/// An object whose fields are all required, except for those in `optional`.
pub(super) fn object(properties: &Value, optional: &[&str]) -> Value {
    let names = properties.as_object().into_iter().flat_map(Map::keys);
    let required: Vec<_> = names.filter(|name| !optional.contains(&name.as_str())).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// A GeoJSON feature collection of records (RFC 7946).
pub(super) fn features(record_kind: RecordKind) -> Value {
    let mut geometry = object(
        &json!({
            "type": {"const": "Point"},
            "coordinates": {
                "type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"},
                "description": twins(
                    "`longitude` and `latitude` of the record, in this order",
                    "`longitude` et `latitude` de l’enregistrement, dans cet ordre",
                ),
            },
        }),
        &[],
    );
    geometry["type"] = json!(["object", "null"]);
    geometry["description"] = twins(
        "where the facility is; null if the source does not say",
        "où se trouve l’installation; null si la source ne le dit pas",
    );
    let feature = object(
        &json!({
            "type": {"const": "Feature"},
            "id": {
                "type": "string",
                "description": twins("the `record_id`", "l’identifiant `record_id`"),
            },
            "geometry": geometry,
            "properties": reference(record(record_kind)),
        }),
        &[],
    );
    object(
        &json!({
            "type": {"const": "FeatureCollection"},
            "features": {"type": "array", "items": feature},
        }),
        &[],
    )
}

fn page_of(record_kind: RecordKind) -> Value {
    object(
        &json!({
                    "entity_type": {"const": record_kind.name()},
                    "count": {
                        "type": "integer", "minimum": 0,
                        "description": twins(
        "how many records match, exactly, the same on every page",
        "nombre exact d’enregistrements qui répondent à la requête, le même à chaque page",
        ),
                    },
                    "offset": {
                        "type": "integer", "minimum": 0,
                        "description": twins(
        "the absolute position of the first record, with a cursor too",
        "position absolue du premier enregistrement, avec un curseur aussi",
        ),
                    },
                    "limit": {"type": "integer", "minimum": 0, "description": twins(
        "the limit that holds",
        "limite appliquée",
        )},
                    "next_cursor": {
                        "type": ["string", "null"], "maxLength": 512,
                        "description": twins(
        "where the next page begins; null on the last",
        "endroit où commence la page suivante; null à la dernière",
        ),
                    },
                    "results": {"type": "array", "items": reference(record(record_kind))},
                    "facets": facets(record_kind),
                    "facet_info": {
                        "type": "object", "additionalProperties": reference("FacetInfo"),
                        "description": twins(
        "only with `facets`: how much of each the lists show",
        "seulement avec `facets`\u{a0}: quelle part de chaque facette figure dans les listes",
        ),
                    },
                    "warnings": {
                        "type": "array", "minItems": 1, "items": reference("Warning"),
                        "description": twins(
        "only when there is something to warn of",
        "seulement s’il y a lieu d’avertir",
        ),
                    },
                    "query": reference("Query"),
                }),
        &["facets", "facet_info", "warnings", "query"],
    )
}

/// The schema name of an entry of a crossed facet of this kind.
fn crossed_entry(record_kind: RecordKind) -> String {
    format!("{}CrossedEntry", record(record_kind))
}

fn list_of(entry: Value) -> Value {
    json!({"type": "array", "items": entry})
}

/// Counts and sums of all matches, by the values of each requested facet.
fn facets(record_kind: RecordKind) -> Value {
    json!({
        "type": "object",
        "properties": facet_lists(record_kind),
        "additionalProperties": list_of(reference(&crossed_entry(record_kind))),
        "description": twins(
            "only with `facets`: a list for each that was asked for; a crossed one, such as \
             `year*province`, under its own name",
            "seulement avec `facets`\u{a0}: une liste pour chaque facette demandée; une facette \
             croisée, comme `year*province`, sous son propre nom",
        ),
    })
}

/// A list of entries for each facet of the kind, by name.
fn facet_lists(record_kind: RecordKind) -> Map<String, Value> {
    let lists = Facet::of(record_kind);
    lists.map(|facet| (facet.name().to_owned(), list_of(facet_entry(record_kind, facet)))).collect()
}

fn facet_entry(record_kind: RecordKind, facet: Facet) -> Value {
    let mut properties = of_any_entry(record_kind);
    let text = json!({"type": ["string", "null"]});
    let number = json!({"type": ["number", "null"]});
    let own = match facet {
        Facet::Facility => {
            &[("province", &text), ("city", &text), ("latitude", &number), ("longitude", &number)][..]
        }
        Facet::Substance => &[("cas_number", &text)],
        _ => &[],
    };
    for (name, schema) in own {
        properties[*name] = (*schema).clone();
    }
    object(&properties, &[])
}

/// An entry with the list of one other facet inside.
fn entry_of_crossed(record_kind: RecordKind) -> Value {
    let mut properties = of_any_entry(record_kind);
    let inner: Vec<&str> = Facet::of(record_kind).map(Facet::name).collect();
    for (name, list) in facet_lists(record_kind) {
        properties[name] = list;
    }
    object(&properties, &inner)
}

/// The properties that the entries of every facet have.
fn of_any_entry(record_kind: RecordKind) -> Value {
    let sums: &[&str] = match record_kind {
        RecordKind::Release => &["kg", "g_teq"],
        RecordKind::Emission => &["tonnes"],
    };
    let sums = sums.iter().map(|unit| ((*unit).to_owned(), json!({"type": ["number", "null"]})));
    let text = json!({"type": ["string", "null"]});
    json!({
        "value": text,
        "label_en": text,
        "label_fr": text,
        "count": {"type": "integer", "minimum": 1},
        "sum": object(&sums.collect::<Map<_, _>>().into(), &[]),
    })
}
