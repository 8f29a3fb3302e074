//! The resources that an agent may read: the dataset that is served, the description of the API,
//! and its documentation in parts that fit a context window.

use std::sync::LazyLock;

use outfall_records::Doc;
use serde_json::{Value, json};

use super::fault::McpFault;
use super::reply::members;
use crate::openapi::{doc, in_language};
use crate::{Language, openapi_document};

/// The resource that says what is served now. It is generated whenever it is read.
const SERVED: &str = "outfall://meta";
const OPENAPI: &str = "outfall://openapi.json";
/// How the address of a part of the documentation begins.
const DOCS: &str = "outfall://docs/";

/// The documentation of the API, for people and agents alike.
const DOCUMENTATION: &str = include_str!("../../../../docs/api.md");

/// A part of the documentation, from one heading to the next.
struct Section {
    uri: String,
    title: &'static str,
    text: &'static str,
}

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    const HEADING: &str = "\n## ";
    let mut starts: Vec<usize> = vec![0];
    starts.extend(DOCUMENTATION.match_indices(HEADING).map(|(place, _)| place + 1));
    let ends = starts.iter().skip(1).copied().chain([DOCUMENTATION.len()]);
    let texts = starts.iter().zip(ends).map(|(start, end)| &DOCUMENTATION[*start..end]);
    let section = |text: &'static str| {
        let title = text.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']);
        let words = title.split(|character: char| !character.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        let uri = format!("{DOCS}{}", words.join("-").to_ascii_lowercase());
        Section { uri, title, text }
    };
    texts.map(section).collect()
});

/// Every resource.
pub(super) fn list(language: Language) -> Value {
    let mut resources = vec![
        json!({
            "uri": SERVED, "name": "meta", "mimeType": "application/json",
            "title": doc(Doc::new("What is served", "Ce qui est servi")),
            "description": doc(Doc::new(
                "the sources with their editions, counts, licence and attribution",
                "les sources avec leurs éditions, les comptes, la licence et la mention de source",
            )),
        }),
        json!({
            "uri": OPENAPI, "name": "openapi.json", "mimeType": "application/json",
            "title": doc(Doc::new("The API for programs", "L’API pour les programmes")),
            "description": doc(Doc::new(
                "OpenAPI 3.1, with every field of an answer",
                "OpenAPI 3.1, avec chaque champ d’une réponse",
            )),
        }),
    ];
    resources.extend(SECTIONS.iter().map(|Section { uri, title, text }| {
        let name = uri.trim_start_matches("outfall://");
        json!({
            "uri": uri, "name": name, "title": title, "mimeType": "text/markdown",
            "size": text.len(),
        })
    }));
    in_language(&resources.into(), language)
}

/// The contents of a resource; `None` if they come from the index.
///
/// # Errors
/// [`McpFault::UnknownResource`].
pub(super) fn read(uri: &str, language: Language) -> Result<Option<Vec<u8>>, McpFault> {
    if uri == SERVED {
        return Ok(None);
    }
    if uri == OPENAPI {
        return Ok(Some(contents(uri, "application/json", openapi_document(language))));
    }
    match SECTIONS.iter().find(|section| section.uri == uri) {
        Some(section) => Ok(Some(contents(uri, "text/markdown", section.text))),
        None => Err(McpFault::UnknownResource { uri: uri.to_owned() }),
    }
}

/// The contents in the form of a result.
pub(super) fn contents(uri: &str, media_type: &str, text: &str) -> Vec<u8> {
    members(&json!({"contents": [{"uri": uri, "mimeType": media_type, "text": text}]}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_the_documentation_are_all_of_it_and_each_has_its_address() {
        let whole: String = SECTIONS.iter().map(|section| section.text).collect();
        assert_eq!(whole, DOCUMENTATION);
        let uris: Vec<&str> = SECTIONS.iter().map(|section| section.uri.as_str()).collect();
        for name in ["the-api", "parameters", "the-language-of-q", "facets", "errors"] {
            assert!(uris.contains(&format!("{DOCS}{name}").as_str()), "{name} of {uris:?}");
        }
        let mut different = uris.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), uris.len(), "{uris:?}");
    }
}
