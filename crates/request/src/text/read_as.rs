//! `q` in the words of the grammar, so that the caller can see how it was read.

use super::lexer::is_mark;
use super::{MAX_LENGTH, TextQuery, TextUnit, UnitForm};

impl TextQuery {
    /// How the query was read: its units as written, `AND` between clauses, brackets round
    /// alternatives that stand beside other clauses. `None` without units.
    ///
    /// Parsing it gives the same query, and the same reading. If it would be too long for that,
    /// there is only a space between clauses and no bracket.
    #[must_use]
    pub fn read_as(&self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let reading = self.spelled_out();
        let is_short_enough = reading.chars().count() <= MAX_LENGTH;
        Some(if is_short_enough { reading } else { self.in_short() })
    }

    fn spelled_out(&self) -> String {
        let is_alone = self.clauses.len() == 1;
        let clauses = self.clauses.iter().map(|clause| {
            let units: Vec<String> = clause.units.iter().map(TextUnit::read_as).collect();
            let alternatives = units.join(" OR ");
            if units.len() == 1 || is_alone { alternatives } else { format!("({alternatives})") }
        });
        clauses.collect::<Vec<_>>().join(" AND ")
    }

    /// The units with only the separators that they need, which is never longer than `q` was: a
    /// phrase needs no space after it, and no closing quote at the end.
    fn in_short(&self) -> String {
        let mut short = String::new();
        for clause in &self.clauses {
            for (place, unit) in clause.units.iter().enumerate() {
                let unit = unit.read_as();
                let is_behind_phrase = short.ends_with('"');
                if place > 0 {
                    short.push_str(if is_behind_phrase { "OR " } else { " OR " });
                } else if !short.is_empty() && (!is_behind_phrase || unit.starts_with(is_mark)) {
                    short.push(' ');
                }
                short.push_str(&unit);
            }
        }
        if short.chars().count() > MAX_LENGTH && short.ends_with('"') {
            short.pop();
        }
        short
    }
}

impl TextUnit {
    fn read_as(&self) -> String {
        let sign = if self.is_excluded { "-" } else { "" };
        match self.pattern.form {
            UnitForm::Phrase => format!("{sign}\"{}\"", self.text),
            // Behind a bracket it was a word; by itself it would be an operator.
            UnitForm::Word if sign.is_empty() && ["OR", "AND", "NOT"].contains(&&*self.text) => {
                self.text.to_lowercase()
            }
            UnitForm::Word => format!("{sign}{}", self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::text::parse;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Checks that `q` is read as `expected`, and that this is read as itself.
    fn check(q: &str, expected: Option<&str>) {
        let query = parse(q).unwrap();
        let reading = query.read_as();
        assert_eq!(reading.as_deref(), expected, "{q}");
        if let Some(reading) = reading {
            let again = parse(&reading).unwrap();
            assert_eq!(again.to_string(), query.to_string(), "{q}: {reading}");
            assert_eq!(again.read_as(), Some(reading), "{q}");
        }
    }

    #[test]
    fn a_query_is_read_back_in_the_words_of_the_grammar() {
        for (q, expected) in [
            (
                "benzene Sarnia OR toluene -Hamilton",
                "benzene AND (Sarnia OR toluene) AND -Hamilton",
            ),
            ("mercury OR lead", "mercury OR lead"),
            ("(a b) OR (c d)", "a AND (b OR c) AND d"),
            ("NOT  lead \u{2212}zinc NOT -\"a  b\"", "-lead AND -zinc AND -\"a  b\""),
            ("«oxyde de soufre», (Québec).", "\"oxyde de soufre\" AND Québec"),
            ("oil\" -Ontario", "oil AND -Ontario"),
            ("Sainte\"Foy plant", "Sainte AND Foy AND plant"),
            ("\"lead\"zinc", "\"lead\" AND zinc"),
            ("\"zinc ore", "\"zinc ore\""),
            ("lead OR - benzene OR", "lead OR benzene"),
            (
                "company:\"Imperial Oil\" city:Sarnia",
                "company AND \"Imperial Oil\" AND city:Sarnia",
            ),
            ("Smith & Sons", "Smith AND & AND Sons"),
            ("benzo(a)pyrene, l'usine (PM2.5)", "benzo(a)pyrene AND l'usine AND PM2.5"),
            ("a OR (OR OR [NOT", "a OR or OR not"),
            ("-OR zinc", "-OR AND zinc"),
            ("*a:-b (/c:-d", "*a:-b AND /c:-d"),
            ("cafe\u{301}) cafe)\u{301}", "cafe\u{301} AND cafe)\u{301}"),
            ("㎏, ½!", "㎏ AND ½"),
        ] {
            check(q, Some(expected));
        }
        for q in ["", "--", "\"\" OR /", "(OR"] {
            let expected = (q == "(OR").then_some("or");
            check(q, expected);
        }
    }

    #[test]
    fn a_reading_is_never_too_long_to_be_asked() {
        let word = "a".repeat(15);
        let words = vec![word.as_str(); 32].join(" ");
        check(&words, Some(&words));
        let alternatives = format!("{} OR {}", vec![word.as_str(); 26].join(" "), "b".repeat(90));
        check(&alternatives, Some(&alternatives));
        let phrase = format!("\"{}", "a".repeat(511));
        check(&phrase, Some(&phrase));
        let phrases = vec![format!("\"{}\"", "a".repeat(30)); 16].concat();
        check(&phrases, Some(&phrases));
        let kept_apart = format!("{} *a:-b", vec![format!("\"{}\"", "a".repeat(31)); 15].concat());
        check(&kept_apart, Some(&kept_apart));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn a_reading_is_read_as_the_same(
            pieces in vec(prop_oneof![
                select(vec![" OR ", " AND ", "NOT ", "OR", "\"", "“", "-", "(", ")", "*", ":", "a:", "\u{301}", "&", " "])
                    .prop_map(str::to_owned),
                "[a-c]{1,3}",
                "\\PC{0,3}",
                "[a-z]{60}",
            ], 0..40),
        ) {
            if let Ok(query) = parse(&pieces.concat())
                && let Some(reading) = query.read_as()
            {
                let again = parse(&reading);
                prop_assert!(again.is_ok(), "{reading}");
                let again = again.unwrap();
                prop_assert_eq!(again.to_string(), query.to_string(), "{}", reading);
                prop_assert_eq!(again.read_as(), Some(reading));
            }
        }
    }
}
