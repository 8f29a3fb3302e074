//! The operations that return where the facilities of a search are, and the schemas of their
//! answers.

use outfall_records::{Doc, RecordKind};
use outfall_request::FacetSum;
use serde_json::{Map, Value, json};

use super::twins::{doc, twins};
use super::{answers_with, examples, parameters, responses, schemas, with_a_key};
use crate::places::COLUMNS;

/// The operation that finds the places of a search's matches.
pub(super) fn operation(record_kind: RecordKind, summary: Doc) -> Value {
    const DESCRIPTION: Doc = Doc::new(
        "Columns with a value for each facility with coordinates: its id, longitude and latitude, \
         the number of its matches and their sums, exact unless `digits` rounds them. `nowhere` \
         counts the facilities without coordinates. The filters are those of the search.",
        "Des colonnes avec une valeur par installation qui a des coordonnées\u{a0}: son identifiant, \
         sa longitude et sa latitude, le nombre de ses résultats et leurs sommes, exactes à moins \
         que `digits` ne les arrondisse. `nowhere` compte les installations sans coordonnées. Les \
         filtres sont ceux de la recherche.",
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

/// The name of the schema of its columns.
pub(super) fn columns_name(record_kind: RecordKind) -> String {
    format!("{}PlaceColumns", schemas::record(record_kind))
}

/// The columns, each of them as long as there are facilities with coordinates.
pub(super) fn columns(record_kind: RecordKind) -> Value {
    let degrees = |english, french| {
        let description = twins(english, french);
        json!({"type": "array", "items": {"type": "number"}, "description": description})
    };
    let of = [
        json!({
            "type": "array", "items": {"type": "string"},
            "description": twins(
                "the ids of the facilities, in byte order",
                "les identifiants des installations, dans l’ordre des octets",
            ),
        }),
        degrees(
            "degrees east, according to the newest match of the facility",
            "degrés est, selon le résultat le plus récent de l’installation",
        ),
        degrees(
            "degrees north, according to the newest match of the facility",
            "degrés nord, selon le résultat le plus récent de l’installation",
        ),
        json!({
            "type": "array", "items": {"type": "integer", "minimum": 1},
            "description": twins(
                "how many matches the facility has",
                "nombre de résultats de l’installation",
            ),
        }),
    ];
    let sums = FacetSum::zero(record_kind).parts().into_iter().map(|(name, _)| {
        let sum = json!({
            "type": "array", "items": {"type": ["number", "null"]},
            "description": twins(
                "the sum of those matches that are in this unit, exact unless `digits` rounds it; \
                 null if none is",
                "somme de ceux des résultats qui sont dans cette unité, exacte à moins que `digits` \
                 ne l’arrondisse; null si aucun ne l’est",
            ),
        });
        (name, sum)
    });
    let columns = COLUMNS.into_iter().zip(of).chain(sums);
    let columns: Map<_, _> = columns.map(|(name, column)| (name.to_owned(), column)).collect();
    schemas::object(&columns.into(), &[])
}

pub(super) fn schema(record_kind: RecordKind) -> Value {
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
            "digits": {
                "type": "integer", "minimum": 1,
                "description": twins(
                    "the significant digits that the sums are rounded to, only if `digits` asked \
                     for it",
                    "nombre de chiffres significatifs auquel les sommes sont arrondies, seulement \
                     si `digits` l’a demandé",
                ),
            },
            "nowhere": schemas::reference("Nowhere"),
            "places": schemas::reference(&columns_name(record_kind)),
            "warnings": {
                "type": "array", "minItems": 1, "items": schemas::reference("Warning"),
                "description": twins(
                    "only when there is something to warn of",
                    "seulement s’il y a lieu d’avertir",
                ),
            },
            "query": schemas::reference("Query"),
        }),
        &["digits", "warnings", "query"],
    )
}
