//! Syntax of other search languages in `q`, which has no meaning here.
//!
//! `( ) [ ] { } * ? ~ ^ + ! && ||` at the edge of a word or phrase, `~2` and `^3` behind a word,
//! and the name of a field before a colon. Inside a word they are part of a name: `benzo(a)pyrene`.

use super::lexer::{has_token, is_field_name};

/// What was found, as written and in this order, each once.
#[derive(Debug, Default)]
pub(super) struct IgnoredSyntax<'a>(Vec<&'a str>);

impl<'a> IgnoredSyntax<'a> {
    pub(super) fn add(&mut self, syntax: &'a str) {
        if !self.0.contains(&syntax) {
            self.0.push(syntax);
        }
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.0.into_iter().map(str::to_owned).collect()
    }

    /// Looks at a word together with the punctuation around it; `is_followed` tells whether another
    /// unit follows without a space, as only behind a field.
    pub(super) fn add_of_word(&mut self, word: &'a str, is_followed: bool) {
        let name_start = word.len() - word.trim_start_matches(is_edge).len();
        let (before, mut name) = word.split_at(name_start);
        self.add_of_edge(before);
        if let Some(field) = field(name)
            && (is_followed || field != name)
        {
            self.add(field);
        }
        let mut edges = Vec::new();
        loop {
            let trimmed = name.trim_end_matches(is_edge);
            edges.push(&name[trimmed.len()..]);
            let Some(weight) = weight(trimmed) else { break };
            name = &trimmed[..trimmed.len() - weight.len()];
            edges.push(weight);
        }
        for edge in edges.into_iter().rev() {
            if weight(edge) == Some(edge) {
                self.add(edge);
            } else {
                self.add_of_edge(edge);
            }
        }
    }

    /// Looks at punctuation before or behind a word or phrase.
    pub(super) fn add_of_edge(&mut self, edge: &'a str) {
        let mut rest = edge;
        while let Some(c) = rest.chars().next() {
            let len = match c {
                '(' | ')' | '[' | ']' | '{' | '}' | '*' | '?' | '~' | '^' | '+' | '!' => 1,
                _ if rest.starts_with("&&") || rest.starts_with("||") => 2,
                _ => 0,
            };
            if len > 0 {
                self.add(&rest[..len]);
            }
            rest = &rest[len.max(c.len_utf8())..];
        }
    }
}

/// `&` is a word, but `&&` is syntax.
fn is_edge(c: char) -> bool {
    c == '&' || !has_token(c)
}

/// The name of a field at the start of a word, with its colon.
fn field(word: &str) -> Option<&str> {
    let behind = word.trim_start_matches(is_field_name).strip_prefix(':')?;
    word.starts_with(is_field_name).then(|| &word[..word.len() - behind.len()])
}

/// The `~2` or `^0.5` at the end of a word.
fn weight(word: &str) -> Option<&str> {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let has_weight = name.len() < word.len() && name.ends_with(['~', '^']);
    has_weight.then(|| &word[name.len() - 1..])
}

#[cfg(test)]
mod tests {
    use crate::text::parse;

    #[test]
    fn syntax_of_other_languages_is_named() {
        for (q, expected) in [
            ("(lead OR zinc) ore", "( )"),
            ("[lead] {zinc} *ore ore* mine?", "[ ] { } * ?"),
            ("+lead !zinc ore~ gold^", "+ ! ~ ^"),
            ("lead && zinc || ore", "&& ||"),
            ("&&lead zinc||", "&& ||"),
            ("lead~2 zinc^3 ore~0.8 (gold^2)*,", "~2 ^3 ~0.8 ( ^2 ) *"),
            ("company:Imperial", "company:"),
            ("(company:\"Imperial Oil\") -city:Sarnia", "( company: ) city:"),
            ("champ_é:-lead a:b:c", "champ_é: a:"),
            ("(\"lead ore\")^2 +\"zinc\"~5", "( ) ^ + ~"),
            ("-(lead) NOT (zinc)", "( )"),
            ("lead or zinc not ore", "or not"),
            ("a or not b", "or not"),
            // Nothing of it is at an edge.
            ("benzo(a)pyrene 1,2[c] x", "]"),
            ("a*b a?b a~2b a^b a+b a&&b a||b", ""),
            ("\"(lead) or zinc* a:b\"", ""),
            ("Smith & Sons, &c. R&D - / |", ""),
            // No field, or nothing behind it.
            ("12:30 b2:lead company: lead :zinc company:", ""),
            // Not between two units, or not in lower case.
            ("or lead not", ""),
            ("lead Or zinc Not \"or\" -or ore", ""),
            ("not lead", ""),
            ("lead OR zinc AND ore NOT gold", ""),
            // Without a unit there is no word.
            ("* (?) !", ""),
            ("* (?) ~2^", "* ( ? ) ~ ^"),
            ("", ""),
        ] {
            assert_eq!(parse(q).unwrap().ignored.join(" "), expected, "{q}");
        }
    }
}
