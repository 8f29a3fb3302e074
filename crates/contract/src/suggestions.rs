//! Suggestions for a word that occurs nowhere, found by comparing it with every word.

use std::collections::{BTreeMap, BTreeSet};

use outfall_records::text::{class_of, fold, token_of, words};
use outfall_records::{ABBREVIATIONS, RecordKind};
use outfall_request::{CityFilter, CompanyFilter, Filters, GivenFilter, SubstanceFilter};
use proptest::prelude::*;
use proptest::sample::select;

use crate::backends::{BACKENDS, asking, matching};
use crate::records::all;

tests! {
    words_of_q_that_occur_nowhere_have_their_neighbours,
    values_of_filters_have_those_of_their_first_word,
    the_neighbours_are_those_that_a_look_at_every_word_finds,
}

/// The suggestions for each unit of `q`.
fn of_units(record_kind: RecordKind, q: &str) -> Vec<Vec<String>> {
    let mut request = matching(record_kind, &format!("{q} zzzzzzzzz"));
    request.explain = Some(Vec::new());
    let explanation = BACKENDS.search(&request).explanation.unwrap();
    let mut all: Vec<_> = explanation.terms.into_iter().map(|term| term.did_you_mean).collect();
    assert_eq!(all.pop(), Some(Vec::new()));
    all
}

/// The suggestions for a filter.
fn of_filter(record_kind: RecordKind, value: &str, filters: Filters) -> Vec<String> {
    let mut request = matching(record_kind, "zzzzzzzzz");
    let (parameter, value) = ("any".to_owned(), value.to_owned());
    request.explain = Some(vec![GivenFilter { parameter, value, filters }]);
    BACKENDS.search(&request).explanation.unwrap().filters.remove(0).did_you_mean
}

fn words_of_q_that_occur_nowhere_have_their_neighbours() {
    for (q, expected) in [
        ("mercry", &["mercury", "mercure"][..]),
        ("-MERCRY", &["mercury", "mercure"]),
        ("Sarnai", &["sarnia"]),
        ("Qébec", &["quebec"]),
        // A word of five letters may differ in one, a word of six in two.
        ("usene", &["usine"]),
        ("usxxe", &[]),
        ("usixxe", &["usine"]),
        // A suggestion is spelled as in the data, and each class gives only one.
        ("sulphuur", &["sulphur"]),
        ("xylenes", &[]),
        ("dioxns", &["dioxins"]),
        // The word occurs, or it is not a single word of letters.
        ("mercury", &[]),
        ("\"mercry\"", &[]),
        ("merc-ry", &[]),
        ("mercry2", &[]),
        ("93", &[]),
    ] {
        let found = of_units(RecordKind::Release, q);
        assert_eq!(
            found[0].iter().take(expected.len().max(1)).collect::<Vec<_>>(),
            expected,
            "{q}"
        );
    }
    // Emissions have words of their own.
    assert_eq!(of_units(RecordKind::Emission, "mercry sarna"), [vec![], vec!["sarnia".to_owned()]]);
}

fn values_of_filters_have_those_of_their_first_word() {
    let substance = |value: &str| {
        let substances = vec![SubstanceFilter::words(value).unwrap()];
        of_filter(RecordKind::Release, value, Filters { substances, ..Filters::default() })
    };
    let company = |value: &str| {
        let companies = vec![CompanyFilter::new(value).unwrap()];
        of_filter(RecordKind::Release, value, Filters { companies, ..Filters::default() })
    };
    let city = |value: &str| {
        let cities = vec![CityFilter::new(value).unwrap()];
        of_filter(RecordKind::Release, value, Filters { cities, ..Filters::default() })
    };
    assert_eq!(substance("benzine")[0], "benzene");
    // The first word that occurs nowhere, even if no word resembles it.
    assert_eq!(substance("dioxide sulphuur benzine"), ["sulphur"]);
    assert_eq!(substance("qqqqqqq benzine"), [""; 0]);
    assert_eq!(company("Imperial Oill"), ["oil"]);
    assert_eq!(company("imperial-oill gld"), ["gold"]);
    // The word occurs, although in no company's name.
    assert_eq!(company("mercury"), [""; 0]);
    assert_eq!(city("Quebc"), ["quebec"]);
    assert_eq!(city("ste-ane"), [""; 0]);
    assert_eq!(city("Saint-Anne"), ["sainte-anne"]);
    assert_eq!(city("mercury"), [""; 0]);
    assert_eq!(city("ste anne"), [""; 0]);
}

/// How many letters differ, a swap of neighbours counting as one, by the textbook recursion.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut table: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let of = |i: usize, j: usize| table[&(i, j)];
            let least = match (i, j) {
                (0, distance) | (distance, 0) => distance,
                (i, j) => {
                    let is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    let replaced = of(i - 1, j - 1) + usize::from(a[i - 1] != b[j - 1]);
                    let swapped = if is_swap { of(i - 2, j - 2) + 1 } else { usize::MAX };
                    replaced.min(swapped).min(of(i - 1, j) + 1).min(of(i, j - 1) + 1)
                }
            };
            table.insert((i, j), least);
        }
    }
    table[&(a.len(), b.len())]
}

/// Every folded word of letters that releases show.
fn vocabulary() -> BTreeSet<String> {
    let records = all();
    let releases = records.iter().filter(|record| record.record_kind() == RecordKind::Release);
    let texts = releases.flat_map(outfall_records::Record::texts);
    let words = texts.flat_map(|text| words(&text.text));
    words.filter(|word| word.chars().all(char::is_alphabetic)).collect()
}

/// The first three of all words, in the order of the contract.
fn expected(word: &str) -> Vec<String> {
    let class = |word: &str| class_of(&token_of(word)).into_owned();
    let count = |word: &str| BACKENDS.count(&matching(RecordKind::Release, word));
    if count(word) > 0 {
        return Vec::new();
    }
    let letters = |word: &str| word.chars().collect::<Vec<_>>();
    let most = if letters(word).len() <= 5 { 1 } else { 2 };
    let abbreviations: Vec<String> =
        ABBREVIATIONS.iter().map(|known| fold(known.spelling)).collect();
    let mut near: Vec<(usize, u64, String)> = Vec::new();
    for other in vocabulary() {
        let distance = distance(&letters(word), &letters(&other));
        if distance <= most && !abbreviations.contains(&other) {
            near.push((distance, u64::MAX - count(&other), other));
        }
    }
    near.sort();
    let mut classes = BTreeSet::new();
    near.retain(|(.., other)| classes.insert(class(other)));
    near.into_iter().take(3).map(|(.., other)| other).collect()
}

/// A word of the data with a few letters changed.
fn misspelt() -> impl Strategy<Value = String> {
    let letter = select(('a'..='z').chain(['é', 's', 'x']).collect::<Vec<_>>());
    let change = (0_u8..4, any::<prop::sample::Index>(), letter);
    let word = select(Vec::from_iter(vocabulary()));
    (word, prop::collection::vec(change, 1..3)).prop_map(|(word, changes)| {
        let mut letters: Vec<char> = word.chars().collect();
        for (kind, place, letter) in changes {
            let place = place.index(letters.len().max(1));
            match kind {
                0 => letters.insert(place, letter),
                1 if letters.len() > 1 => drop(letters.remove(place)),
                2 if place + 1 < letters.len() => letters.swap(place, place + 1),
                _ => letters[place] = letter,
            }
        }
        letters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(asking(150))]

        fn the_neighbours_are_those_that_a_look_at_every_word_finds(word in misspelt()) {
        let folded = fold(&word);
        prop_assert_eq!(of_units(RecordKind::Release, &folded), [expected(&folded)], "{}", folded);
    }
}
