//! The operations that tell where the facilities of a search are, and the schemas of their answers.

use outfall_records::{Doc, RecordKind};
use outfall_request::FacetSum;
use serde_json::{Value, json};

use super::twins::{doc, twins};
use super::{answers_with, examples, parameters, responses, schemas, with_a_key};
use crate::places::COLUMNS;

/// The operation that finds the places of what a search finds.
pub(super) fn operation(record_kind: RecordKind, summary: Doc) -> Value {
    const DESCRIPTION: Doc = Doc::new(
        "A row for each facility with coordinates: its id, longitude and latitude, the number of \
         its matches and their exact sums. `nowhere` counts the facilities without coordinates. \
         The filters are those of the search.",
        "Une ligne par installation qui a des coordonnées\u{a0}: son identifiant, sa longitude et sa \
         latitude, le nombre de ses résultats et leurs sommes exactes. `nowhere` compte les \
         installations sans coordonnées. Les filtres sont ceux de la recherche.",
    );
    json!({
        "operationId": format!("places_of_{record_kind}s"),
        "tags": ["search"],
        "summary": doc(summary),
        "description": doc(DESCRIPTION),
        "security": with_a_key(),
        "parameters": parameters::of_places(record_kind),
        "x-examples": examples::of_places(record_kind),
        "responses": answers_with(responses::places(record_kind)),
    })
}

/// The name of the schema of an answer.
pub(super) fn name(record_kind: RecordKind) -> String {
    format!("{}Places", schemas::record(record_kind))
}

pub(super) fn schema(record_kind: RecordKind) -> Value {
    let sums = FacetSum::zero(record_kind).parts();
    let text = json!({"type": "string"});
    let number = json!({"type": "number"});
    let count = json!({"type": "integer", "minimum": 1});
    let mut columns = vec![text, number.clone(), number, count];
    columns.resize_with(columns.len() + sums.len(), || json!({"type": ["number", "null"]}));
    let names: Vec<&str> = COLUMNS.into_iter().chain(sums.iter().map(|(name, _)| *name)).collect();
    let row = json!({
        "type": "array", "minItems": columns.len(), "maxItems": columns.len(),
        "prefixItems": columns, "items": {"type": ["string", "number", "null"]},
    });
    schemas::object(
        &json!({
            "entity_type": {"const": record_kind.name()},
            "count": {
                "type": "integer", "minimum": 0,
                "description": twins(
                    "how many records match, exactly",
                    "nombre exact d’enregistrements qui répondent à la requête",
                ),
            },
            "facilities": {
                "type": "integer", "minimum": 0,
                "description": twins(
                    "how many facilities they have, with coordinates or without",
                    "nombre de leurs installations, avec ou sans coordonnées",
                ),
            },
            "nowhere": schemas::reference("Nowhere"),
            "columns": {
                "const": names,
                "description": twins(
                    "what each number of a row is",
                    "ce qu’est chaque valeur d’une ligne",
                ),
            },
            "places": {
                "type": "array", "items": row,
                "description": twins(
                    "the facilities with coordinates, by id in byte order; where each is, its newest \
                     match tells",
                    "les installations qui ont des coordonnées, par identifiant dans l’ordre des \
                     octets; leur endroit est celui de leur résultat le plus récent",
                ),
            },
            "warnings": {
                "type": "array", "minItems": 1, "items": schemas::reference("Warning"),
                "description": twins(
                    "only when there is something to warn of",
                    "seulement s’il y a lieu d’avertir",
                ),
            },
            "query": schemas::reference("Query"),
        }),
        &["warnings", "query"],
    )
}
