//! Callers share the service, and none of them crowds out the others.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use outfall_records::{DatasetInfo, RecordKind};
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use outfall_server::Settings;
use socket2::{Domain, Socket, Type};
use support::{Server, sample};

const DEMO_KEY: &str = "DEMO_KEY";

/// An export that has begun, or the problem that was answered instead.
struct Export {
    reader: BufReader<TcpStream>,
    status: u16,
}

/// Begins an export from 127.0.0.`from`, of which the client reads almost nothing at first.
fn begin(server: &Server, key: &str, from: u8) -> Export {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let from = (Ipv4Addr::new(127, 0, 0, from), 0);
    socket.bind(&std::net::SocketAddr::from(from).into()).unwrap();
    socket.connect(&server.address().into()).unwrap();
    let mut stream = TcpStream::from(socket);
    let head = format!(
        "GET /release?format=ndjson HTTP/1.1\r\nhost: x\r\nx-gateway-host: localhost\r\n\
         x-gateway-key: {key}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = BufReader::with_capacity(512, stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    Export { reader, status: line[9..12].parse().unwrap() }
}

impl Export {
    /// Reads the rest of the answer, as far as it arrives.
    fn rest(mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        // An export that is cut may end with an error.
        let _ = self.reader.read_to_end(&mut rest);
        rest
    }

    /// Reads the rest; whether the answer is complete.
    fn ends_whole(self) -> bool {
        self.rest().ends_with(b"\r\n0\r\n\r\n")
    }
}

fn exports(change: impl FnOnce(&mut Settings)) -> Server {
    let settings = |settings: &mut Settings| {
        (settings.demo_key, settings.max_exports_of_visitors) = (1_000, 4);
        settings.export_patience = Duration::from_millis(100);
        change(settings);
    };
    Server::start(settings, Some(sample()))
}

#[test]
fn an_export_beyond_the_first_gives_way_to_the_first_of_another() {
    let server = exports(|settings| settings.least_export_pace = 1);
    let mut running = Vec::new();
    for (visitor, status) in [(2, 200), (2, 200), (3, 200), (3, 200), (2, 429), (3, 429)] {
        let export = begin(&server, DEMO_KEY, visitor);
        assert_eq!(export.status, status, "127.0.0.{visitor}");
        running.extend((status == 200).then_some(export));
    }
    for newcomer in [4, 5] {
        let export = begin(&server, DEMO_KEY, newcomer);
        assert_eq!(export.status, 200, "127.0.0.{newcomer}");
        running.push(export);
    }
    // Each visitor now has one export and reads it fast enough; keys have separate places.
    let refused = begin(&server, DEMO_KEY, 6);
    assert_eq!(refused.status, 503);
    let refused = String::from_utf8(refused.rest()).unwrap();
    assert!(refused.contains("\"overloaded\"") && refused.contains("retry-after: 1"), "{refused}");
    assert_eq!(begin(&server, DEMO_KEY, 2).status, 503, "a second one displaces nobody");
    assert!(begin(&server, &server.keys.active, 1).ends_whole());
    let metrics = server.send_bare("GET", "/metrics", &[]).body;
    assert!(metrics.contains("outfall_exports_gave_way_total 2"), "{metrics}");

    let whole: Vec<bool> = running.into_iter().map(Export::ends_whole).collect();
    for (visitor, own) in [(2, &whole[..2]), (3, &whole[2..4])] {
        assert_eq!(own.iter().filter(|is_whole| **is_whole).count(), 1, "127.0.0.{visitor}");
    }
    assert_eq!(whole[4..], [true, true], "the newcomers");
}

#[test]
fn the_only_export_of_a_caller_gives_way_when_it_is_slow() {
    // At this pace, every client that keeps the service waiting for a moment is too slow.
    let server = exports(|settings| {
        (settings.max_exports_of_visitors, settings.least_export_pace) = (1, u32::MAX);
        settings.export_patience = Duration::from_secs(15);
    });
    let slow = begin(&server, DEMO_KEY, 2);
    let newcomer = begin(&server, DEMO_KEY, 3);
    assert_eq!((slow.status, newcomer.status), (200, 200));
    assert!(!slow.ends_whole());
    assert!(newcomer.ends_whole());
}

#[test]
fn who_waits_gets_the_place_of_one_that_ends() {
    let server = exports(|settings| {
        settings.max_exports_of_visitors = 1;
        settings.export_patience = Duration::from_secs(60);
    });
    let first = begin(&server, DEMO_KEY, 2);
    thread::scope(|scope| {
        let second = scope.spawn(|| begin(&server, DEMO_KEY, 3));
        // A request for the head alone needs no place.
        let gateway = [("x-gateway-key", DEMO_KEY), ("x-gateway-host", "localhost")];
        assert_eq!(server.send_bare("HEAD", "/release?format=csv", &gateway).status, 200);
        assert!(first.ends_whole(), "it was cut while another waited for its end");
        assert!(second.join().unwrap().ends_whole());
    });
}

/// Finds releases at once, and emissions after some milliseconds, unless the deadline comes first.
#[derive(Default)]
struct Uneven {
    heavy: AtomicUsize,
    dataset: DatasetInfo,
}

impl SearchBackend for Uneven {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        if request.record_kind == RecordKind::Emission {
            self.heavy.fetch_add(1, Ordering::Relaxed);
            let until = Instant::now() + Duration::from_millis(20);
            while Instant::now() < until {
                if request.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                    return Err(SearchError::TimedOut);
                }
                thread::sleep(Duration::from_micros(100));
            }
        }
        Ok(SearchPage { total: 7, ..SearchPage::default() })
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.dataset
    }
}

#[test]
fn a_key_with_little_work_is_answered_beside_one_with_much() {
    let backend = Arc::new(Uneven::default());
    let settings = |settings: &mut Settings| {
        (settings.max_searches, settings.max_waiting, settings.max_waiting_for_turn) = (1, 4, 4);
        (settings.demo_key, settings.max_requests_of_key) = (1_000_000, 1_000);
        // A busy machine is slow; requests that may not wait at all are still refused at once.
        settings.max_wait = Duration::from_secs(30);
    };
    let server = Server::start(settings, Some(Arc::clone(&backend) as Arc<dyn SearchBackend>));
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let heavy: Vec<_> = (0..24)
            .map(|_| {
                scope.spawn(|| {
                    let gateway = [("x-gateway-key", DEMO_KEY), ("x-gateway-host", "localhost")];
                    let mut refused = 0;
                    while !is_over.load(Ordering::Relaxed) {
                        let answer = server.send_bare("GET", "/emission", &gateway);
                        refused += usize::from(answer.status == 503);
                    }
                    refused
                })
            })
            .collect();
        while backend.heavy.load(Ordering::Relaxed) < 50 {
            thread::yield_now();
        }
        // The second target is a search that waits for a thread as the heavy ones do.
        let unanswered = ["/release", "/emission"]
            .map(|target| (0..50).filter(|_| server.get(target).status != 200).count());
        is_over.store(true, Ordering::Relaxed);
        let refused: usize = heavy.into_iter().map(|client| client.join().unwrap()).sum();
        assert!(refused > 0, "there was room for all");
        assert_eq!(unanswered, [0, 0], "refused while {refused} heavy ones were");
    });
}
