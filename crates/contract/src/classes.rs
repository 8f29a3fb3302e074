//! Plurals and equivalents: every word of a class finds what every other finds.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use outfall_records::text::{EQUIVALENTS, class_of, tokens};
use outfall_records::{Medium, Record, RecordKind, Site, Unit};
use outfall_request::SearchRequest;

use crate::backends::{Backends, ids, matching};
use crate::records::{decimal, release, site_of, substance_of};

tests! {
    the_spellings_are_those_of_the_table,
    every_spelling_finds_the_same_set,
    tokens_of_phrases_use_the_table_alone,
    terms_count_what_a_word_finds,
    relevance_counts_the_words_of_a_class,
}

/// Spellings of some words, those of one class together: the whole table, then words without an
/// entry and words that look alike.
const CLASSES: [&str; 20] = [
    "& and et",
    "St saint saints",
    "Ste sainte saintes",
    "Ltd limited limiteds ltée ltées limitée limitées",
    "Inc incorporated incorporateds incorporée incorporées",
    "Corp corps corporation corporations",
    "Co company companys compagnie compagnies cie",
    "aluminum aluminums aluminium aluminiums",
    "fiber fibers fibre fibres",
    "center centers centre centres",
    "sulphide sulphides sulfide sulfides",
    "tetrasulphonate tetrasulphonates tetrasulfonates",
    "mine mines minex minesx minexs",
    "bureau bureaux bureauxs",
    "gas",
    "glass",
    "cies",
    "cos",
    "companies companie",
    "Sts",
];

/// The number of each spelling's class, the spelling, and a record with it in its name among other
/// words.
static SPELLED: LazyLock<Vec<(usize, &str, Record)>> = LazyLock::new(|| {
    let spellings = |(class, words): (usize, &&'static str)| {
        words.split(' ').map(move |word| (class, word)).collect::<Vec<_>>()
    };
    let spellings = CLASSES.iter().enumerate().flat_map(spellings);
    spellings
        .enumerate()
        .map(|(place, (class, word))| {
            let mut site = Site::clone(&site_of("500366"));
            let name = format!("Plant {word} {place}");
            (site.facility_name, site.every_name) = (Some(name.clone()), vec![name]);
            let (year, substance) = (1995 + place as u16, substance_of("71-43-2", 2023));
            let quantity = (decimal("1"), Unit::Tonnes);
            (class, word, release(Arc::new(site), year, substance, Medium::Air, quantity))
        })
        .collect()
});

static BACKENDS: LazyLock<Backends> = LazyLock::new(|| {
    let records: Vec<Record> = SPELLED.iter().map(|(_, _, record)| record.clone()).collect();
    Backends::over(&records)
});

/// The ids of the records whose spelling `keeps` accepts.
fn spelled(keeps: impl Fn(usize, &str) -> bool) -> BTreeSet<String> {
    let kept = SPELLED.iter().filter(|(class, word, _)| keeps(*class, word));
    kept.map(|(_, _, record)| record.record_id()).collect()
}

fn found(q: &str) -> BTreeSet<String> {
    let mut request = matching(RecordKind::Release, q);
    request.page.limit = 1000;
    ids(&BACKENDS.search(&request)).into_iter().collect()
}

fn the_spellings_are_those_of_the_table() {
    for (one, others) in EQUIVALENTS {
        let class = CLASSES.iter().find(|words| tokens(words).iter().any(|token| token == one));
        let written: Vec<String> =
            class.unwrap().split(' ').map(outfall_records::text::fold).collect();
        for spelling in others.iter().chain([&one]) {
            // `&` is a spelling of `and`, and short words have no plural.
            assert!(written.iter().any(|word| word == spelling), "{spelling}");
            let plural = format!("{spelling}s");
            let has_plural = class_of(&plural) == class_of(one);
            assert_eq!(has_plural, spelling.len() >= 4, "{plural}");
            assert_eq!(written.contains(&plural), has_plural, "{plural}");
        }
    }
}

fn every_spelling_finds_the_same_set() {
    let all = spelled(|_, _| true);
    for (class, word, _) in SPELLED.iter() {
        let expected = spelled(|other, _| other == *class);
        let others: BTreeSet<String> = all.difference(&expected).cloned().collect();
        for written in [(*word).to_owned(), format!("({word}).")] {
            assert_eq!(found(&written), expected, "{written}");
            assert_eq!(found(&format!("-{written}")), others, "-{written}");
            assert_eq!(found(&format!("NOT {written}")), others, "NOT {written}");
            assert_eq!(found(&format!("zzz OR -{written}")), others, "OR -{written}");
            assert_eq!(found(&format!("zzz OR {written}")), expected, "OR {written}");
            assert_eq!(found(&format!("{written} plants")), expected, "{written} plants");
        }
    }
}

fn tokens_of_phrases_use_the_table_alone() {
    for (_, word, _) in SPELLED.iter() {
        let expected = spelled(|_, other| tokens(other) == tokens(word));
        for phrase in [format!("\"{word}\""), format!("\"plant {word}\""), format!("plant-{word}")]
        {
            assert_eq!(found(&phrase), expected, "{phrase}");
        }
    }
}

fn terms_count_what_a_word_finds() {
    for (class, word, _) in SPELLED.iter() {
        let expected = spelled(|other, _| other == *class).len() as u64;
        let q = format!("zzz {word} -{word} \"{word}\"");
        let mut request = matching(RecordKind::Release, &q);
        request.explain = Some(Vec::new());
        let explanation = BACKENDS.search(&request).explanation.unwrap();
        let counts: Vec<u64> = explanation.terms.iter().map(|term| term.count).collect();
        let exact = spelled(|_, other| tokens(other) == tokens(word)).len() as u64;
        assert_eq!(counts, [0, expected, SPELLED.len() as u64 - expected, exact], "{word}");
    }
}

fn relevance_counts_the_words_of_a_class() {
    for (class, word, _) in SPELLED.iter() {
        let mut request = SearchRequest::all(RecordKind::Release);
        request.text = matching(RecordKind::Release, &format!("benzene OR {word}")).text;
        request.sort.by = outfall_request::SortKey::Relevance;
        let expected = spelled(|other, _| other == *class);
        let first = ids(&BACKENDS.search(&request)).into_iter().take(expected.len());
        assert_eq!(first.collect::<BTreeSet<_>>(), expected, "{word}");
    }
}
