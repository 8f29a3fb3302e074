//! A real cluster for tests, which `cargo xtask opensearch` starts, and indexes in it.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};

use outfall_contract::tables;
use outfall_opensearch::{
    Client, Connection, Layout, LoadOptions, Loader, Names, OpenSearchBackend,
};
use outfall_records::Record;
use outfall_request::{Published, RecordSink};

/// The variable that names the nodes, separated by commas.
const URLS: &str = "OUTFALL_OPENSEARCH_URLS";

/// Three parts and one copy of each.
pub(crate) const LAYOUT: Layout = Layout { shards: 3, replicas: 1 };

/// Why there is no cluster to test on, if there is none.
pub(crate) fn obstacle() -> Option<String> {
    match urls().is_empty() {
        true => Some(format!("no cluster: {URLS} is not set; see `cargo xtask opensearch`")),
        false => None,
    }
}

pub(crate) fn urls() -> Vec<String> {
    let urls = env::var(URLS).unwrap_or_default();
    urls.split(',').filter(|url| !url.is_empty()).map(str::to_owned).collect()
}

pub(crate) fn client() -> Client {
    Client::new(&Connection { urls: urls(), ..Connection::default() }).unwrap()
}

/// Names that no other test has.
pub(crate) fn names() -> Names {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    Names::with_prefix(&format!("test-{}-{next}", std::process::id())).unwrap()
}

/// Begins a build.
pub(crate) fn begin(names: &Names) -> Loader {
    let rejects_in = env::temp_dir();
    let options = LoadOptions { names: names.clone(), layout: LAYOUT, rejects_in };
    Loader::begin(&client(), options).unwrap()
}

/// Loads and publishes some records.
pub(crate) fn publish(names: &Names, records: &[Record]) -> Published {
    let mut loader = begin(names);
    loader.write(tables(records)).unwrap();
    loader.publish(Vec::new()).unwrap()
}

/// Removes an index behind the back of its loader.
pub(crate) fn delete(index: &str) {
    ureq::delete(format!("{}/{index}", urls()[0])).call().unwrap();
}

/// Changes an index behind the back of whoever made it.
pub(crate) fn put(path: &str, body: &str) {
    let url = format!("{}/{path}", urls()[0]);
    ureq::put(url).content_type("application/json").send(body).unwrap();
}

/// Published records, removed from the cluster when dropped.
pub(crate) struct TestIndex {
    pub(crate) names: Names,
    pub(crate) backend: OpenSearchBackend,
}

impl TestIndex {
    pub(crate) fn over(records: &[Record]) -> Self {
        let names = names();
        publish(&names, records);
        let backend = OpenSearchBackend::open(&client(), &names).unwrap();
        Self { names, backend }
    }
}

impl Drop for TestIndex {
    fn drop(&mut self) {
        outfall_opensearch::remove_all(&client(), &self.names).unwrap();
    }
}
