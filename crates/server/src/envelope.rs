//! The body of an answer, around the records that the backend wrote.

use outfall_query::text::TextWarning;
use outfall_query::{SearchPage, SearchRequest, UnitCounts};
use serde::Serialize;

use crate::facets::FacetsJson;
/// Every code of a warning.
pub const WARNING_CODES: [&str; 3] = ["unbalanced-quote", "dangling-operator", "mixed-units"];

/// Something that the caller should know about an answer.
#[derive(Debug, Serialize)]
pub(crate) struct Warning {
    code: &'static str,
    pub(crate) detail: String,
}

#[derive(Serialize)]
struct QueryTerms<'a> {
    terms: Vec<Term<'a>>,
}

#[derive(Serialize)]
struct Term<'a> {
    text: &'a str,
    count: u64,
}

/// The body of a page. The records are copied, never parsed.
pub(crate) fn envelope(request: &SearchRequest, page: &SearchPage) -> Vec<u8> {
    let next = page.next.as_ref().map(outfall_query::Cursor::encode);
    let mut body = format!(
        r#"{{"entity_type":"{}","count":{},"offset":{},"limit":{},"next_cursor":"#,
        request.entity, page.total, page.offset, request.page.limit
    )
    .into_bytes();
    body.reserve(page.records.joined().len() + 600);
    push_json(&mut body, &next);
    body.extend_from_slice(br#","results":["#);
    body.extend_from_slice(page.records.joined());
    body.push(b']');
    if !page.facets.is_empty() {
        body.extend_from_slice(br#","facets":"#);
        push_json(&mut body, &FacetsJson(&page.facets));
    }
    let warnings = warnings(request, page);
    if !warnings.is_empty() {
        body.extend_from_slice(br#","warnings":"#);
        push_json(&mut body, &warnings);
    }
    if let Some(terms) = &page.terms {
        let terms = terms.iter().map(|term| Term { text: &term.text, count: term.count });
        body.extend_from_slice(br#","query":"#);
        push_json(&mut body, &QueryTerms { terms: terms.collect() });
    }
    body.push(b'}');
    body
}

fn push_json(body: &mut Vec<u8>, value: &impl Serialize) {
    // Texts and numbers always serialise.
    body.extend(serde_json::to_vec(value).unwrap_or_default());
}

/// What the caller should know about a page.
pub(crate) fn warnings(request: &SearchRequest, page: &SearchPage) -> Vec<Warning> {
    let of_text = request.text.warnings.iter().map(|warning| match warning {
        TextWarning::UnbalancedQuote => Warning {
            code: "unbalanced-quote",
            detail: "A quote in q is not closed; the phrase runs to the end.".to_owned(),
        },
        TextWarning::DanglingOperator => Warning {
            code: "dangling-operator",
            detail: "An OR, AND or NOT in q has nothing to work on and was ignored.".to_owned(),
        },
    });
    let mixed = page.units.as_ref().filter(|units| units.is_mixed());
    of_text.chain(mixed.map(mixed_units)).collect()
}

fn mixed_units(units: &UnitCounts) -> Warning {
    let counts: Vec<String> =
        units.iter().map(|(unit, count)| format!("{}: {count}", unit.name())).collect();
    let detail = format!(
        "Quantities were compared as published, in different units ({}); add value_unit to compare \
         like with like.",
        counts.join(", ")
    );
    Warning { code: "mixed-units", detail }
}
