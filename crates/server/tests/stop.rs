//! A service that is told to stop.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use outfall_records::DatasetInfo;
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use outfall_server::Stop;
use support::Server;

/// Reports the beginning of each search, and takes its time.
struct Slow {
    began: Mutex<mpsc::Sender<()>>,
    dataset: DatasetInfo,
}

impl SearchBackend for Slow {
    fn search(&self, _: &SearchRequest) -> Result<SearchPage, SearchError> {
        self.began.lock().unwrap().send(()).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        Ok(SearchPage::default())
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

#[test]
fn a_graceful_stop_answers_what_was_asked_before_it() {
    let (sender, began) = mpsc::channel();
    let slow = Slow { began: Mutex::new(sender), dataset: DatasetInfo::default() };
    let mut server = Server::start(|_| {}, Some(Arc::new(slow)));
    let stop = server.stop_handle();
    let close = [("connection", "close")];
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| server.send("GET", "/release", &close));
        began.recv().unwrap();
        stop.stop(Stop::Graceful);
        assert_eq!(asked.join().unwrap().status, 200);
    });
    server.join();
    assert!(std::net::TcpStream::connect(server.address()).is_err());
}
