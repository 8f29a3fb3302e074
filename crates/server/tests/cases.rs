//! Requests over the committed sample, with the counts and ids that they must have.
//!
//! The expected values come from the CSV files themselves, not from a server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::Path;

use serde::Deserialize;
use support::Server;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

/// A request, and the answer that it must get.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    request: String,
    count: u64,
    /// The ids on the page, in order.
    ids: Option<Vec<String>>,
}

#[test]
fn every_case_holds() {
    let server = Server::over_sample();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cases");
    let mut cases = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file: Cases = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for case in file.case {
            let answer = server.get(&case.request);
            let place = format!("{}: {}", path.display(), case.request);
            assert_eq!(answer.status, 200, "{place}: {}", answer.body);
            assert_eq!(answer.count(), case.count, "{place}");
            if let Some(ids) = case.ids {
                assert_eq!(answer.ids(), ids, "{place}");
            }
            cases += 1;
        }
    }
    assert!(cases >= 40, "{cases} cases");
}
