//! Complete example requests for people to try in `/docs`. OpenAPI only has examples of single
//! parameters, so these are in an extension field, `x-examples`.

use outfall_records::{Doc, RecordKind};
use serde_json::{Value, json};

use super::twins::doc;

/// The summary of a request, and its query.
type Example = (Doc, &'static str);

const RELEASE: [Example; 6] = [
    (
        Doc::new(
            "the largest releases of mercury or lead",
            "les plus grands rejets de mercure ou de plomb",
        ),
        "q=mercury+OR+lead&sort_by=value&value_unit=kg&limit=3",
    ),
    (
        Doc::new("a phrase, without one province", "une expression, sans une province"),
        "q=%22sulphur+dioxide%22+-Alberta&limit=3",
    ),
    (
        Doc::new("one substance by its CAS number", "une substance par son numéro CAS"),
        "substance=7446-09-5&limit=3",
    ),
    (
        Doc::new("oil and gas in two provinces", "pétrole et gaz dans deux provinces"),
        "naics_code=211&province=AB&province=BC&limit=3",
    ),
    (
        Doc::new(
            "lead by province: counts and sums",
            "plomb par province\u{a0}: comptes et sommes",
        ),
        "q=lead&limit=0&facets=province",
    ),
    (Doc::new("by year and medium", "par année et par milieu"), "limit=0&facets=year,medium"),
];

const EMISSION: [Example; 4] = [
    (
        Doc::new("the largest emitters of a year", "les plus grands émetteurs d’une année"),
        "issued_after=2019&issued_before=2019&sort_by=value&limit=3",
    ),
    (
        Doc::new(
            "a facility by its id in either inventory",
            "une installation par son identifiant dans l’un ou l’autre inventaire",
        ),
        "facility_id=G10001&limit=3",
    ),
    (Doc::new("Alberta by year", "l’Alberta par année"), "province=AB&limit=0&facets=year"),
    (Doc::new("Quebec as a file", "le Québec dans un fichier"), "province=QC&format=csv&limit=3"),
];

/// The examples of a search.
pub(super) fn of_search(record_kind: RecordKind) -> Value {
    match record_kind {
        RecordKind::Release => listed(&RELEASE),
        RecordKind::Emission => listed(&EMISSION),
    }
}

fn listed(examples: &[Example]) -> Value {
    let example = |(summary, query): &Example| json!({"summary": doc(*summary), "query": query});
    examples.iter().map(example).collect()
}

const RELEASE_PLACES: [Example; 2] = [
    (Doc::new("where mercury is released", "où du mercure est rejeté"), "q=mercury"),
    (
        Doc::new("near a place, since 2010", "près d’un endroit, depuis 2010"),
        "near=42.97,-82.40&within_km=50&year=2010-2024",
    ),
];

const EMISSION_PLACES: [Example; 1] =
    [(Doc::new("Alberta in one year", "l’Alberta en une année"), "province=AB&year=2022")];

/// The examples of a search for places.
pub(super) fn of_places(record_kind: RecordKind) -> Value {
    match record_kind {
        RecordKind::Release => listed(&RELEASE_PLACES),
        RecordKind::Emission => listed(&EMISSION_PLACES),
    }
}
