//! A second reading of `q`, which rewrites the whole text rule by rule, compared with the parser on
//! texts made of everything that the rules name.

use std::collections::BTreeSet;

use outfall_records::text::{class_of, tokens, words};
use outfall_request::text::{Clause, TextWarning, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

tests! {
    the_parser_reads_what_the_rules_say,
    units_as_written_mean_what_they_meant,
    a_reading_is_read_as_itself,
    syntax_of_other_languages_is_named,
}

/// The compact form of `q`, whether a quote is unbalanced, and whether an operator dangles.
fn read(q: &str) -> (String, bool, bool) {
    let (text, is_unbalanced) = with_quotes_settled(&in_one_style(q));
    let pieces: Vec<String> = text.split(' ').flat_map(without_fields).collect();
    let mut elements: Vec<String> =
        pieces.iter().filter(|piece| !piece.is_empty()).map(|piece| element(piece)).collect();
    let is_beside_or = |pair: &[String]| pair.contains(&String::new()) && has(pair, "OR");
    let mut is_dangling = elements.windows(2).any(is_beside_or);
    elements.retain(|element| !element.is_empty());
    while rewrite(&mut elements, &mut is_dangling) {}
    elements.retain(|element| element != "AND");
    (elements.join(" ").replace(" OR ", "|"), is_unbalanced, is_dangling)
}

fn has(elements: &[String], wanted: &str) -> bool {
    elements.iter().any(|element| element == wanted)
}

/// One form of each quote, hyphen and space.
fn in_one_style(q: &str) -> String {
    let plain = |c: char| match c {
        '“' | '”' | '«' | '»' => '"',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        c if c.is_whitespace() => ' ',
        c => c,
    };
    q.chars().map(plain).collect()
}

/// Whether everything between the last space and the end may come before a unit.
fn is_unit_start(before: &str) -> bool {
    let mut rest = before.rsplit(' ').next().unwrap();
    loop {
        let name = rest.trim_start_matches(|c: char| c.is_alphabetic() || c == '_');
        rest = match (rest.chars().next(), name.strip_prefix(':')) {
            (None, _) => return true,
            (Some('-' | '(' | '[' | '{' | '+' | '~'), _) => &rest[1..],
            (_, Some(behind)) if name.len() < rest.len() => behind,
            _ => return false,
        };
    }
}

/// Turns quotes that open no phrase into spaces, replaces the punctuation after each phrase with a
/// space, and removes the spaces inside it.
fn with_quotes_settled(text: &str) -> (String, bool) {
    let mut settled = String::new();
    let mut is_unbalanced = false;
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('"') {
        settled.push_str(before);
        rest = after;
        if !is_unit_start(&settled) {
            is_unbalanced = true;
            settled.push(' ');
            continue;
        }
        let (phrase, behind) = after.split_once('"').unwrap_or_else(|| {
            is_unbalanced = true;
            (after, "")
        });
        settled += &format!("\"{}\" ", phrase.replace(' ', "\0"));
        rest = behind.trim_start_matches(is_mark);
    }
    (settled + rest, is_unbalanced)
}

fn is_mark(c: char) -> bool {
    ![' ', '"', '-'].contains(&c) && tokens(&c.to_string()).is_empty()
}

/// Splits a piece after each field that is followed by a quote or a hyphen.
fn without_fields(piece: &str) -> Vec<String> {
    for (place, _) in piece.match_indices(['"', '-']) {
        let before = &piece[..place];
        if let Some(colon) = before.rfind(':').filter(|_| is_unit_start(before)) {
            let mut pieces = vec![before[..=colon].to_owned()];
            pieces.extend(without_fields(&piece[colon + 1..]));
            return pieces;
        }
    }
    vec![piece.to_owned()]
}

/// An operator, a unit in compact form, or nothing.
fn element(piece: &str) -> String {
    let unsigned = piece.trim_start_matches(['-', '(', '[', '{', '+', '~']);
    let is_excluded = piece[..piece.len() - unsigned.len()].contains('-');
    let tokens = tokens(piece);
    if ["OR", "AND", "NOT"].contains(&piece) || tokens.is_empty() {
        return if tokens.is_empty() { String::new() } else { piece.to_owned() };
    }
    let sign = if is_excluded { "-" } else { "" };
    let abbreviated = match words(piece).join(" ").as_str() {
        "so 2" => "=SO2",
        "co" => "=CO",
        _ => "",
    };
    match tokens.as_slice() {
        [token] if !unsigned.starts_with('"') => format!("{sign}{}{abbreviated}", class_of(token)),
        tokens => format!("{sign}\"{}\"{abbreviated}", tokens.join("+")),
    }
}

/// Applies one rule at one place, if any applies anywhere.
fn rewrite(elements: &mut Vec<String>, is_dangling: &mut bool) -> bool {
    let is_infix = |element: &str| ["OR", "AND"].contains(&element);
    for place in 0..elements.len() {
        let left = place.checked_sub(1).map(|left| elements[left].clone());
        let right = elements.get(place + 1).cloned();
        match (left.as_deref(), elements[place].as_str(), right.as_deref()) {
            (_, "NOT", Some("NOT")) => {}
            (_, "NOT", Some(unit)) if !is_infix(unit) => {
                elements[place + 1] = format!("-{}", unit.trim_start_matches('-'));
            }
            (_, "NOT", _) | (None, "OR" | "AND", _) | (_, "OR" | "AND", None) => {
                *is_dangling = true;
            }
            (_, infix, Some(other)) if is_infix(infix) && is_infix(other) => {
                *is_dangling = true;
                let kept = if infix == "OR" { infix } else { other };
                elements[place + 1] = kept.to_owned();
            }
            _ => continue,
        }
        elements.remove(place);
        return true;
    }
    false
}

/// The syntax of other query languages in `q`, if it has a word at all.
fn ignored(q: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut settled = String::new();
    let text = in_one_style(q);
    let mut rest = text.as_str();
    // Phrases become `""`, and form separate pieces together with the punctuation after them.
    while let Some((before, after)) = rest.split_once('"') {
        settled.push_str(before);
        rest = after;
        if !is_unit_start(&settled) {
            settled.push(' ');
            continue;
        }
        let behind = after.split_once('"').map_or("", |(_, behind)| behind);
        rest = behind.trim_start_matches(is_mark);
        settled += &format!("\"\"{} ", &behind[..behind.len() - rest.len()]);
    }
    settled.push_str(rest);
    for whole in settled.split(' ') {
        let mut behind = whole;
        for piece in without_fields(whole) {
            behind = &behind[piece.len()..];
            if !["OR", "AND", "NOT"].contains(&piece.as_str()) {
                let is_followed = !behind.is_empty();
                found.extend(syntax_of(&piece, is_followed));
            }
        }
    }
    let (form, ..) = read(q);
    let query = parse(q).unwrap();
    let units: Vec<&str> = query.units().map(|unit| unit.written.as_str()).collect();
    let is_between = |word: &&str| units.iter().skip(1).rev().skip(1).any(|unit| unit == word);
    found.extend(
        ["or", "not"].iter().filter(|word| is_between(word)).map(|word| (*word).to_owned()),
    );
    if form.is_empty() { BTreeSet::new() } else { found }
}

/// Looks at every place of a piece by itself: is everything before it punctuation, or everything
/// after it?
fn syntax_of(piece: &str, is_followed: bool) -> Vec<String> {
    let is_edge = |c: char| c == '&' || is_mark(c) || ['-', '"'].contains(&c);
    let digits = |text: &str| {
        text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len()
    };
    let is_tail = |mut text: &str| {
        while let Some(c) = text.chars().next() {
            let weight = if ['~', '^'].contains(&c) { digits(&text[1..]) } else { 0 };
            if !is_edge(c) {
                return false;
            }
            text = &text[c.len_utf8() + weight..];
        }
        true
    };
    let mut found = Vec::new();
    for (place, c) in piece.char_indices() {
        let (before, behind) = (&piece[..place], &piece[place + c.len_utf8()..]);
        let (is_head, weight) = (before.chars().all(is_edge), digits(behind));
        if ['~', '^'].contains(&c) && weight > 0 && !is_head && is_tail(&behind[weight..]) {
            // A dot at the end is punctuation.
            found.push(format!("{c}{}", &behind[..weight]).trim_end_matches('.').to_owned());
        } else if is_head || is_tail(behind) {
            let is_pair = (c == '&' || c == '|') && behind.starts_with(c);
            if "()[]{}*?~^+!".contains(c) || is_pair {
                found.push(if is_pair { format!("{c}{c}") } else { c.to_string() });
            }
        }
    }
    let word = piece.trim_start_matches(is_edge);
    let name = word.trim_start_matches(|c: char| c.is_alphabetic() || c == '_');
    if name.len() < word.len()
        && let Some(value) = name.strip_prefix(':')
        && (is_followed || !value.is_empty())
    {
        found.push(word[..word.len() - value.len()].to_owned());
    }
    found
}

/// Everything that the rules name, and some things that they do not.
const PARTS: [&str; 58] = [
    " ", " ", " ", " ", "\t", "\u{a0}", "\"", "\"", "\"", "“", "”", "«", "»", "-", "-", "\u{2010}",
    "\u{2011}", "\u{2212}", "\u{2013}", " OR ", " OR ", "OR", " AND ", "AND", " NOT ", "NOT", "(",
    "[", "{", "+", "~", ")", ",", "/", "…", "*", "&", "'", "\u{301}", ":", "a:", "é_:", "lead",
    "d'or", "b2", "SO", "₂", "co", "cie", "?", "!", "|", "^", "~2", "^3.5", "or", "not", " or ",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        fn the_parser_reads_what_the_rules_say(parts in vec(select(&PARTS[..]), 0..14)) {
        let q = parts.concat();
        let query = parse(&q).unwrap();
        let warns = |warning| query.warnings.contains(&warning);
        let (unbalanced, dangling) =
            (warns(TextWarning::UnbalancedQuote), warns(TextWarning::DanglingOperator));
        prop_assert_eq!((query.to_string(), unbalanced, dangling), read(&q), "{:?}", q);
    }

        fn units_as_written_mean_what_they_meant(parts in vec(select(&PARTS[..]), 0..14)) {
        let query = parse(&parts.concat()).unwrap();
        let clause = |clause: &Clause| {
            let written = clause.units.iter().map(|unit| unit.written.as_str());
            written.collect::<Vec<_>>().join(" OR ")
        };
        let written = query.clauses.iter().map(clause).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(parse(&written).unwrap().to_string(), query.to_string(), "{:?}", written);
    }

        fn a_reading_is_read_as_itself(parts in vec(select(&PARTS[..]), 0..14)) {
        let query = parse(&parts.concat()).unwrap();
        let Some(reading) = query.read_as() else {
            prop_assert_eq!(query.to_string(), "");
            return Ok(());
        };
        let again = parse(&reading).unwrap();
        prop_assert_eq!(again.to_string(), query.to_string(), "{:?}", reading);
        prop_assert_eq!(&again.warnings, &[], "{:?}", reading);
        prop_assert_eq!(again.read_as(), Some(reading));
    }

        fn syntax_of_other_languages_is_named(parts in vec(select(&PARTS[..]), 0..14)) {
        let q = parts.concat();
        let found: BTreeSet<String> = parse(&q).unwrap().ignored.into_iter().collect();
        prop_assert_eq!(found, ignored(&q), "{:?}", q);
    }
}
