//! The two languages of the service, and sentences that exist in both.

use std::borrow::Cow;

use crate::quality_values;

/// A language of human-readable texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, the default.
    #[default]
    English,
    /// French, as it is written in Canada.
    French,
}

impl Language {
    /// The value of `Content-Language`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }

    /// Of an English and a French value, the one for this language.
    pub fn choose<T>(self, [english, french]: [T; 2]) -> T {
        match self {
            Self::English => english,
            Self::French => french,
        }
    }

    /// The language that the lines of `Accept-Language` prefer. Regions are ignored, `*` matches
    /// any language not named, and among equal weights the first one named wins.
    pub fn accepted<'a>(accept_language: impl IntoIterator<Item = &'a str>) -> Self {
        let ranges = quality_values(accept_language);
        let preference = |language: Self| {
            let primary = |range: &str| range.split('-').next() == Some(language.tag());
            let named = (0..).zip(&ranges).filter(|(_, (range, _))| primary(range));
            let named = named.max_by_key(|(place, (_, weight))| (*weight, -place));
            let any = || (i32::MAX, ranges.iter().find(|(range, _)| range == "*"));
            let (place, range) = named.map_or_else(any, |(place, range)| (place, Some(range)));
            (range.map_or(0, |(_, weight)| *weight), -place)
        };
        let french = preference(Self::French);
        let is_french = french.0 > 0 && french > preference(Self::English);
        if is_french { Self::French } else { Self::English }
    }
}

/// A sentence in both languages: neither can be written without the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bilingual {
    english: Cow<'static, str>,
    french: Cow<'static, str>,
}

impl Bilingual {
    /// The sentence in English, then in French.
    pub fn new(
        english: impl Into<Cow<'static, str>>,
        french: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { english: english.into(), french: french.into() }
    }

    /// The sentence in this language.
    pub fn in_language(self, language: Language) -> Cow<'static, str> {
        language.choose([self.english, self.french])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_of_two_languages() {
        for (accepted, expected) in [
            ("", Language::English),
            ("fr", Language::French),
            ("fr-CA", Language::French),
            ("FR-ca,en;q=0.8", Language::French),
            ("en-CA, fr;q=0.9", Language::English),
            ("en;q=0.4, fr;q=0.5", Language::French),
            ("en, fr", Language::English),
            ("fr, en", Language::French),
            ("*", Language::English),
            ("fr, *", Language::French),
            ("*, fr;q=0.5", Language::English),
            ("en;q=0.1, *;q=0.5", Language::French),
            ("en;q=0, *", Language::French),
            ("fr;q=0", Language::English),
            ("fr;q=0, *", Language::English),
            ("de, it;q=0.5", Language::English),
            ("fro", Language::English),
            ("de, fr-CH;q=0.2", Language::French),
        ] {
            assert_eq!(Language::accepted([accepted]), expected, "{accepted}");
        }
        assert_eq!(Language::accepted([]), Language::English);
    }
}
