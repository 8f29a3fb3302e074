//! Requests over the committed sample, with the counts and ids that they must have.
//!
//! The expected values come from the CSV files themselves, not from a server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// A request, and the answer that it must get.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) request: String,
    count: u64,
    /// The ids on the page, in order.
    ids: Option<Vec<String>>,
}

/// Every case.
pub(crate) fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cases");
    let files = std::fs::read_dir(folder).unwrap();
    let texts = files.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let cases: Vec<Case> =
        texts.flat_map(|text| toml::from_str::<Cases>(&text).unwrap().case).collect();
    assert!(cases.len() >= 40, "{} cases", cases.len());
    cases
}

impl Case {
    /// Fails if the answer is not the expected one.
    pub(crate) fn check(&self, status: u16, body: &str) {
        assert_eq!(status, 200, "{}: {body}", self.request);
        let answer: Value = serde_json::from_str(body).unwrap();
        assert_eq!(answer["count"], self.count, "{}", self.request);
        if let Some(ids) = &self.ids {
            let records = answer["results"].as_array().unwrap();
            let found: Vec<&Value> = records.iter().map(|record| &record["record_id"]).collect();
            assert_eq!(found, ids.iter().collect::<Vec<_>>(), "{}", self.request);
        }
    }
}
