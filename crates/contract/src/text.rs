//! The worked table of `q`, and cases that it leaves open.

use outfall_records::RecordKind;

use crate::backends::{found_set, matching};

tests! {
    the_worked_table_means_what_the_contract_says,
    quotes_and_pieces_without_tokens_are_read_as_the_contract_says,
    every_searchable_text_is_searched,
    units_match_in_one_text_and_clauses_in_any,
    plurals_apply_to_single_words_alone,
    exclusions_stand_alone_and_among_alternatives,
}

/// `q`, and the labels of the releases that it matches.
fn check(cases: &[(&str, &str)]) {
    for (q, expected) in cases {
        assert_eq!(found_set(&matching(RecordKind::Release, q)), *expected, "{q}");
    }
}

fn the_worked_table_means_what_the_contract_says() {
    check(&[
        ("mercury Sarnia", "ab"),
        ("mercury OR lead", "abil"),
        ("Sarnia benzene OR toluene", "cd"),
        ("benzene OR toluene Sarnia", "cd"),
        ("benzene OR toluene OR xylene -Ontario", "ef"),
        ("\"sulphur dioxide\"", "gh"),
        ("\"sulfur dioxide\"", "gh"),
        ("quebec", "efgjkl"),
        ("Québec", "efgjkl"),
        ("QUÉBEC", "efgjkl"),
        ("l'usine", "efg"),
        ("usine", "efg"),
        ("L’Usine", "efg"),
        ("Sainte-Foy", "efg"),
        ("\"sainte foy\"", "efg"),
        ("Ste-Foy", "efg"),
        ("Sainte Foy", "efghi"),
        ("7439-97-6", "l"),
        ("97", "lmno"),
        ("-mercury", "cdefghijkmno"),
        ("mercury -\"and its compounds\"", "l"),
        ("Smith & Sons", "efghi"),
        ("Smith and Sons", "efghi"),
        ("\"Smith & Sons\"", "efghi"),
        ("\"mercury", "abl"),
        ("OR mercury", "abl"),
        ("mercury OR", "abl"),
        ("mine d'or", "jkl"),
        ("1,1,2-trichloroethane", "j"),
        ("PM2.5", "m"),
        ("PM 2.5", "m"),
        ("211", "efg"),
    ]);
}

fn quotes_and_pieces_without_tokens_are_read_as_the_contract_says() {
    check(&[
        ("Sainte\"Foy works", "hi"),
        ("Sainte Foy works", "hi"),
        ("oil\" -benzene", "abd"),
        ("oil\"-benzene", "abd"),
        ("(-sarnia OR mercury)", "abefghijklmno"),
        ("\"sainte\"foy", "efghi"),
        ("\"oil\"-benzene", "abd"),
        ("city:\"imperial oil\"", ""),
        ("oil:\"imperial oil\"", "abcd"),
        ("(\"imperial oil\") -(\"and its compounds\")", "cd"),
        ("mercury OR - benzene", "abcel"),
        ("mercury - OR benzene", "abcel"),
        ("mercury OR / benzene", "abcel"),
        ("mercury OR benzene", "abcel"),
        ("mercury / benzene", ""),
    ]);
}

fn every_searchable_text_is_searched() {
    check(&[
        ("\"raffinerie de sarnia\"", "abcd"),
        ("\"gold corp\"", "jkl"),
        ("rouyn", "jkl"),
        ("NB", "hi"),
        ("\"Nouveau-Brunswick\"", "hi"),
        ("324110", "abcd"),
        ("G10002", "abcd"),
        ("\"NA - D/F\"", "no"),
        ("NA-DF", "no"),
        ("7446-09-05", "gh"),
        ("eau", "bio"),
        ("cheminées", "abcdefghijklmno"),
        ("2020", "lo"),
        ("\"71-43-2\" 2023", "ce"),
        ("1500", ""),
        ("all-media", "h"),
    ]);
    let emissions = |q| found_set(&matching(RecordKind::Emission, q));
    assert_eq!(emissions("sarnia"), "pq");
    assert_eq!(emissions("983 2023"), "p");
    assert_eq!(emissions("benzene"), "");
}

fn units_match_in_one_text_and_clauses_in_any() {
    check(&[
        ("\"mine d'or\" \"Noranda Smelter\"", "jkl"),
        ("\"Horne Noranda\"", ""),
        ("\"benzene sarnia\"", ""),
        ("benzene sarnia", "c"),
        ("\"sarnia refinery\"", "abcd"),
        ("\"refinery sarnia\"", ""),
        ("sarnia-refinery", "abcd"),
    ]);
}

fn plurals_apply_to_single_words_alone() {
    check(&[
        ("mines", "jkl"),
        ("\"mines\"", ""),
        ("refineries", ""),
        ("work", "hi"),
        ("\"work\"", ""),
        ("sons", "efghi"),
        ("dioxin", "no"),
        ("-dioxin", "abcdefghijklm"),
        ("mercur", ""),
    ]);
}

fn exclusions_stand_alone_and_among_alternatives() {
    check(&[
        ("-zzz", "abcdefghijklmno"),
        ("-mercury -benzene -sarnia", "fghijkmno"),
        ("benzene OR -sarnia", "cefghijklmno"),
        ("benzene OR NOT 983", "cefghijklmno"),
        ("mercury -mercury", ""),
        ("mercury OR -mercury", "abcdefghijklmno"),
        ("-\"Sainte-Foy\" -Sainte-Foy quebec", "jkl"),
        ("", "abcdefghijklmno"),
        ("… -- \"\"", "abcdefghijklmno"),
    ]);
}
