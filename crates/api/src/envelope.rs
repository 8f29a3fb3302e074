//! The body of an answer, around the records that the backend wrote.

use std::borrow::Cow;
use std::collections::BTreeMap;

use outfall_request::text::TextWarning;
use outfall_request::{SearchPage, SearchRequest, UnitCounts};
use schemars::JsonSchema;
use serde::Serialize;

use crate::facets::{FacetInfosJson, FacetsJson};
use crate::{Bilingual, Language, facet_warnings};

/// All warning codes.
pub const WARNING_CODES: [&str; 6] = [
    "unbalanced-quote",
    "dangling-operator",
    "ignored-syntax",
    "mixed-units",
    "facet-limited",
    "mixed-substances",
];

/// Something that the caller should know about an answer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Ce que l’appelant devrait savoir d’une réponse."))]
pub struct Warning {
    #[schemars(extend("enum" = WARNING_CODES))]
    code: &'static str,
    /// The warning, in the requested language.
    #[schemars(extend("x-fr" = "L’avertissement, dans la langue demandée."))]
    pub detail: Cow<'static, str>,
    /// With `mixed-units`: how many matches are in each unit.
    #[schemars(extend(
        "x-fr" = "Avec `mixed-units`\u{a0}: combien de résultats sont dans chaque unité."
    ))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeMap<String, u64>")]
    counts: Option<BTreeMap<&'static str, u64>>,
    /// With `mixed-substances`: how many substances the matches have.
    #[schemars(extend(
        "x-fr" = "Avec `mixed-substances`\u{a0}: combien de substances ont les résultats."
    ))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    substances: Option<u64>,
}

impl Warning {
    fn new(code: &'static str, detail: Bilingual, language: Language) -> Self {
        let detail = detail.in_language(language);
        Self { code, detail, counts: None, substances: None }
    }
}

/// How the request was read, and why nothing matches.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-fr" = "Comment la requête a été lue, et pourquoi rien n’y répond."))]
pub(crate) struct Query<'a> {
    /// How `q` was read, with `AND`, `OR` and brackets; asked again, it gives the same matches.
    /// Only if `q` has a word.
    #[schemars(extend(
        "x-fr" = "Comment `q` a été lu, avec `AND`, `OR` et des parenthèses; demandé de nouveau, \
                  cela donne les mêmes résultats. Seulement si `q` a un mot."
    ))]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    read_as: Option<String>,
    /// The units of `q`, only when nothing matches.
    #[schemars(extend("x-fr" = "Les termes de `q`, seulement si rien ne répond à la requête."))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    terms: Vec<Term<'a>>,
    /// Each value of each filter, only when nothing matches.
    #[schemars(extend(
        "x-fr" = "Chaque valeur de chaque filtre, seulement si rien ne répond à la requête."
    ))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    filters: Vec<Filter<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Term<'a> {
    /// A unit of `q`, as it was written.
    #[schemars(extend("x-fr" = "Un terme de `q`, tel qu’il a été écrit."))]
    text: &'a str,
    /// The records that it matches under the other filters.
    #[schemars(extend(
        "x-fr" = "Nombre d’enregistrements auxquels il correspond avec les autres filtres."
    ))]
    count: u64,
    /// The records that it matches by itself.
    #[schemars(extend("x-fr" = "Nombre d’enregistrements auxquels il correspond à lui seul."))]
    count_alone: u64,
    /// Words of the data that are like it, if it occurs nowhere.
    #[schemars(extend("x-fr" = "Mots des données qui lui ressemblent, s’il n’y est nulle part."))]
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[schemars(with = "Vec<String>")]
    did_you_mean: &'a [String],
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Filter<'a> {
    /// The name of the parameter, as it was written.
    #[schemars(extend("x-fr" = "Le nom du paramètre, tel qu’il a été écrit."))]
    parameter: &'a str,
    /// The value, as it was written.
    #[schemars(extend("x-fr" = "La valeur, telle qu’elle a été écrite."))]
    value: &'a str,
    /// The records that it matches by itself.
    #[schemars(extend("x-fr" = "Nombre d’enregistrements auxquels elle correspond à elle seule."))]
    count: u64,
    /// Words of the data, or cities, that are like its first word that occurs nowhere.
    #[schemars(extend(
        "x-fr" = "Mots des données, ou villes, qui ressemblent à son premier mot qui n’y est nulle part."
    ))]
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[schemars(with = "Vec<String>")]
    did_you_mean: &'a [String],
}

impl<'a> Query<'a> {
    pub(crate) fn of(request: &SearchRequest, page: &'a SearchPage) -> Self {
        let read_as = request.text.read_as();
        let Some(explanation) = &page.explanation else {
            return Self { read_as, terms: Vec::new(), filters: Vec::new() };
        };
        let terms = explanation.terms.iter().map(|term| Term {
            text: &term.text,
            count: term.count,
            count_alone: term.count_alone,
            did_you_mean: &term.did_you_mean,
        });
        let filters = explanation.filters.iter().map(|filter| Filter {
            parameter: &filter.parameter,
            value: &filter.value,
            count: filter.count,
            did_you_mean: &filter.did_you_mean,
        });
        Self { read_as, terms: terms.collect(), filters: filters.collect() }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.read_as.is_none() && self.terms.is_empty() && self.filters.is_empty()
    }
}

/// The body of a page. The records are copied, never parsed.
#[must_use]
pub fn envelope(request: &SearchRequest, page: &SearchPage, language: Language) -> Vec<u8> {
    let mut body = Vec::with_capacity(page.records.joined().len() + 600);
    body.push(b'{');
    push_page(&mut body, request, page);
    let warnings = warnings(request, page, language);
    if !warnings.is_empty() {
        body.extend_from_slice(br#","warnings":"#);
        push_json(&mut body, &warnings);
    }
    push_reading(&mut body, request, page);
    body.push(b'}');
    body
}

/// Appends the members of an envelope that show the page itself.
pub(crate) fn push_page(body: &mut Vec<u8>, request: &SearchRequest, page: &SearchPage) {
    let next = page.next.as_ref().map(outfall_request::Cursor::encode);
    let head = format!(
        r#""entity_type":"{}","count":{},"offset":{},"limit":{},"next_cursor":"#,
        request.record_kind, page.total, page.offset, request.page.limit
    );
    body.extend_from_slice(head.as_bytes());
    push_json(body, &next);
    body.extend_from_slice(br#","results":["#);
    body.extend_from_slice(page.records.joined());
    body.push(b']');
    if !page.facets.is_empty() {
        body.extend_from_slice(br#","facets":"#);
        push_json(body, &FacetsJson(&page.facets));
        body.extend_from_slice(br#","facet_info":"#);
        push_json(body, &FacetInfosJson(&page.facets));
    }
}

/// Appends the member of an envelope that says how the request was read; other members must precede
/// it.
pub(crate) fn push_reading(body: &mut Vec<u8>, request: &SearchRequest, page: &SearchPage) {
    let query = Query::of(request, page);
    if !query.is_empty() {
        body.extend_from_slice(br#","query":"#);
        push_json(body, &query);
    }
}

#[expect(clippy::expect_used, reason = "texts and numbers always serialise")]
pub(crate) fn push_json(body: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(body, value).expect("texts and numbers");
}

/// The warnings of a page.
#[must_use]
pub fn warnings(request: &SearchRequest, page: &SearchPage, language: Language) -> Vec<Warning> {
    let of_text = request.text.warnings.iter().map(|warning| {
        let (code, detail) = text_warning(*warning);
        Warning::new(code, detail, language)
    });
    let ignored = Some(&request.text.ignored).filter(|ignored| !ignored.is_empty());
    let ignored = ignored.map(|ignored| ignored_syntax(ignored, language));
    let of_text = of_text.chain(ignored);
    let mixed = page.units.as_ref().filter(|units| units.is_mixed());
    let limited = facet_warnings::limited(&page.facets);
    let limited = limited.map(|detail| Warning::new("facet-limited", detail, language));
    let substances = facet_warnings::mixed_substances(page.facets.substances);
    let substances = substances.map(|(substances, detail)| Warning {
        substances: Some(substances),
        ..Warning::new("mixed-substances", detail, language)
    });
    of_text
        .chain(mixed.map(|units| mixed_units(units, language)))
        .chain(limited)
        .chain(substances)
        .collect()
}

fn text_warning(warning: TextWarning) -> (&'static str, Bilingual) {
    match warning {
        TextWarning::UnbalancedQuote => (
            "unbalanced-quote",
            Bilingual::new(
                "A quote in q stands inside or behind a word and was read as a space, or it is not \
                 closed and the phrase runs to the end.",
                "Un guillemet dans q est placé dans un mot ou derrière lui et compte comme une \
                 espace, ou il n’est pas fermé et l’expression va jusqu’à la fin.",
            ),
        ),
        TextWarning::DanglingOperator => (
            "dangling-operator",
            Bilingual::new(
                "An OR, AND or NOT in q is doubled or has no word beside it; what says nothing was \
                 ignored.",
                "Un OR, AND ou NOT dans q est répété ou n’a pas de mot à côté de lui; ce qui ne dit \
                 rien a été ignoré.",
            ),
        ),
    }
}

fn ignored_syntax(ignored: &[String], language: Language) -> Warning {
    let named: Vec<String> = ignored.iter().map(|syntax| format!("`{syntax}`")).collect();
    let named = named.join(" ");
    let detail = Bilingual::new(
        format!(
            "These parts of q have no meaning here and were dropped or read as plain text: {named}. \
             Only words, \"phrases\", OR, NOT and - have one."
        ),
        format!(
            "Ces parties de q n’ont pas de sens ici et ont été ignorées ou lues comme du \
             texte\u{a0}: {named}. Seuls les mots, les \"expressions\", OR, NOT et - en ont un."
        ),
    );
    Warning::new("ignored-syntax", detail, language)
}

fn mixed_units(units: &UnitCounts, language: Language) -> Warning {
    let shown = |colon: &str| {
        let counts = units.iter().map(|(unit, count)| format!("{}{colon}{count}", unit.name()));
        counts.collect::<Vec<_>>().join(", ")
    };
    let detail = Bilingual::new(
        format!(
            "Quantities were compared as published, in different units ({}); add value_unit to \
             compare like with like.",
            shown(": ")
        ),
        format!(
            "Les quantités ont été comparées telles que publiées, en unités différentes ({}); \
             ajoutez value_unit pour les comparer dans une même unité.",
            shown("\u{a0}: ")
        ),
    );
    Warning {
        counts: Some(units.iter().map(|(unit, count)| (unit.name(), count)).collect()),
        ..Warning::new("mixed-units", detail, language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_warning_has_its_code_and_its_twin() {
        let known = [TextWarning::UnbalancedQuote, TextWarning::DanglingOperator].map(text_warning);
        for (code, detail) in known {
            assert!(WARNING_CODES.contains(&code), "{code}");
            let english = detail.clone().in_language(Language::English);
            assert_ne!(detail.in_language(Language::French), english, "{code}");
        }
    }
}
