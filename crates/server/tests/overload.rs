//! If there are too many requests, some wait, the rest are refused at once, and health never waits.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use outfall_records::DatasetInfo;
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use outfall_server::Settings;
use support::{Answer, Server};

const LONG: Duration = Duration::from_secs(60);

/// Searches until it is released or the deadline has passed, which every backend must respect.
#[derive(Default)]
struct Held {
    is_released: AtomicBool,
    running: AtomicUsize,
    most_running: AtomicUsize,
    dataset: DatasetInfo,
}

impl SearchBackend for Held {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_running.fetch_max(running, Ordering::SeqCst);
        let found = loop {
            if self.is_released.load(Ordering::SeqCst) {
                break Ok(SearchPage { total: 7, ..SearchPage::default() });
            }
            if request.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                break Err(SearchError::TimedOut);
            }
            thread::sleep(Duration::from_millis(1));
        };
        self.running.fetch_sub(1, Ordering::SeqCst);
        found
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

fn server(backend: &Arc<Held>, change: impl FnOnce(&mut Settings)) -> Server {
    let settings = |settings: &mut Settings| {
        (settings.max_searches, settings.max_waiting) = (1, 2);
        (settings.max_wait, settings.search_deadline) = (LONG, LONG);
        change(settings);
    };
    Server::start(settings, Some(Arc::clone(backend) as Arc<dyn SearchBackend>))
}

fn assert_overloaded(answer: &Answer) {
    assert_eq!(answer.status, 503, "{}", answer.body);
    assert_eq!(answer.json()["code"], "overloaded");
    assert_eq!(answer.header("retry-after"), "1");
}

#[test]
fn some_wait_the_rest_is_refused_and_health_never_waits() {
    let backend = Arc::new(Held::default());
    let server = server(&backend, |_| {});
    let (sender, answers) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..6 {
            let (sender, server) = (sender.clone(), &server);
            scope.spawn(move || sender.send(server.get("/release")).unwrap());
        }
        // One request searches and two wait, until the test releases them.
        for _ in 0..3 {
            assert_overloaded(&answers.recv().unwrap());
        }
        for target in ["/health/live", "/health/ready", "/meta", "/release?limit=x"] {
            assert_ne!(server.get(target).status, 503, "{target}");
        }
        assert!(answers.try_recv().is_err(), "a fourth was refused");
        backend.is_released.store(true, Ordering::SeqCst);
        for _ in 0..3 {
            let answer = answers.recv().unwrap();
            assert_eq!((answer.status, answer.count()), (200, 7));
        }
    });
    assert_eq!(server.get("/emission").count(), 7);
    let running = backend.most_running.load(Ordering::SeqCst);
    assert!(running <= 2, "{running} searches at once: one on a thread, one that begins");
}

#[test]
fn a_key_has_only_so_many_requests_at_once() {
    let backend = Arc::new(Held::default());
    let server = server(&backend, |settings| settings.max_requests_of_key = 1);
    thread::scope(|scope| {
        let first = scope.spawn(|| server.get("/release"));
        while backend.running.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        let refused = server.get("/emission");
        assert_eq!((refused.status, &refused.json()["code"]), (429, &"too-many-at-once".into()));
        assert_eq!(refused.header("retry-after"), "1");
        backend.is_released.store(true, Ordering::SeqCst);
        assert_eq!(first.join().unwrap().status, 200);
    });
    assert_eq!(server.get("/emission").status, 200);
}

#[test]
fn who_waits_too_long_is_refused() {
    let backend = Arc::new(Held::default());
    let server = server(&backend, |settings| settings.max_wait = Duration::from_millis(50));
    thread::scope(|scope| {
        let first = scope.spawn(|| server.get("/release"));
        while backend.running.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        assert_overloaded(&server.get("/release"));
        backend.is_released.store(true, Ordering::SeqCst);
        assert_eq!(first.join().unwrap().status, 200);
    });
}

#[test]
fn a_search_that_never_ends_is_stopped_at_its_deadline() {
    let backend = Arc::new(Held::default());
    let server = server(&backend, |settings| settings.search_deadline = Duration::from_millis(50));
    for target in ["/release", "/emission"] {
        let answer = server.get(target);
        assert_eq!((answer.status, &answer.json()["code"]), (503, &"timed-out".into()));
    }
}
