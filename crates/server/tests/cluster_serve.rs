//! The service over a real cluster: it answers as it does over an index of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod case_files;
mod process;

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::{Arguments, Trial};
use outfall_fixtures::TestAuthority;
use outfall_opensearch::{Client, Connection, Layout, LoadOptions, Loader, Names, remove_all};
use process::{Service, wait_until};

/// The variable that names the nodes, separated by commas.
const URLS: &str = "OUTFALL_OPENSEARCH_URLS";

const TESTS: [(&str, fn()); 3] = [
    ("answers_are_those_of_the_embedded_engine", answers_are_those_of_the_embedded_engine),
    ("every_case_of_the_sample_holds", every_case_of_the_sample_holds),
    (
        "only_a_cluster_with_a_good_certificate_is_asked",
        only_a_cluster_with_a_good_certificate_is_asked,
    ),
];

fn main() -> ExitCode {
    let is_there = env::var(URLS).is_ok_and(|urls| !urls.is_empty());
    let trials = TESTS.map(|(name, test)| {
        let trial = Trial::test(name, move || {
            test();
            Ok(())
        });
        let reason =
            format!("skipped: no cluster: {URLS} is not set; see `cargo xtask opensearch`");
        if is_there { trial } else { trial.with_kind(reason).with_ignored_flag(true) }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

/// Indexes that are removed at the end.
struct Published {
    client: Client,
    prefix: String,
    names: Names,
}

impl Published {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let urls = env::var(URLS).unwrap().split(',').map(str::to_owned).collect();
        let client = Client::new(&Connection { urls, ..Connection::default() }).unwrap();
        let prefix = format!("serve-{}-{next}", std::process::id());
        Self { client, names: Names::with_prefix(&prefix).unwrap(), prefix }
    }

    fn loader(&self, dir: &Path) -> Loader {
        let layout = Layout { shards: 3, replicas: 1 };
        let rejects_in = dir.to_owned();
        let options = LoadOptions { names: self.names.clone(), layout, rejects_in };
        Loader::begin(&self.client, options).unwrap()
    }

    /// Publishes the corpus that [`process::publish`] publishes.
    fn publish(&self, dir: &Path, seed: u64) -> String {
        process::publish_to(self.loader(dir), seed).build_id
    }

    /// The service over these indexes.
    fn serve(&self, dir: &Path) -> Service {
        self.serve_from(dir, &["--url", &env::var(URLS).unwrap()])
    }

    /// The same, by way of these arguments.
    fn serve_from(&self, dir: &Path, cluster: &[&str]) -> Service {
        let serve = ["serve", "--backend", "opensearch"];
        let rest = ["--prefix", &self.prefix, "--listen", "127.0.0.1:0", "--auth", "off"];
        Service::start(dir, &[&serve[..], cluster, &rest[..]].concat())
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
    let service = published.serve(dir.path());
    for target in ["/health/ready", "/meta", "/release"] {
        assert_eq!(service.get(target, "").0, 503, "{target} before anything is published");
    }

    let first = published.publish(dir.path(), 1);
    wait_until(|| service.get("/health/ready", "").0 == 200);
    assert_eq!(process::publish(dir.path(), 1).build_id, first);
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

    // Without the indexes, a search is one that the cluster cannot answer.
    remove_all(&published.client, &published.names).unwrap();
    assert_eq!(service.get("/release?q=lead", "").0, 503);
    let metrics = service.get("/metrics", "").1;
    for (sample, is_counted) in [
        ("outfall_search_duration_seconds_count{engine=\"opensearch\"}", true),
        ("outfall_engine_requests_total{engine=\"opensearch\",outcome=\"answered\"}", true),
        ("outfall_engine_requests_total{engine=\"opensearch\",outcome=\"refused\"}", true),
        ("outfall_engine_requests_total{engine=\"opensearch\",outcome=\"busy\"}", false),
        ("outfall_engine_failures_total{engine=\"opensearch\",kind=\"unavailable\"}", true),
        ("outfall_engine_failures_total{engine=\"opensearch\",kind=\"unusable\"}", false),
    ] {
        let value = metrics.lines().find_map(|line| line.strip_prefix(sample)).unwrap().trim();
        assert_eq!(value != "0", is_counted, "{sample}{value}");
    }
}

fn every_case_of_the_sample_holds() {
    let dir = tempfile::tempdir().unwrap();
    let published = Published::new();
    process::publish_files(published.loader(dir.path()), outfall_fixtures::committed_files());
    let service = published.serve(dir.path());
    wait_until(|| service.get("/health/ready", "").0 == 200);
    for case in case_files::all() {
        let (status, body) = service.get(&case.request, "");
        case.check(status, &body);
    }
}

fn only_a_cluster_with_a_good_certificate_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let published = Published::new();
    published.publish(dir.path(), 1);
    let plain = published.serve(dir.path());
    let (own, other) = (TestAuthority::new().unwrap(), TestAuthority::new().unwrap());
    for (name, text) in [("own", own.pem()), ("other", other.pem()), ("password", "secret\n")] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let urls = env::var(URLS).unwrap();
    let node = urls.split(',').next().unwrap().trim_start_matches("http://").parse().unwrap();
    let asked = "/release?q=mercury&facets=year&limit=3";
    for (case, trusted, years, is_good) in [
        ("of the private authority", "own", (2000, 2100), true),
        ("of an unknown authority", "other", (2000, 2100), false),
        ("expired", "own", (2000, 2020), false),
    ] {
        let url = format!("https://{}", own.front(node, "127.0.0.1", years).unwrap());
        let user = ["--user", "reader", "--password-file", "password"];
        let cluster = [&["--url", &url, "--ca", trusted], &user[..]].concat();
        let service = published.serve_from(dir.path(), &cluster);
        if is_good {
            wait_until(|| service.get("/health/ready", "").0 == 200);
            assert_eq!(service.get(asked, ""), plain.get(asked, ""), "{case}");
        } else {
            // Once it has tried, it is known that it does not answer.
            let unreachable = "outcome=\"unreachable\"} 0";
            wait_until(|| !service.get("/metrics", "").1.contains(unreachable));
            for target in ["/health/ready", asked] {
                assert_eq!(service.get(target, "").0, 503, "{case}: {target}");
            }
        }
    }
}
