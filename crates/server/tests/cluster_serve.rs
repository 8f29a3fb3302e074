//! The service over a real cluster: it answers as it does over an index of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod process;

use std::env;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use outfall_opensearch::{Client, Connection, Layout, LoadOptions, Loader, Names, remove_all};
use process::{Service, wait_until};

/// The variable that names the nodes, separated by commas.
const URLS: &str = "OUTFALL_OPENSEARCH_URLS";

fn main() -> ExitCode {
    let urls = env::var(URLS).unwrap_or_default();
    let trial = Trial::test("answers_are_those_of_the_embedded_engine", || {
        answers_are_those_of_the_embedded_engine();
        Ok(())
    });
    let trial = match urls.is_empty() {
        true => trial
            .with_kind(format!(
                "skipped: no cluster: {URLS} is not set; see `cargo xtask opensearch`"
            ))
            .with_ignored_flag(true),
        false => trial,
    };
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

/// Indexes that are removed at the end.
struct Published {
    client: Client,
    prefix: String,
    names: Names,
}

impl Published {
    fn new() -> Self {
        let urls = env::var(URLS).unwrap().split(',').map(str::to_owned).collect();
        let client = Client::new(&Connection { urls, ..Connection::default() }).unwrap();
        let prefix = format!("serve-{}", std::process::id());
        Self { client, names: Names::with_prefix(&prefix).unwrap(), prefix }
    }

    /// Publishes the corpus that [`process::publish`] publishes.
    fn publish(&self, dir: &Path, seed: u64) -> String {
        let loader = Loader::begin(
            &self.client,
            LoadOptions {
                names: self.names.clone(),
                layout: Layout { shards: 3, replicas: 1 },
                rejects_in: dir.to_owned(),
            },
        );
        process::publish_to(loader.unwrap(), seed).build_id.unwrap()
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        remove_all(&self.client, &self.names).unwrap();
    }
}

fn answers_are_those_of_the_embedded_engine() {
    let dir = tempfile::tempdir().unwrap();
    let published = Published::new();
    let urls = env::var(URLS).unwrap();
    let service = Service::start(
        dir.path(),
        &[
            "serve",
            "--backend",
            "opensearch",
            "--url",
            &urls,
            "--prefix",
            &published.prefix,
            "--listen",
            "127.0.0.1:0",
            "--auth",
            "off",
        ],
    );
    for target in ["/health/ready", "/meta", "/release"] {
        assert_eq!(service.get(target, "").0, 503, "{target} before anything is published");
    }

    let first = published.publish(dir.path(), 1);
    wait_until(|| service.get("/health/ready", "").0 == 200);
    assert_eq!(process::publish(dir.path(), 1).build_id.unwrap(), first);
    let embedded = Service::start(
        dir.path(),
        &["serve", "--data", "data", "--listen", "127.0.0.1:0", "--auth", "off"],
    );
    for target in [
        "/release?q=mercury&limit=3",
        "/release?q=mercury+OR+lead&sort_by=value&value_unit=kg&facets=year,province&limit=2",
        "/release?sort_by=value&value_min=2&limit=1",
        "/release?q=nothing+like+itt",
        "/release?province=ON&format=csv",
        "/release?format=ndjson",
        "/release?q=lead&format=geojson&offset=7",
        "/release?limit=0&facets=facility,company,substance,naics_code,year*medium&facet_sort=sum",
        "/release?limit=0&facets=province*company&facet_limit=3",
        "/emission?sort_by=value&facets=facility",
        "/emission?near=45,-75&within_km=500&limit=5",
        "/emission?q=%22unbalanced",
    ] {
        let (found, expected) = (service.get(target, ""), embedded.get(target, ""));
        assert_eq!(found, expected, "{target}");
    }

    let second = published.publish(dir.path(), 2);
    assert_ne!(second, first);
    wait_until(|| service.build_id() == second);
    assert_eq!(service.get("/release", "").0, 200);
}
