//! The path that a caller probably meant by one that is not served.

use crate::INDEX;
use crate::params::advice::nearest_of;

/// What others call our paths, in both languages.
const ELSEWHERE: [(&str, &str); 8] = [
    ("ghgrp", "/emission"),
    ("npri", "/release"),
    ("openapi", "/openapi.json"),
    ("openapi.yaml", "/openapi.json"),
    ("rejet", "/release"),
    ("rejets", "/release"),
    ("swagger", "/docs"),
    ("swagger.json", "/openapi.json"),
];

/// The path to suggest for `path`: one that is similar to it, or else one with a segment similar to
/// a segment of it, as in `/v1/releases` or `/release/983`.
pub(super) fn nearest(path: &str) -> Option<&'static str> {
    let segments = || path.split('/').filter(|segment| !segment.is_empty());
    let elsewhere = segments().find_map(|segment| {
        let named = ELSEWHERE.iter().find(|(other, _)| other.eq_ignore_ascii_case(segment));
        named.map(|(_, own)| *own)
    });
    let known = || INDEX.paths().map(|path| path.trim_start_matches('/'));
    let known_segments = || known().flat_map(|path| path.split('/'));
    let named = || {
        nearest_of(path.trim_start_matches('/'), known())
            .or_else(|| segments().find_map(|segment| nearest_of(segment, known_segments())))
    };
    elsewhere.or_else(|| {
        let named = named()?;
        let is_named = |path: &&str| {
            path.trim_start_matches('/') == named || path.split('/').any(|own| own == named)
        };
        INDEX.paths().find(is_named)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_spelling_of_a_path_leads_to_it() {
        for (path, expected) in [
            ("/releases", Some("/release")),
            ("/release/", Some("/release")),
            ("/Release", Some("/release")),
            ("/v1/release", Some("/release")),
            ("/api/v2/emissions", Some("/emission")),
            ("/release/983:2019:7446-09-5:air", Some("/release")),
            ("/rejets", Some("/release")),
            ("/NPRI", Some("/release")),
            ("/openapi", Some("/openapi.json")),
            ("/swagger.json", Some("/openapi.json")),
            ("/doc", Some("/docs")),
            ("/docs/nothing.css", Some("/docs")),
            ("/health/read", Some("/health/ready")),
            ("/healthz", Some("/health/live")),
            ("/metadata", Some("/meta")),
            ("/", None),
            ("", None),
            ("/search", None),
            ("/v1", None),
            ("/favicon.png", None),
            ("/.env", None),
        ] {
            assert_eq!(nearest(path), expected, "{path}");
        }
    }

    #[test]
    fn every_path_that_is_suggested_is_served() {
        for (_, own) in ELSEWHERE {
            assert!(INDEX.paths().any(|path| path == own), "{own}");
        }
    }
}
