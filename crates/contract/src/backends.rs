//! The backends that the tests query, all over the same records.

use std::sync::{LazyLock, OnceLock};

use outfall_records::{DatasetInfo, Record, RecordKind};
use outfall_request::text::parse;
use outfall_request::{ReferenceBackend, SearchBackend, SearchPage, SearchRequest};
use proptest::test_runner::Config as ProptestConfig;

use crate::records::{all, labels};

/// Opens the engine under test over some records.
pub type OpenEngine = fn(&[Record]) -> Box<dyn SearchBackend>;

/// The engine under test.
pub(crate) static ENGINE: OnceLock<Engine> = OnceLock::new();

/// An engine, and how many cases it is tested with.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// Makes a backend over records that come in any order.
    pub open: OpenEngine,
    /// One of this many generated cases is tried; 1 means all of them. Cases that open a backend,
    /// which may take long, are thinned out by this factor once more.
    pub one_of: u32,
    /// How many generated requests over many records are compared with the reference, each with its
    /// second page.
    pub requests: u32,
}

/// This many generated cases, each of a few requests; fewer for a slow engine.
pub(crate) fn asking(cases: u32) -> ProptestConfig {
    let one_of = ENGINE.get().map_or(1, |engine| engine.one_of);
    ProptestConfig { cases: cases.div_ceil(one_of), ..ProptestConfig::default() }
}

/// As many generated cases as [`Engine::requests`] says.
pub(crate) fn comparing() -> ProptestConfig {
    let cases = ENGINE.get().map_or(1, |engine| engine.requests);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

/// This many generated cases, each of which opens a backend; fewer for a slow engine.
pub(crate) fn opening(cases: u32) -> ProptestConfig {
    let one_of = ENGINE.get().map_or(1, |engine| engine.one_of);
    asking(cases.div_ceil(one_of))
}

/// The backends over some records, the reference first; all must answer as it does.
pub(crate) struct Backends {
    backends: Vec<Box<dyn SearchBackend>>,
}

/// The backends over the records made by hand.
pub(crate) static BACKENDS: LazyLock<Backends> = LazyLock::new(|| Backends::over(&all()));

impl Backends {
    pub(crate) fn over(records: &[Record]) -> Self {
        let reference = ReferenceBackend::new(records.to_vec(), DatasetInfo::default());
        let engine = ENGINE.get().unwrap();
        Self { backends: vec![Box::new(reference), (engine.open)(records)] }
    }

    /// The answer that all backends agree on.
    pub(crate) fn search(&self, request: &SearchRequest) -> SearchPage {
        let mut backends = self.backends.iter();
        let reference = backends.next().unwrap().search(request).unwrap();
        for other in backends {
            agree(request, &reference, &other.search(request).unwrap());
        }
        reference
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn SearchBackend> {
        self.backends.iter().map(AsRef::as_ref)
    }

    pub(crate) fn count(&self, request: &SearchRequest) -> u64 {
        self.search(request).total
    }
}

/// Fails on any difference, the most telling first.
fn agree(request: &SearchRequest, expected: &SearchPage, found: &SearchPage) {
    assert_eq!(found.total, expected.total, "total of {request:?}");
    assert_eq!(ids(found), ids(expected), "ids of {request:?}");
    for (found, expected) in found.records.iter().zip(expected.records.iter()) {
        let text = String::from_utf8_lossy;
        assert_eq!(text(found), text(expected), "bytes of {request:?}");
    }
    // Each backend has its own build id.
    let expected = SearchPage { build_id: found.build_id.clone(), ..expected.clone() };
    assert_eq!(*found, expected, "page of {request:?}");
}

/// The ids of a page, in its order.
pub(crate) fn ids(page: &SearchPage) -> Vec<String> {
    let id = |json: &[u8]| {
        let record: serde_json::Value = serde_json::from_slice(json).unwrap();
        record["record_id"].as_str().unwrap().to_owned()
    };
    page.records.iter().map(id).collect()
}

/// A request for every record of a kind that `q` matches.
pub(crate) fn matching(record_kind: RecordKind, q: &str) -> SearchRequest {
    SearchRequest { text: parse(q).unwrap(), ..SearchRequest::all(record_kind) }
}

/// The labels of the records that a request returns, in order.
pub(crate) fn found(request: &SearchRequest) -> String {
    let page = BACKENDS.search(request);
    assert_eq!(page.total, page.records.len() as u64, "{request:?}");
    labels(ids(&page).iter().map(String::as_str))
}

/// As [`found`], but in the order of the labels.
pub(crate) fn found_set(request: &SearchRequest) -> String {
    let mut found: Vec<char> = found(request).chars().collect();
    found.sort_unstable();
    found.into_iter().collect()
}
