//! The tokens that text is searched by, the same for the index and for a request.
//!
//! NFKC, lower case, accents folded; French elision and the English possessive dropped; split at
//! every non-alphanumeric and between letters and digits; then a short closed table of equivalents.
//! No stop words, no stemming. An unquoted word is compared by its class, which a token shares with
//! its plain plurals. A word to which the table of equivalents was not yet applied is called a
//! folded word.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The articles and pronouns that French elides before a vowel.
const ELISIONS: [&str; 9] = ["l", "d", "j", "m", "n", "s", "t", "c", "qu"];

/// Tokens, each with the equivalents that it replaces. In addition, `sulf` replaces `sulph`
/// anywhere in a token.
pub const EQUIVALENTS: [(&str, &[&str]); 10] = [
    ("and", &["&", "et"]),
    ("st", &["saint"]),
    ("ste", &["sainte"]),
    ("ltd", &["limited", "ltee", "limitee"]),
    ("inc", &["incorporated", "incorporee"]),
    ("corp", &["corporation"]),
    ("co", &["company", "compagnie", "cie"]),
    ("aluminum", &["aluminium"]),
    ("fiber", &["fibre"]),
    ("center", &["centre"]),
];

/// The tokens of `text`, in order.
#[must_use]
pub fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each_token(text, |token| found.push(token.to_owned()));
    found
}

/// Calls `visit` with each token of `text`, in order.
pub fn for_each_token(text: &str, mut visit: impl FnMut(&str)) {
    for_each_word(text, |word| visit(&token_of(word)));
}

/// The folded words of `text`, in order: its tokens, but as they are spelled.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each_word(text, |word| found.push(word.to_owned()));
    found
}

/// Calls `visit` with each folded word of `text`, in order; `&` is one.
pub fn for_each_word(text: &str, mut visit: impl FnMut(&str)) {
    let folded = fold(text);
    let mut rest = folded.as_str();
    while let Some(start) = rest.find(|c: char| c == '&' || is_word_char(c)) {
        rest = &rest[start..];
        if let Some(after) = rest.strip_prefix('&') {
            visit("&");
            rest = after;
            continue;
        }
        let end = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
        visit_word(&rest[..end], &mut visit);
        rest = &rest[end..];
    }
}

/// Lower case without accents and ligatures; NFKC comes first, which removes width and style too.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkc().flat_map(char::to_lowercase).nfd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            _ => folded.push(c),
        }
    }
    folded
}

/// The token of a folded word: the one that replaces all its equivalents.
#[must_use]
pub fn token_of(word: &str) -> Cow<'_, str> {
    let stands_for = |(_, others): &&(_, &[&str])| others.contains(&word);
    match EQUIVALENTS.iter().find(stands_for) {
        Some((token, _)) => (*token).into(),
        None if word.contains("sulph") => word.replace("sulph", "sulf").into(),
        None => word.into(),
    }
}

/// The token that represents the class of `token`; an unquoted word finds every token of its class.
///
/// Plurals and equivalents in any order are one class: `corporations` is `corp`, as `corps` is.
#[must_use]
pub fn class_of(token: &str) -> Cow<'_, str> {
    match token_of(singular(token)) {
        Cow::Borrowed(token) => singular(token).into(),
        Cow::Owned(token) => singular(&token).to_owned().into(),
    }
}

/// The singular of a plain plural; any other token is returned as it is.
///
/// A plain plural is a final `s` or `x` after four letters or more, unless that ends the word in
/// `ss`, `us` or `is`.
fn singular(token: &str) -> &str {
    let mut singular = token;
    while let Some(stem) = singular.strip_suffix(['s', 'x'])
        && stem.chars().count() >= 4
        && stem.chars().all(char::is_alphabetic)
        && !["ss", "us", "is"].iter().any(|ending| singular.ends_with(ending))
    {
        singular = stem;
    }
    singular
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}' | '\u{2bc}')
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_apostrophe(c)
}

/// Emits the folded words of a run of letters, digits and apostrophes.
fn visit_word(word: &str, visit: &mut impl FnMut(&str)) {
    let word = word.trim_matches(is_apostrophe);
    let word = strip_possessive(strip_elision(word));
    for part in word.split(is_apostrophe) {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let is_digit = first.is_numeric();
            let end = rest.find(|c: char| c.is_numeric() != is_digit).unwrap_or(rest.len());
            visit(&rest[..end]);
            rest = &rest[end..];
        }
    }
}

fn strip_elision(word: &str) -> &str {
    match word.split_once(is_apostrophe) {
        Some((elided, rest)) if ELISIONS.contains(&elided) => rest,
        _ => word,
    }
}

fn strip_possessive(word: &str) -> &str {
    match word.strip_suffix('s').and_then(|owner| owner.strip_suffix(is_apostrophe)) {
        Some(owner) if !owner.is_empty() => owner,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn spellings() -> Vec<&'static str> {
        EQUIVALENTS.iter().flat_map(|(one, others)| others.iter().chain([one])).copied().collect()
    }

    #[test]
    fn texts_split_into_the_tokens_of_the_contract() {
        for (text, expected) in [
            ("Québec QUÉBEC que\u{301}bec", "quebec quebec quebec"),
            ("l'usine L’Usine qu'on", "usine usine on"),
            ("aujourd'hui", "aujourd hui"),
            ("mine d'or de Val-d'Or", "mine or de val or"),
            ("Smith's O'Brien's Smiths'", "smith o brien smiths"),
            ("Smith & Sons and Fils et Cie", "smith and sons and fils and co"),
            ("AT&T", "at and t"),
            ("Sainte-Foy Ste-Foy Saint John", "ste foy ste foy st john"),
            ("7439-97-6", "7439 97 6"),
            ("PM2.5 G10001 1,1,2-trichloroethane", "pm 2 5 g 10001 1 1 2 trichloroethane"),
            ("Sulphur hydrogen sulphide tetrasulfonate", "sulfur hydrogen sulfide tetrasulfonate"),
            ("Œuvre et Ægir ﬁbre", "oeuvre and aegir fiber"),
            ("Limitée ltée LIMITED Ltd. Incorporée", "ltd ltd ltd ltd inc"),
            ("4,4'-Methylenedianiline", "4 4 methylenedianiline"),
            ("l' 's ' --", "l s"),
            ("\u{fb01}\u{b2}x", "fi 2 x"),
        ] {
            assert_eq!(tokens(text).join(" "), expected, "{text:?}");
        }
    }

    #[test]
    fn plurals_and_equivalents_are_one_class() {
        for (words, class) in [
            ("mine mines minex minesx minexs", "mine"),
            ("bureau bureaux bureauxs", "bureau"),
            ("eaux eauxs", "eaux"),
            ("eau", "eau"),
            ("gas", "gas"),
            ("glass", "glass"),
            ("virus virusx", "virus"),
            ("us", "us"),
            ("2023", "2023"),
            ("fiber fibre fibers fibres", "fiber"),
            ("corp corps corporation corporations", "corp"),
            ("co company companys compagnie compagnies cie", "co"),
            ("companies", "companie"),
            ("cies", "cies"),
            ("st saint saints", "st"),
            ("ltd limited limitee limitees ltee ltees", "ltd"),
            ("sulphide sulfides sulphides", "sulfide"),
            ("sulph sulphs sulf sulfs", "sulf"),
        ] {
            for word in words.split(' ') {
                assert_eq!(class_of(word), class, "{word}");
            }
        }
    }

    #[test]
    fn folded_words_are_tokens_as_they_are_spelled() {
        for (text, expected) in [
            ("Saint-Hyacinthe & Cie, l'Été", "saint hyacinthe & cie ete"),
            ("Sulphur SO₂ CO-2", "sulphur so 2 co 2"),
            ("-- …", ""),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_tokens_that_are_tokens_of_themselves(text in "\\PC{0,40}") {
            for token in tokens(&text) {
                prop_assert!(!token.is_empty());
                prop_assert!(token.chars().all(char::is_alphanumeric), "{token:?}");
                prop_assert_eq!(tokens(&token), vec![token]);
            }
        }

        #[test]
        fn a_token_is_of_the_class_of_what_it_was_written_as(
            word in prop_oneof![
                "[a-z]{1,8}[sx]{0,3}",
                ("[a-z]{0,3}", "(sulph|sulf){1,2}", "[a-z]{0,3}").prop_map(|(a, b, c)| a + &b + &c),
                select(spellings()).prop_map(str::to_owned),
            ],
            ending in "[sx]?",
        ) {
            let class = class_of(&word);
            prop_assert_eq!(class_of(&class), class.clone());
            let indexed = token_of(&word);
            prop_assert_eq!(class_of(&indexed), class.clone());
            let longer = format!("{word}{ending}");
            if singular(&longer) == singular(&word) {
                prop_assert_eq!(class_of(&longer), class);
            }
        }
    }
}
