//! `ETag` and `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1.2).

use std::fmt;

use actix_web::http::header::{ETAG, HeaderMap, IF_NONE_MATCH};
use actix_web::{HttpResponse, HttpResponseBuilder};
use outfall_api::Language;

use super::lines;

/// The version of this program: another one may word an answer differently.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A weak entity tag, the same for all requests of the same meaning on the same data and in the
/// same language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntityTag(String);

impl EntityTag {
    /// The tag of an answer from one build of the index.
    pub(crate) fn new(
        build_id: &str,
        path: &str,
        canonical_query: &str,
        language: Language,
    ) -> Self {
        Self::of([VERSION, build_id, path, canonical_query, language.tag()])
    }

    /// A tag that changes whenever one of its parts does.
    pub(crate) fn of<const N: usize>(parts: [&str; N]) -> Self {
        let mut hash = blake3::Hasher::new();
        for part in parts {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let hex = hash.finalize().to_hex();
        Self(hex.chars().take(32).collect())
    }

    /// Begins an answer with this tag: 304 when the caller knows the tag, else 200. Also returns
    /// whether the caller knows it.
    pub(crate) fn begin(&self, headers: &HeaderMap) -> (HttpResponseBuilder, bool) {
        let is_known = self.is_known_to(headers);
        let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header((ETAG, self.to_string()));
        (response, is_known)
    }

    /// Whether `If-None-Match` names this tag, weakly compared, or is `*`.
    fn is_known_to(&self, headers: &HeaderMap) -> bool {
        lines(headers, IF_NONE_MATCH)
            .any(|line| line.trim() == "*" || tags(line).any(|tag| tag == self.0))
    }
}

impl fmt::Display for EntityTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "W/\"{}\"", self.0)
    }
}

/// The quoted parts of a list. A tag has no quote inside, and `W/` before it is ignored.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    list.split('"').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn lists_stars_and_strength_are_understood() {
        let tag = EntityTag::new("b", "/release", "limit=1", Language::English);
        let own = tag.to_string();
        for (lines, expected) in [
            (vec![own.clone()], true),
            (vec![own.trim_start_matches("W/").to_owned()], true),
            (vec![format!("\"x, y\", W/\"z\",{own}")], true),
            (vec!["\"other\"".to_owned(), own.clone()], true),
            (vec![" * ".to_owned()], true),
            (vec!["\"*\"".to_owned()], false),
            (vec!["\"other\"".to_owned()], false),
            (vec![own.replace('"', "")], false),
            (vec![], false),
        ] {
            let mut headers = HeaderMap::new();
            for line in &lines {
                headers.append(IF_NONE_MATCH, HeaderValue::from_str(line).unwrap());
            }
            assert_eq!(tag.is_known_to(&headers), expected, "{lines:?}");
        }
    }

    #[test]
    fn tags_differ_with_every_part() {
        let tag = EntityTag::new("b", "/release", "limit=1", Language::English);
        for (build_id, path, query) in [
            ("c", "/release", "limit=1"),
            ("b", "/emission", "limit=1"),
            ("b", "/release", "limit=2"),
            ("b/", "release", "limit=1"),
        ] {
            assert_ne!(EntityTag::new(build_id, path, query, Language::English), tag);
        }
        assert_ne!(EntityTag::new("b", "/release", "limit=1", Language::French), tag);
    }
}
