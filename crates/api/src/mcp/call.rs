//! A request that needs the index: the searches that it takes, and the answer that their pages
//! make.

use outfall_records::DatasetInfo;
use outfall_request::SearchPage;
use serde::Serialize;

use super::fault::McpFault;
use super::reply::{Id, Reply, To};
use super::resources;
use crate::envelope::{push_json, push_page, push_reading, warnings};
use crate::service::Source;
use crate::{CheckedRequest, Language, Meta, Problem, canonical_query};

/// A request that needs the index.
#[derive(Clone, Debug)]
pub struct Call {
    pub(super) to: To,
    pub(super) language: Language,
    pub(super) wanted: Wanted,
    pub(super) searches: Vec<Part>,
}

/// The kind of answer to make from the searches.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    /// The answer of a tool.
    Tool,
    /// The resource that says what is served.
    WhatIsServed {
        /// Its address.
        uri: String,
    },
}

/// A search, and its name in the answer; empty for a call of a single search.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) checked: CheckedRequest,
}

impl Call {
    /// The id of the request.
    #[must_use]
    pub const fn id(&self) -> &Id {
        &self.to.id
    }

    /// The searches to run, in this order. There may be none.
    pub fn searches(&self) -> impl Iterator<Item = &CheckedRequest> {
        self.searches.iter().map(|part| &part.checked)
    }

    /// The answer, from a page for each of the searches and from the dataset.
    #[must_use]
    pub fn answer(&self, pages: &[SearchPage], dataset: &DatasetInfo) -> Reply {
        let served = || {
            let mut body = Vec::new();
            push_json(&mut body, &Meta::new(dataset));
            body
        };
        match &self.wanted {
            Wanted::Tool if self.searches.is_empty() => tool_result(&self.to, &served(), None),
            Wanted::Tool => tool_result(&self.to, &self.found(pages), None),
            Wanted::WhatIsServed { uri } => {
                let contents = resources::contents(uri, "application/json", text_of(&served()));
                // The next index may be published at any moment.
                self.to.result(&contents, Some(0))
            }
        }
    }

    /// The answer if a search failed.
    #[must_use]
    pub fn refused(&self, problem: Problem) -> Reply {
        match self.wanted {
            Wanted::Tool => refused(&self.to, &problem, self.language),
            Wanted::WhatIsServed { .. } => {
                self.to.refused(&McpFault::Problem(problem), self.language)
            }
        }
    }

    /// The results of the searches, and their source.
    fn found(&self, pages: &[SearchPage]) -> Vec<u8> {
        let mut body = b"{".to_vec();
        for (part, page) in self.searches.iter().zip(pages) {
            if part.name.is_empty() {
                self.push_found(&mut body, &part.checked, page);
            } else {
                push_json(&mut body, &part.name);
                body.extend_from_slice(b":{");
                self.push_found(&mut body, &part.checked, page);
                body.push(b'}');
            }
            body.push(b',');
        }
        body.extend_from_slice(br#""source":"#);
        push_json(&mut body, &Source::in_language(self.language));
        body.push(b'}');
        body
    }

    /// Appends the envelope of a page, with its warnings first, and the request of the API that
    /// gives the same page.
    fn push_found(&self, body: &mut Vec<u8>, checked: &CheckedRequest, page: &SearchPage) {
        let request = &checked.search;
        let warnings = warnings(request, page, self.language);
        if !warnings.is_empty() {
            body.extend_from_slice(br#""warnings":"#);
            push_json(body, &warnings);
            body.push(b',');
        }
        push_page(body, request, page);
        push_reading(body, request, page);
        let query = canonical_query(checked);
        let path = format!("/{}?{query}", request.record_kind);
        body.extend_from_slice(br#","request":"#);
        push_json(body, &path);
        body.extend_from_slice(br#","data_version":"#);
        push_json(body, &page.build_id);
    }
}

/// The answer of a tool that cannot do what it was asked; it says what to change.
pub(super) fn refused(to: &To, problem: &Problem, language: Language) -> Reply {
    tool_result(to, &problem.advice(language), Some(problem.code()))
}

/// The result of a tool: the object as data, and for older clients as text, too.
fn tool_result(to: &To, object: &[u8], problem: Option<&'static str>) -> Reply {
    #[derive(Serialize)]
    struct Content<'a> {
        r#type: &'static str,
        text: &'a str,
    }

    let mut members = br#""content":"#.to_vec();
    push_json(&mut members, &[Content { r#type: "text", text: text_of(object) }]);
    members.extend_from_slice(br#","structuredContent":"#);
    members.extend_from_slice(object);
    members.extend_from_slice(br#","isError":"#);
    push_json(&mut members, &problem.is_some());
    Reply { problem, ..to.result(&members, None) }
}

/// JSON that was written as bytes, as text.
#[expect(clippy::expect_used, reason = "records and serialised values are UTF-8")]
fn text_of(json: &[u8]) -> &str {
    std::str::from_utf8(json).expect("JSON")
}
