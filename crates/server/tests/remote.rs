//! An engine on another thread or machine behind the same API.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use outfall_contract::OverChannel;
use outfall_records::DatasetInfo;
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use support::Server;

/// A remote engine whose answers come from `answer`.
struct Remote<A> {
    dataset: DatasetInfo,
    answer: A,
}

impl<A: Fn() -> Result<SearchPage, SearchError> + Send + Sync> SearchBackend for Remote<A> {
    fn search(&self, _: &SearchRequest) -> Result<SearchPage, SearchError> {
        let thread = thread::current();
        let name = thread.name().unwrap_or_default();
        assert!(!name.starts_with("actix"), "it is called on an event loop: {name}");
        (self.answer)()
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }

    fn is_remote(&self) -> bool {
        true
    }
}

fn remote(
    build_id: &str,
    answer: impl Fn() -> Result<SearchPage, SearchError> + Send + Sync + 'static,
) -> Option<Arc<dyn SearchBackend>> {
    let dataset = DatasetInfo { build_id: build_id.to_owned(), ..DatasetInfo::default() };
    Some(Arc::new(Remote { dataset, answer }))
}

#[test]
fn answers_are_those_of_the_engine_behind_it() {
    let here = Server::over_sample();
    let there = Server::start(|_| {}, Some(Arc::new(OverChannel::new(support::sample()))));
    let mut targets: Vec<String> = [
        "/release?q=mercury&limit=3",
        "/release?q=mercury+OR+lead&sort_by=value&value_unit=kg&facets=year,province&limit=2",
        "/release?sort_by=value&value_min=2&limit=1",
        "/release?q=nothing+like+it",
        "/release?province=ON&format=csv",
        "/release?q=lead&format=ndjson&limit=7",
        "/release?q=lead&format=geojson&offset=7",
        "/emission?sort_by=value&facets=facility",
        "/emission?q=%22unbalanced",
        "/release?limit=5000&provnce=ON",
        "/meta",
        "/health/ready",
    ]
    .map(str::to_owned)
    .into();
    let next = here.get(&targets[0]).json()["next_cursor"].as_str().unwrap().to_owned();
    targets.push(format!("/release?q=mercury&limit=3&cursor={next}"));
    for target in targets {
        let (expected, found) = (here.get(&target), there.get(&target));
        assert_eq!(found.body, expected.body, "{target}");
        assert_eq!(found.status, expected.status, "{target}");
        let headers = |answer: &support::Answer| {
            let mut headers = answer.headers.clone();
            headers.remove("date");
            headers
        };
        assert_eq!(headers(&found), headers(&expected), "{target}");
    }
}

#[test]
fn an_engine_that_cannot_be_asked_is_a_problem_that_passes() {
    let unavailable = || {
        let reason = "a secret of the inside".to_owned();
        Err(SearchError::Unavailable { retry_after: Duration::from_secs(7), reason })
    };
    let server = Server::start(|_| {}, remote("build", unavailable));
    let answer = server.get("/release?q=lead");
    assert_eq!(answer.status, 503, "{}", answer.body);
    assert_eq!(answer.headers["retry-after"], "7");
    assert_eq!(answer.json()["code"], "engine-unavailable");
    assert!(!answer.body.contains("secret"), "{}", answer.body);
    assert_eq!(server.get("/health/ready").status, 200);
}

#[test]
fn an_answer_says_which_data_gave_it() {
    let page = || Ok(SearchPage { build_id: "newer".to_owned(), ..SearchPage::default() });
    let moved = Server::start(|_| {}, remote("older", page));
    let settled = Server::start(|_| {}, remote("newer", page));
    let (moved, settled) = (moved.get("/release?q=lead"), settled.get("/release?q=lead"));
    for name in ["x-data-version", "etag"] {
        assert_eq!(moved.headers[name], settled.headers[name], "{name}");
    }
    assert_eq!(moved.headers["x-data-version"], "newer");
}

#[test]
fn searches_of_a_slow_engine_are_bounded_and_stop_nothing_else() {
    let (release, released): (Sender<()>, Receiver<()>) = mpsc::channel();
    let (began, begun) = mpsc::channel();
    let (began, released) = (Mutex::new(began), Mutex::new(released));
    let slow = move || {
        began.lock().unwrap().send(()).unwrap();
        let _ = released.lock().unwrap().recv();
        Ok(SearchPage { total: 1, ..SearchPage::default() })
    };
    let one = |settings: &mut outfall_server::Settings| {
        settings.max_remote_searches = 1;
        settings.max_waiting = 0;
        settings.search_deadline = Duration::from_secs(60);
    };
    let server = Server::start(one, remote("build", slow));
    thread::scope(|scope| {
        let first = scope.spawn(|| server.get("/release?q=lead").status);
        begun.recv().unwrap();
        let second = server.get("/release?q=lead");
        assert_eq!((second.status, &second.json()["code"]), (503, &"overloaded".into()));
        assert_eq!(server.get("/health/live").status, 200);
        release.send(()).unwrap();
        assert_eq!(first.join().unwrap(), 200);
    });
}
