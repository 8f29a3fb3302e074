//! The two languages of the service, and sentences that exist in both.

use std::borrow::Cow;

use actix_web::http::header::{ACCEPT_LANGUAGE, HeaderMap};

use crate::http::weighted;

/// A language of texts for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// English, when nothing else is asked for.
    #[default]
    English,
    /// French, as it is written in Canada.
    French,
}

impl Language {
    /// The tag of `Content-Language`.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }

    /// What `Accept-Language` prefers of the two. A region does not matter, `*` stands for what is
    /// not named, and of equal weights the first named wins.
    pub(crate) fn accepted(headers: &HeaderMap) -> Self {
        let ranges = weighted(headers, ACCEPT_LANGUAGE);
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
pub(crate) struct Bilingual {
    english: Cow<'static, str>,
    french: Cow<'static, str>,
}

impl Bilingual {
    /// The sentence in English, then in French.
    pub(crate) fn new(
        english: impl Into<Cow<'static, str>>,
        french: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { english: english.into(), french: french.into() }
    }

    /// The sentence in one of them.
    pub(crate) fn in_language(self, language: Language) -> Cow<'static, str> {
        match language {
            Language::English => self.english,
            Language::French => self.french,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

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
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
            assert_eq!(Language::accepted(&headers), expected, "{accepted}");
        }
        assert_eq!(Language::accepted(&HeaderMap::new()), Language::English);
    }
}
