//! What a caller probably meant by a name or a value that is not ours.

use outfall_records::RecordKind;
use outfall_records::text::fold;

use super::table::{PARAMETERS, Parameter};

/// How similar two words must be, from 0 to 1, to suggest one for the other.
const LIKENESS: f64 = 0.8;

/// The names under which others look for a facility; they mean its name as often as its id.
const FACILITIES: [&str; 3] = ["facility", "facility_name", "installation"];

/// Other services' names for our parameters, in both languages and without accents.
const ELSEWHERE: [(&str, &str); 30] = [
    ("annee", "year"),
    ("cas", "substance"),
    ("cas_number", "substance"),
    ("chemical", "substance"),
    ("end", "issued_before"),
    ("facility", "facility_id"),
    ("facility_name", "facility_id"),
    ("from", "issued_after"),
    ("gas", "substance"),
    ("installation", "facility_id"),
    ("keyword", "q"),
    ("limite", "limit"),
    ("ordre", "sort_order"),
    ("order", "sort_order"),
    ("page", "offset"),
    ("page_size", "limit"),
    ("per_page", "limit"),
    ("pollutant", "substance"),
    ("query", "q"),
    ("recherche", "q"),
    ("scian", "naics_code"),
    ("search", "q"),
    ("sector", "naics_code"),
    ("since", "issued_after"),
    ("start", "issued_after"),
    ("to", "issued_before"),
    ("tri", "sort_by"),
    ("unite", "value_unit"),
    ("units", "value_unit"),
    ("until", "issued_before"),
];

/// Words that others use for one of our choices: the parameter, the word without accents, and the
/// choice.
const CHOICES_ELSEWHERE: [(&str, &str, &str); 4] = [
    ("sort_by", "amount", "value"),
    ("sort_by", "newest", "date"),
    ("sort_by", "quantity", "value"),
    ("sort_by", "year", "date"),
];

/// The parameter of the operation to suggest for `name`: the one that other services call by that
/// name, or else the most similar one. If the former is not a parameter of this operation, it
/// suggests none.
pub(crate) fn nearest(name: &str, record_kind: RecordKind) -> Option<&'static str> {
    let name = plain(name);
    let known = || PARAMETERS.iter().filter(|parameter| parameter.is_on(record_kind));
    match ELSEWHERE.iter().find(|(other, _)| *other == name) {
        Some((_, own)) => known().map(|parameter| parameter.name).find(|known| known == own),
        None => nearest_of(&name, known().flat_map(Parameter::names)),
    }
}

/// Whether others look for a facility under this name.
pub(crate) fn is_of_facilities(name: &str) -> bool {
    FACILITIES.contains(&plain(name).as_str())
}

fn plain(name: &str) -> String {
    fold(name).replace('-', "_")
}

/// The choice of the parameter called `parameter` to suggest for `word`.
pub(crate) fn nearest_choice(
    parameter: &str,
    word: &str,
    choices: &'static [&'static str],
) -> Option<&'static str> {
    let folded = fold(word);
    let elsewhere = CHOICES_ELSEWHERE
        .iter()
        .find(|(of, other, _)| *of == parameter && *other == folded)
        .map(|(.., own)| *own);
    elsewhere.or_else(|| nearest_of(word, choices.iter().copied()))
}

/// The word in `known` that is most similar to `word`, if any is similar enough.
pub(crate) fn nearest_of(
    word: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let folded = fold(word);
    // Accents decide between names that differ in nothing else.
    let likeness = |known: &&str| {
        let exact = strsim::jaro_winkler(&word.to_lowercase(), &known.to_lowercase());
        strsim::jaro_winkler(&folded, &fold(known)).max(exact) + exact / 1e3
    };
    known
        .into_iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .filter(|known| likeness(known) >= LIKENESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ParameterKind;

    #[test]
    fn other_services_words_lead_to_ours() {
        for (other, own) in ELSEWHERE {
            assert!(Parameter::named(own).is_some_and(|parameter| parameter.name == own), "{own}");
            assert!(Parameter::named(other).is_none() && fold(other) == other, "{other}");
        }
        for facility in FACILITIES {
            assert_eq!(nearest(facility, RecordKind::Release), Some("facility_id"));
        }
        for (parameter, other, own) in CHOICES_ELSEWHERE {
            match Parameter::named(parameter).map(|parameter| parameter.kind) {
                Some(ParameterKind::Choice(words)) => {
                    assert!(words.contains(&own) && !words.contains(&other), "{other}");
                    assert_eq!(nearest_choice(parameter, other, words), Some(own));
                }
                kind => panic!("{parameter}: {kind:?}"),
            }
        }
    }

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        use RecordKind::{Emission, Release};
        for (written, record_kind, expected) in [
            ("provnce", Release, Some("province")),
            ("Province", Release, Some("province")),
            ("facility", Emission, Some("facility_id")),
            ("facility-id", Release, Some("facility_id")),
            ("naics", Release, Some("naics_code")),
            ("sort", Release, Some("sort_by")),
            ("order", Release, Some("sort_order")),
            ("date_form", Release, Some("date_from")),
            ("From", Release, Some("issued_after")),
            ("until", Emission, Some("issued_before")),
            ("substence", Release, Some("substance")),
            ("substence", Emission, None),
            ("gas", Release, Some("substance")),
            ("gas", Emission, None),
            ("Q", Release, Some("q")),
            ("page", Release, Some("offset")),
            ("unité", Release, Some("value_unit")),
            ("unité", Emission, None),
            ("units", Release, Some("value_unit")),
            ("units", Emission, None),
            ("", Release, None),
        ] {
            assert_eq!(nearest(written, record_kind), expected, "{written}");
        }
    }
}
