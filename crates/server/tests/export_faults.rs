//! A file that breaks off is never mistaken for a whole one.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outfall_records::DatasetInfo;
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use support::{Server, sample};

/// How a page fails.
#[derive(Clone, Copy, Debug)]
enum Fault {
    TimesOut,
    Errs,
    Panics,
}

/// The sample, of which every page but the first fails.
struct Breaking {
    sample: Arc<dyn SearchBackend>,
    pages: AtomicUsize,
    fault: Option<Fault>,
}

impl SearchBackend for Breaking {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        assert!(request.deadline.is_some(), "a page without a deadline");
        let is_first = self.pages.fetch_add(1, Ordering::SeqCst) == 0;
        match self.fault.filter(|_| !is_first) {
            None => self.sample.search(request),
            Some(Fault::TimesOut) => Err(SearchError::TimedOut),
            Some(Fault::Errs) => Err(SearchError::Engine("a wanted failure".to_owned())),
            Some(Fault::Panics) => panic!("a wanted panic"),
        }
    }

    fn dataset(&self) -> &DatasetInfo {
        self.sample.dataset()
    }
}

#[test]
fn a_file_whose_second_page_fails_has_no_end() {
    for (format, fault) in ["ndjson", "csv", "geojson", "parquet"].into_iter().flat_map(|format| {
        [None, Some(Fault::TimesOut), Some(Fault::Errs), Some(Fault::Panics)]
            .map(|fault| (format, fault))
    }) {
        let backend = Breaking { sample: sample(), pages: AtomicUsize::new(0), fault };
        let server = Server::start(
            |settings| settings.auth = outfall_server::Auth::Off,
            Some(Arc::new(backend)),
        );
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let request = format!(
            "GET /release?format={format} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 200 OK"), "{format} {fault:?}");
        assert_eq!(answer.ends_with(b"\r\n0\r\n\r\n"), fault.is_none(), "{format} {fault:?}");
        assert_eq!(server.get("/meta").status, 200, "{format} {fault:?}");
    }
}
