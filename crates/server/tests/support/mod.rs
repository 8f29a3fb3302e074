//! A real server on a real port, over a real index that is built from the sample files.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub(crate) mod agent;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, mpsc};
use std::thread::JoinHandle;

use outfall_indexer::{BuildOptions, Silent};
use outfall_query::{EmbeddedBackend, Staging};
use outfall_request::SearchBackend;
use outfall_server::generations::SharedBackend;
use outfall_server::keys::{KeyFile, KeyStore};
use outfall_server::{Application, Settings, Stop, StopHandle};
use serde_json::Value;
use ureq::http::{HeaderMap, Request};

/// The index that all tests of a file share; it is held in memory alone.
static SAMPLE: LazyLock<Arc<dyn SearchBackend>> = LazyLock::new(|| {
    let data = tempfile::tempdir().unwrap();
    let options = BuildOptions::of_files(sample_files());
    outfall_indexer::build(&options, Staging::begin(data.path()).unwrap(), &Silent).unwrap();
    Arc::new(EmbeddedBackend::open(data.path()).unwrap())
});

/// The files of the committed sample, or of the folder that `OUTFALL_CORPUS` names.
fn sample_files() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let folder = std::env::var_os("OUTFALL_CORPUS").map_or(fixtures, PathBuf::from);
    let kinds = ["cesi", "ghgrp", "npri"].map(|kind| folder.join(kind));
    let entries = kinds.iter().flat_map(|kind| std::fs::read_dir(kind).unwrap());
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no files in `{}`", folder.display());
    files
}

/// The index of the sample.
pub(crate) fn sample() -> Arc<dyn SearchBackend> {
    Arc::clone(&SAMPLE)
}

/// A running service with an active, a disabled and an expired key, which is stopped on drop.
pub(crate) struct Server {
    address: SocketAddr,
    pub(crate) metrics_address: SocketAddr,
    agent: ureq::Agent,
    stop: StopHandle,
    thread: Option<JoinHandle<()>>,
    pub(crate) keys: TestKeys,
}

/// An answer as a client gets it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Server {
    /// The service over the sample, with default settings.
    pub(crate) fn over_sample() -> Self {
        Self::start(|_| {}, Some(sample()))
    }

    /// The service with changed settings, over any backend or none.
    pub(crate) fn start(
        change: impl FnOnce(&mut Settings),
        backend: Option<Arc<dyn SearchBackend>>,
    ) -> Self {
        let mut settings = Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            workers: 1,
            ..Settings::default()
        };
        settings.rate_limit.per_minute = 0;
        change(&mut settings);
        let (keys, store) = TestKeys::new();
        let (sender, receiver) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let backend = Arc::new(SharedBackend::holding(backend));
            actix_web::rt::System::new().block_on(async move {
                let application = Application::build(settings, backend, store).unwrap();
                let addresses = (application.address(), application.metrics_address());
                let started = (addresses, application.stop_handle());
                sender.send(started).unwrap();
                application.run().await.unwrap();
            });
        });
        let ((address, metrics_address), stop) = receiver.recv().unwrap();
        let agent = ureq::Agent::config_builder().http_status_as_error(false);
        let agent = agent.allow_non_standard_methods(true).build().new_agent();
        Self { address, metrics_address, agent, stop, thread: Some(thread), keys }
    }

    /// The address that it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The handle that stops it.
    pub(crate) fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Waits until it has stopped.
    pub(crate) fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            assert!(thread.join().is_ok() || std::thread::panicking());
        }
    }

    /// Sends a request as a subscribed client does.
    pub(crate) fn get(&self, target: &str) -> Answer {
        self.send("GET", target, &[])
    }

    /// Sends a request as a subscribed client does, with more headers.
    pub(crate) fn send(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
        let gateway = [
            ("x-gateway-key", self.keys.active.as_str()),
            ("x-gateway-host", "localhost"),
            ("x-request-id", "test"),
        ];
        self.send_bare(method, target, &[&gateway, headers].concat())
    }

    /// Sends a body as a subscribed client does.
    pub(crate) fn post(&self, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let key = ("x-gateway-key", self.keys.active.as_str());
        let gateway = [key, ("x-gateway-host", "localhost")];
        self.post_bare(target, &[&gateway, headers].concat(), body)
    }

    /// Sends a body with these headers and no others.
    pub(crate) fn post_bare(&self, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request =
            Request::builder().method("POST").uri(format!("http://{}{target}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = self.agent.run(request.body(body).unwrap()).unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, body: response.body_mut().read_to_string().unwrap() }
    }

    /// The body of a good answer, which need not be text, to a request of a subscribed client.
    pub(crate) fn get_bytes(&self, target: &str) -> Vec<u8> {
        let key = ("x-gateway-key", self.keys.active.as_str());
        let headers = [key, ("x-gateway-host", "localhost")];
        let (status, _, body) = self.send_for_bytes("GET", target, &headers);
        assert_eq!(status, 200, "{target}: {}", String::from_utf8_lossy(&body));
        body
    }

    /// Sends a request with these headers and no others.
    pub(crate) fn send_bare(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
        let (status, headers, body) = self.send_for_bytes(method, target, headers);
        Answer { status, headers, body: String::from_utf8(body).unwrap() }
    }

    /// The same, for a body that is not text.
    pub(crate) fn send_for_bytes(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
    ) -> (u16, HeaderMap, Vec<u8>) {
        let mut request =
            Request::builder().method(method).uri(format!("http://{}{target}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = self.agent.run(request.body(()).unwrap()).unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        (status, headers, response.body_mut().read_to_vec().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.stop(Stop::Forced);
        self.join();
    }
}

impl Answer {
    /// The value of a header: several lines are joined, and a missing header is empty.
    pub(crate) fn header(&self, name: &str) -> String {
        let values = self.headers.get_all(name).iter();
        let values: Vec<&str> = values.map(|value| value.to_str().unwrap()).collect();
        values.join(", ")
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The ids of the records.
    pub(crate) fn ids(&self) -> Vec<String> {
        let json = self.json();
        let results = json["results"].as_array().unwrap();
        let id = |record: &Value| record["record_id"].as_str().unwrap().to_owned();
        results.iter().map(id).collect()
    }

    /// The number of all matches.
    pub(crate) fn count(&self) -> u64 {
        self.json()["count"].as_u64().unwrap()
    }

    /// The status, the headers that a client acts on, and the body, for a snapshot.
    pub(crate) fn shown(&self) -> String {
        let mut shown = self.status.to_string();
        for name in ["content-type", "content-language", "allow", "www-authenticate", "retry-after"]
        {
            let value = self.header(name);
            if !value.is_empty() {
                shown += &format!("\n{name}: {value}");
            }
        }
        format!("{shown}\n{}", self.body)
    }
}

/// An active, a disabled and an expired key.
pub(crate) struct TestKeys {
    pub(crate) active: String,
    pub(crate) disabled: String,
    pub(crate) expired: String,
}

impl TestKeys {
    /// Makes the keys as an operator does; the store keeps them after their file is gone.
    fn new() -> (Self, Arc<KeyStore>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        let past = "2020-02-29".parse().unwrap();
        let [active, disabled, expired] =
            [("active", None), ("disabled", None), ("expired", Some(past))].map(
                |(name, last_day)| {
                    let key = KeyFile::add(&path, &name.parse().unwrap(), last_day).unwrap();
                    key.as_str().to_owned()
                },
            );
        KeyFile::revoke(&path, "disabled").unwrap();
        let store = KeyStore::reading(&path).unwrap();
        (Self { active, disabled, expired }, Arc::new(store))
    }
}
