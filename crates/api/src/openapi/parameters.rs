//! Parameters, generated from their table.

use outfall_records::{Doc, RecordKind};
use outfall_request::text::MAX_LENGTH;
use outfall_request::{CrossedFacet, Facet};
use serde_json::{Map, Value, json};

use super::twins::{doc, twins};
use crate::params::MAX_PARAMETER_LENGTH;
use crate::params::table::{Name, PARAMETERS};
use crate::{Parameter, ParameterKind};

/// The header that carries the request id, in requests and in answers.
pub const REQUEST_ID: &str = "x-request-id";

/// Request headers other than credentials: component name, header name and description.
const HEADERS: [(&str, &str, Doc); 4] = [
    (
        "IfNoneMatch",
        "If-None-Match",
        Doc::new(
            "`ETag`s that you have; 304 when one of them is still right",
            "les `ETag` que vous avez; 304 si l’un d’eux vaut encore",
        ),
    ),
    (
        "AcceptLanguage",
        "Accept-Language",
        Doc::new(
            "the language of problems, warnings and this description: `en` or `fr`",
            "la langue des problèmes, des avertissements et de la présente description\u{a0}: `en` ou \
             `fr`",
        ),
    ),
    (
        "RequestId",
        REQUEST_ID,
        Doc::new(
            "your own id of the request: ASCII letters, digits and `-._~:/+=@,;`, of which the \
             first 64 characters are used; anything else, and what holds a key, is replaced",
            "votre propre identifiant de la requête\u{a0}: lettres ASCII, chiffres et \
             `-._~:/+=@,;`, dont les 64 premiers caractères servent; tout autre, et ce qui contient \
             une clé, est remplacé",
        ),
    ),
    (
        "Accept",
        "Accept",
        Doc::new(
            "the form of the answer, where `format` names none",
            "la forme de la réponse, là où `format` n’en nomme aucune",
        ),
    ),
];

/// The parameters of a search: query parameters under all their names, and headers.
pub(super) fn of_search(record_kind: RecordKind) -> Vec<Value> {
    let known = PARAMETERS.iter();
    let known = known.filter(|known| known.is_on(record_kind) && known.is_of_records());
    with_headers(known)
}

/// The parameters of a search for places.
pub(super) fn of_places(record_kind: RecordKind) -> Vec<Value> {
    let known = PARAMETERS.iter();
    let known = known.filter(|known| known.is_on(record_kind) && known.is_of_places());
    with_headers(known)
}

fn with_headers<'a>(known: impl Iterator<Item = &'a Parameter>) -> Vec<Value> {
    let names = known.flat_map(Parameter::names);
    let headers = HEADERS[..3].iter().map(|(component, ..)| *component);
    names.chain(headers).map(reference).collect()
}

/// The headers that every operation reads.
pub(super) fn of_service() -> Vec<Value> {
    HEADERS[1..3].iter().map(|(component, ..)| reference(component)).collect()
}

fn reference(component: &str) -> Value {
    json!({"$ref": format!("#/components/parameters/{component}")})
}

/// Every parameter by name, aliases included.
pub(super) fn components() -> Value {
    let queries = PARAMETERS.iter().flat_map(|parameter| {
        parameter.names().map(move |name| (name.to_owned(), query(parameter, name)))
    });
    let headers = HEADERS.iter().map(|(component, name, description)| {
        let header = json!({
            "name": name, "in": "header", "description": doc(*description),
            "schema": {"type": "string"},
        });
        ((*component).to_owned(), header)
    });
    queries.chain(headers).collect::<Map<_, _>>().into()
}

fn query(parameter: &Parameter, name: &str) -> Value {
    // Both operations share a component, and releases have every facet.
    let (schema, description) = match (parameter.is_repeatable, name == parameter.name) {
        (_, false) => {
            let own = parameter.name;
            let description = twins(format!("the same as `{own}`"), format!("synonyme de `{own}`"));
            (schema(parameter, RecordKind::Release), description)
        }
        (true, true) => {
            let Doc { en, fr } = parameter.doc;
            let description = twins(
                format!("{en}; repeated, any of the values may match"),
                format!("{fr}; s’il est répété, l’une ou l’autre des valeurs suffit"),
            );
            (listed(parameter, RecordKind::Release), description)
        }
        (false, true) => (listed(parameter, RecordKind::Release), doc(parameter.doc)),
    };
    let mut query = json!({
        "name": name, "in": "query", "description": description, "schema": schema,
        "allowEmptyValue": true,
    });
    if let ParameterKind::Choices(_) = parameter.kind {
        query["explode"] = json!(false);
    }
    if !parameter.example.is_empty() {
        query["example"] = example(parameter);
    }
    query
}

/// The complete schema of a parameter under its own name, as the arguments of tools need it.
pub(crate) fn own(parameter: &Parameter, record_kind: RecordKind) -> Value {
    let mut schema = listed(parameter, record_kind);
    let Doc { en, fr } = parameter.doc;
    schema["description"] = match parameter.is_repeatable {
        true => twins(
            format!("{en}; any of the values may match"),
            format!("{fr}; l’une ou l’autre des valeurs suffit"),
        ),
        false => doc(parameter.doc),
    };
    if !parameter.example.is_empty() {
        schema["examples"] = json!([example(parameter)]);
    }
    schema
}

/// The schema of a parameter with all its values.
fn listed(parameter: &Parameter, record_kind: RecordKind) -> Value {
    let value = schema(parameter, record_kind);
    if parameter.is_repeatable { json!({"type": "array", "items": value}) } else { value }
}

/// The example as a JSON value of the parameter's type.
#[expect(clippy::expect_used, reason = "a test reads every example of the table")]
fn example(parameter: &Parameter) -> Value {
    let example = match parameter.kind {
        // Numbers in the table are written as in JSON.
        ParameterKind::Number | ParameterKind::Integer { .. } => {
            serde_json::from_str(parameter.example).expect("a number")
        }
        ParameterKind::Text | ParameterKind::Date | ParameterKind::Choice(_) => {
            json!(parameter.example)
        }
        ParameterKind::Choices(_) => json!(parameter.example.split(',').collect::<Vec<_>>()),
    };
    if parameter.is_repeatable { json!([example]) } else { example }
}

fn schema(parameter: &Parameter, record_kind: RecordKind) -> Value {
    match parameter.kind {
        ParameterKind::Text => text(parameter.id),
        ParameterKind::Number => json!({"type": "number"}),
        ParameterKind::Integer { max, default } => {
            json!({"type": "integer", "minimum": 0, "maximum": max, "default": default})
        }
        ParameterKind::Date => {
            json!({"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}-[0-9]{2})?$"})
        }
        ParameterKind::Choice(words) => json!({"type": "string", "enum": words}),
        ParameterKind::Choices(_) => {
            // Words by themselves, and words crossed.
            let words: Vec<&str> = Facet::of(record_kind).map(Facet::name).collect();
            let crossed = CrossedFacet::of(record_kind).map(CrossedFacet::name);
            let lists = [json!({"enum": words}), json!({"enum": crossed.collect::<Vec<_>>()})];
            json!({"type": "array", "items": {"type": "string", "anyOf": lists}})
        }
    }
}

fn text(name: Name) -> Value {
    match name {
        Name::Text => json!({"type": "string", "maxLength": MAX_LENGTH}),
        Name::NaicsCode => json!({
            "type": "string", "pattern": "^([0-9]{2,6}|31-33|44-45|48-49)$",
        }),
        _ => json!({"type": "string", "maxLength": MAX_PARAMETER_LENGTH}),
    }
}
