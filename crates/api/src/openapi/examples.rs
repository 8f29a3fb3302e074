//! Complete example requests for people to try in `/docs`. OpenAPI only has examples of single
//! parameters, so these are in an extension field, `x-examples`.

use outfall_records::RecordKind;
use serde_json::{Value, json};

/// The summary of a request, and its query.
type Example = (&'static str, &'static str);

const RELEASE: [Example; 6] = [
    (
        "the largest releases of mercury or lead",
        "q=mercury+OR+lead&sort_by=value&value_unit=kg&limit=3",
    ),
    ("a phrase, without one province", "q=%22sulphur+dioxide%22+-Alberta&limit=3"),
    ("one substance by its CAS number", "substance=7446-09-5&limit=3"),
    ("oil and gas in two provinces", "naics_code=211&province=AB&province=BC&limit=3"),
    ("lead by province: counts and sums", "q=lead&limit=0&facets=province"),
    ("by year and medium", "limit=0&facets=year,medium&facet_limit=100"),
];

const EMISSION: [Example; 4] = [
    (
        "the largest emitters of a year",
        "issued_after=2019&issued_before=2019&sort_by=value&limit=3",
    ),
    ("a facility by its id in either inventory", "facility_id=G10001&limit=3"),
    ("Alberta by year", "province=AB&limit=0&facets=year&facet_limit=100"),
    ("Quebec as a file", "province=QC&format=csv&limit=3"),
];

/// The examples of a search.
pub(super) fn of_search(record_kind: RecordKind) -> Value {
    let examples: &[Example] = match record_kind {
        RecordKind::Release => &RELEASE,
        RecordKind::Emission => &EMISSION,
    };
    let example = |(summary, query): &Example| json!({"summary": summary, "query": query});
    examples.iter().map(example).collect()
}
