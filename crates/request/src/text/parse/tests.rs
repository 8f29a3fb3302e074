//! How texts are read.

use std::collections::BTreeSet;

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// A word or a phrase, perhaps excluded; of two tokens at most, so that a query of them is never
/// too complex.
fn unit() -> impl Strategy<Value = String> {
    "(NOT |-)?([a-z]{3}|\"[a-z]{2} [a-z]{2}\")"
}

/// `q`, its display form, and the warnings: `"` for a quote, `?` for an operator.
fn check(cases: &[(&str, &str, &str)]) {
    for (text, form, warnings) in cases {
        let query = parse(text).unwrap();
        let found: String = (query.warnings.iter())
            .map(|warning| match warning {
                TextWarning::UnbalancedQuote => '"',
                TextWarning::DanglingOperator => '?',
            })
            .collect();
        assert_eq!((query.to_string().as_str(), found.as_str()), (*form, *warnings), "{text}");
    }
}

#[test]
fn the_worked_set_means_what_the_contract_says() {
    check(&[
        ("mercury Sarnia", "mercury sarnia", ""),
        ("mercury OR lead", "mercury|lead", ""),
        ("Sarnia benzene OR toluene", "sarnia benzene|toluene", ""),
        ("benzene OR toluene Sarnia", "benzene|toluene sarnia", ""),
        ("benzene OR toluene OR xylene -Ontario", "benzene|toluene|xylene -ontario", ""),
        ("\"sulphur dioxide\"", "\"sulfur+dioxide\"", ""),
        ("\"sulfur dioxide\"", "\"sulfur+dioxide\"", ""),
        ("QUÉBEC", "quebec", ""),
        ("l'usine", "usine", ""),
        ("L’Usine", "usine", ""),
        ("Sainte-Foy", "\"ste+foy\"", ""),
        ("\"sainte foy\"", "\"ste+foy\"", ""),
        ("Ste-Foy", "\"ste+foy\"", ""),
        ("Sainte Foy", "ste foy", ""),
        ("7439-97-6", "\"7439+97+6\"", ""),
        ("-mercury", "-mercury", ""),
        ("mercury -\"and its compounds\"", "mercury -\"and+its+compounds\"", ""),
        ("Smith & Sons", "smith and sons", ""),
        ("Smith and Sons", "smith and sons", ""),
        ("\"mercury", "\"mercury\"", "\""),
        ("OR mercury", "mercury", "?"),
        ("mercury OR", "mercury", "?"),
        ("mine d'or", "mine or", ""),
        ("mines OR Fibres -\"mines\" corporations", "mine|fiber -\"mines\" corp", ""),
        ("1,1,2-trichloroethane", "\"1+1+2+trichloroethane\"", ""),
        ("PM2.5", "\"pm+2+5\"=PM2.5", ""),
        ("PM 2.5", "pm=PM \"2+5\"", ""),
        ("211", "211", ""),
    ]);
}

#[test]
fn abbreviations_are_whole_and_literal() {
    check(&[
        ("SO2 so₂ SO-2 (\"SO2\")", "\"so+2\"=SO2 \"so+2\"=SO2 \"so+2\"=SO2 \"so+2\"=SO2", ""),
        ("CO -\"co\" cie company", "co=CO -\"co\"=CO co co", ""),
        ("NOx VOCs vocx", "nox=NOx vocs=VOCs vocx", ""),
        ("\"plant SO2\" SO2-plant SO 2", "\"plant+so+2\" \"so+2+plant\" so 2", ""),
    ]);
}

#[test]
fn operators_stand_only_between_units() {
    check(&[
        ("a AND b", "a b", ""),
        ("NOT a", "-a", ""),
        ("NOT -a", "-a", ""),
        ("NOT NOT a", "-a", ""),
        ("a OR NOT b", "a|-b", ""),
        ("a OR -b", "a|-b", ""),
        ("a OR OR b", "a|b", "?"),
        ("a OR b OR", "a|b", "?"),
        ("a AND OR b", "a|b", "?"),
        ("a OR AND b", "a|b", "?"),
        ("a AND OR AND b", "a|b", "?"),
        ("a AND AND b", "a b", "?"),
        ("AND a", "a", "?"),
        ("a AND", "a", "?"),
        ("a AND NOT b", "a -b", ""),
        ("a NOT", "a", "?"),
        ("a NOT NOT", "a", "?"),
        ("a NOT OR b", "a|b", "?"),
        ("a OR NOT OR b", "a|b", "?"),
        ("a OR NOT", "a", "?"),
        ("NOT OR a", "a", "?"),
        ("NOT AND a", "a", "?"),
        ("OR NOT a", "-a", "?"),
        ("NOT \"a b\"", "-\"a+b\"", ""),
        ("OR", "", "?"),
        ("OR OR AND NOT", "", "?"),
        ("a or b", "a or b", ""),
        ("\"OR\"", "\"or\"", ""),
        ("a -OR b", "a -or b", ""),
        ("a OR -NOT", "a|-not", ""),
        ("Or And Not", "or and not", ""),
        ("aORb (a OR b) c", "aorb a|b c", ""),
        ("a,OR,b", "\"a+or+b\"", ""),
        ("a OR\tb\u{2003}OR\nc", "a|b|c", ""),
        ("a OR \"b c\"OR d", "a|\"b+c\"|d", ""),
        ("\"a\"OR\"b c\"OR\"d\"", "\"a\"|b c|d", "\""),
        ("a (OR b", "a or b", ""),
        ("a OR b AND c OR d", "a|b c|d", ""),
        ("OR \"a", "\"a\"", "\"?"),
    ]);
}

#[test]
fn quotes_and_hyphens_of_every_form_are_known() {
    check(&[
        ("“a b” «c» d", "\"a+b\" \"c\" d", ""),
        ("-\"a b\"", "-\"a+b\"", ""),
        ("-Sainte-Foy", "-\"ste+foy\"", ""),
        ("\u{2212}a \u{2010}b \u{2011}c --d", "-a -b -c -d", ""),
        ("\u{2013}a", "a", ""),
        ("a-b", "\"a+b\"", ""),
        ("a - b", "a b", ""),
        ("\"a\"-b", "\"a\" -b", ""),
        ("a \"", "a", "\""),
        ("\"\"", "", ""),
        ("… -- \"--\"", "", ""),
        ("", "", ""),
        ("  \u{a0} ", "", ""),
    ]);
}

#[test]
fn a_quote_opens_a_phrase_only_where_a_unit_starts() {
    check(&[
        ("Sainte\"Foy plant", "ste foy plant", "\""),
        ("oil\" -Ontario", "oil -ontario", "\""),
        ("oil\"-Ontario", "oil -ontario", "\""),
        ("oil\u{ab}\u{2212}Ontario", "oil -ontario", "\""),
        ("foo\"bar baz\"qux", "foo bar baz qux", "\""),
        ("12\" pipe 14\"", "12 pipe 14", "\""),
        ("oil\"\"gas field\"", "oil \"gas+field\"", "\""),
        ("oil\" \"gas field\"", "oil \"gas+field\"", "\""),
        ("oil\"-\"gas field\"", "oil -\"gas+field\"", "\""),
        ("oil”(“gas field”", "oil \"gas+field\"", "\""),
        ("lead\"OR\"zinc", "lead|zinc", "\""),
        ("lead\"OR \"zinc ore\"", "lead|\"zinc+ore\"", "\""),
        ("NOT\"lead\"", "-lead", "\""),
        ("lead-\"zinc ore\"", "lead zinc ore", "\""),
        ("*\"zinc ore\"", "zinc ore", "\""),
        ("d'\"or fin\"", "d or fin", "\""),
        ("d«or fin»", "d or fin", "\""),
        ("a&\"b c\"", "\"a+and\" b c", "\""),
    ]);
}

#[test]
fn units_start_behind_signs_phrases_and_fields() {
    check(&[
        ("(-Hamilton OR lead)", "-hamilton|lead", ""),
        (
            "(\"a b\" OR [«c d»]) {\"e f\"} +\"g h\" ~\"i j\"",
            "\"a+b\"|\"c+d\" \"e+f\" \"g+h\" \"i+j\"",
            "",
        ),
        ("-(\"a b\") (-\"c d\") +-~[e", "-\"a+b\" -\"c+d\" -e", ""),
        ("\u{2010}(\u{2011}“a b”) [\u{2212}c-d]", "-\"a+b\" -\"c+d\"", ""),
        ("*-lead !-lead ,-lead", "lead lead lead", ""),
        ("\"lead\"zinc", "\"lead\" zinc", ""),
        ("\"lead\"-zinc", "\"lead\" -zinc", ""),
        ("«lead»\u{2212}zinc", "\"lead\" -zinc", ""),
        ("\"lead\"\"zinc ore\"", "\"lead\" \"zinc+ore\"", ""),
        ("\"lead\",\"zinc ore\",gold", "\"lead\" \"zinc+ore\" gold", ""),
        ("\"lead\").-\"zinc ore\"", "\"lead\" -\"zinc+ore\"", ""),
        ("\"lead\"-(\"zinc ore\")", "\"lead\" -\"zinc+ore\"", ""),
        ("\"lead\"…zinc\"", "\"lead\" zinc", "\""),
        ("\"lead\"OR zinc", "\"lead\"|zinc", ""),
        ("\"lead\"&zinc", "\"lead\" \"and+zinc\"", ""),
        ("\"Smith\"&\"Sons\"", "\"smith\" and sons", "\""),
        ("company:\"Imperial Oil\"", "co \"imperial+oil\"", ""),
        ("-company:\"Imperial Oil\"", "-co \"imperial+oil\"", ""),
        ("(a_b:-lead)", "\"a+b\" -lead", ""),
        ("société:(\"a b\")", "societe \"a+b\"", ""),
        ("a:b:\"c d\" a:(b:-c", "\"a+b\" \"c+d\" \"a+b\" -c", ""),
        ("\"a\"b:\"c d\"", "\"a\" b \"c+d\"", ""),
        ("a1:\"b c\"", "\"a+1\" b c", "\""),
        ("a::\"b c\"", "a b c", "\""),
        (":\"b c\"", "b c", "\""),
        ("a:b a:(b a:b-c", "\"a+b\" \"a+b\" \"a+b+c\"", ""),
    ]);
}

#[test]
fn what_says_nothing_is_removed_before_the_grammar_is_applied() {
    check(&[
        ("lead OR - benzene", "lead|benzene", "?"),
        ("lead - OR benzene", "lead|benzene", "?"),
        ("lead OR / benzene", "lead|benzene", "?"),
        ("lead / OR / benzene", "lead|benzene", "?"),
        ("lead OR - / benzene", "lead|benzene", "?"),
        ("lead OR \"\" benzene", "lead|benzene", "?"),
        ("lead OR \u{2212}( “/” benzene", "lead|benzene", "?"),
        ("lead \"\"OR benzene", "lead|benzene", "?"),
        ("\"lead\", OR \"benzene\"", "\"lead\"|\"benzene\"", ""),
        ("\"lead\"- OR benzene", "\"lead\"|benzene", "?"),
        ("lead\" OR benzene", "lead|benzene", "\""),
        ("a OR … OR b", "a|b", "?"),
        ("a OR -… OR \"\" OR b", "a|b", "?"),
        ("a OR …", "a", "?"),
        ("… OR b", "b", "?"),
        ("… OR", "", "?"),
        ("a - OR", "a", "?"),
        ("a - b / c", "a b c", ""),
        ("a AND - b", "a b", ""),
        ("a - AND b", "a b", ""),
        ("- AND b", "b", "?"),
        ("a AND -", "a", "?"),
        ("a AND / AND b", "a b", "?"),
        ("a OR / AND b", "a|b", "?"),
        ("NOT - b", "-b", ""),
        ("NOT / NOT b", "-b", ""),
        ("a OR NOT / b", "a|-b", ""),
        ("a NOT / OR b", "a|b", "?"),
        ("NOT …", "", "?"),
        ("a - NOT b", "a -b", ""),
        ("… ? !", "", ""),
    ]);
}

#[test]
fn units_keep_what_the_caller_wrote() {
    for (text, expected) in [
        ("NOT  Mines -\"a  b\" «c» l’Usine", &["NOT  Mines", "-\"a  b\"", "«c»", "l’Usine"][..]),
        ("(-a \"b\",c\"d", &["(-a", "\"b\",", "c", "d"]),
        ("e:\"f\" NOT - g", &["e:", "\"f\"", "NOT - g"]),
    ] {
        let query = parse(text).unwrap();
        let written: Vec<&str> = query.units().map(|unit| unit.written.as_str()).collect();
        assert_eq!(written, expected);
    }
}

#[test]
fn size_is_bounded() {
    let words = |count| vec!["a"; count].join(" ");
    let phrases = |count| vec!["a-b"; count].join(" ");
    for (text, expected) in [
        ("é".repeat(512), Ok(1)),
        (format!("  {}  ", "é".repeat(512)), Ok(1)),
        ("é".repeat(513), Err(ParseError::TooLong { length: 513 })),
        (words(32), Ok(32)),
        (format!("{} --", words(32)), Ok(32)),
        (words(33), Err(ParseError::TooManyUnits { units: 33 })),
        (phrases(16), Ok(16)),
        (phrases(17), Err(ParseError::TooManyPhrases { phrases: 17 })),
    ] {
        assert_eq!(parse(&text).map(|query| query.units().count()), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed(text in "([-\"a-c«’ ]|OR |AND |NOT |\\PC){0,60}") {
        let query = parse(&text);
        if let Ok(query) = query {
            prop_assert!(query.clauses.iter().all(|clause| !clause.units.is_empty()));
            prop_assert!(query.units().all(|unit| !unit.pattern.tokens.is_empty()));
            prop_assert!(query.units().all(|unit| text.contains(&unit.written)));
        }
    }

    #[test]
    fn clauses_and_their_units_stand_in_any_order(
        (written, shuffled) in vec(vec(unit(), 1..4), 0..6).prop_flat_map(|clauses| {
            let units = clauses.iter().cloned().map(|units| Just(units).prop_shuffle());
            let shuffled = units.collect::<Vec<_>>();
            let shuffled = shuffled.prop_flat_map(|clauses| Just(clauses).prop_shuffle());
            (Just(clauses), shuffled)
        })
    ) {
        let parsed = |clauses: &[Vec<String>]| {
            let texts: Vec<String> = clauses.iter().map(|units| units.join(" OR ")).collect();
            parse(&texts.join(" ")).unwrap()
        };
        // The sets of clauses, each as the set of its units.
        let meaning = |query: &TextQuery| {
            let clause = |clause: &Clause| {
                clause.units.iter().map(ToString::to_string).collect::<BTreeSet<_>>()
            };
            query.clauses.iter().map(clause).collect::<BTreeSet<_>>()
        };
        let query = parsed(&written);
        prop_assert_eq!(query.clauses.len(), written.len());
        for (clause, units) in query.clauses.iter().zip(&written) {
            let written = clause.units.iter().map(|unit| unit.written.as_str());
            prop_assert_eq!(&written.collect::<Vec<_>>(), units);
        }
        prop_assert!(query.warnings.is_empty());
        prop_assert_eq!(meaning(&query), meaning(&parsed(&shuffled)));
    }
}
