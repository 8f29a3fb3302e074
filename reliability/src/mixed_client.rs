//! A client that asks for one thing after another: pages, facets, exports, nonsense.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Outcome;
use crate::client::{Answer, Client, connect};
use crate::editions::record_ids;
use crate::outcome::ensure;
use crate::random::Random;

/// Words that the generated corpora have.
const WORDS: [&str; 8] = [
    "mercury",
    "lead",
    "benzene",
    "ontario",
    "steel",
    "air+OR+water",
    "lead+-alberta",
    "%22stack%22",
];
const PROVINCES: [&str; 4] = ["ON", "QC", "Alberta", "bc"];
/// The limits of exports.
const EXPORTED: [&str; 3] = ["100", "5000", "40000"];
/// Bad requests, each with the status of its answer.
const BAD: [(&str, u16); 5] = [
    ("/release?provnce=ON&limit=5000", 400),
    ("/emission?substance=lead", 400),
    ("/release?cursor=damaged", 400),
    ("/nowhere", 404),
    ("/release?q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z+a+b+c+d+e+f+g", 400),
];
const NO_REQUEST: &str = "GET / nothing\r\n\r\n";

/// One of several clients, each of which sends requests in its own order.
#[derive(Debug)]
pub(crate) struct MixedClient {
    address: SocketAddr,
    key: String,
    kept: Client,
    random: Random,
    /// The target of the page after the last one.
    next: Option<String>,
}

/// A request, and the right status of its answer.
struct Request {
    kind: &'static str,
    target: String,
    encoding: Option<&'static str>,
    status: u16,
}

impl MixedClient {
    pub(crate) fn new(address: SocketAddr, number: usize, key: &str) -> Self {
        let (kept, key) = (Client::with_key(address, key), key.to_owned());
        Self { address, key, kept, random: Random::new(number as u64), next: None }
    }

    /// Sends requests until it is over; exports only if it may.
    pub(crate) fn ask_until(mut self, is_over: &AtomicBool, may_export: bool) -> Outcome {
        let mut outcome = Outcome::default();
        while !is_over.load(Ordering::Relaxed) {
            let kind = self.random.below(100);
            let (kind, seen) = match kind {
                0 => ("malformed requests", self.send_nonsense()),
                1..4 if may_export => self.ask(|random, _| export(random)),
                4..10 => self.ask(|random, _| bad(random)),
                10..25 => self.ask(|random, _| facets(random)),
                _ => self.ask(page),
            };
            outcome.count(kind);
            outcome.note(kind, seen);
        }
        outcome
    }

    /// Sends a request on the kept connection, or now and then on a fresh one.
    fn ask(
        &mut self,
        request: impl FnOnce(&mut Random, Option<String>) -> Request,
    ) -> (&'static str, Result<(), String>) {
        let request = request(&mut self.random, self.next.take());
        let is_kept = request.encoding.is_none() && self.random.below(10) > 0;
        let asked = if is_kept {
            self.kept.get(&request.target)
        } else {
            let client = Client::with_key(self.address, &self.key);
            let client = client.with("accept-encoding", request.encoding.unwrap_or("identity"));
            client.with("connection", "close").get(&request.target)
        };
        let answer = match asked {
            Ok(answer) => answer,
            Err(error) => return (request.kind, Err(format!("`{}`: {error}", request.target))),
        };
        if request.kind == PAGES && request.encoding.is_none() {
            let next = record_ids(&answer.body).1;
            self.next =
                next.map(|next| format!("{}&cursor={next}", without_cursor(&request.target)));
        }
        (request.kind, request.judge(&answer))
    }

    fn send_nonsense(&self) -> Result<(), String> {
        let exchange = || {
            let mut stream = connect(self.address)?;
            stream.write_all(NO_REQUEST.as_bytes())?;
            Answer::read(&mut std::io::BufReader::new(stream))
        };
        let answer = exchange().map_err(|error| error.to_string())?;
        ensure(answer.status == 400, || answer.text())
    }
}

const PAGES: &str = "pages";

impl Request {
    fn judge(&self, answer: &Answer) -> Result<(), String> {
        // A machine that others share may be too slow for so many clients.
        let is_refusal = answer.status == 503 && answer.header("retry-after").is_some();
        let is_right = answer.status == self.status || (self.status == 200 && is_refusal);
        ensure(is_right, || format!("`{}`: {}", self.target, answer.text()))
    }
}

fn pick<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len() as u64) as usize]
}

fn kind_of_record(random: &mut Random) -> &'static str {
    pick(random, &["release", "release", "release", "emission"])
}

/// A page of any size and order, or the one after the last.
fn page(random: &mut Random, next: Option<String>) -> Request {
    let encoding = pick(random, &[None, None, None, Some("gzip"), Some("br"), Some("zstd")]);
    let fresh = |random: &mut Random| {
        let (kind, word) = (kind_of_record(random), pick(random, &WORDS));
        let limit = pick(random, &["0", "25", "100", "1000"]);
        let sort = pick(random, &["published", "value", "relevance", "value&sort_order=asc"]);
        let filter = match random.below(4) {
            0 => format!("province={}", pick(random, &PROVINCES)),
            1 => "value_min=1&value_max=1000".to_owned(),
            2 => format!("issued_after={}", 2000 + random.below(20)),
            _ => format!("offset={}", random.below(2_000)),
        };
        format!("/{kind}?q={word}&limit={limit}&sort_by={sort}&{filter}")
    };
    let target = match next {
        Some(next) if random.below(2) == 0 => next,
        _ => fresh(random),
    };
    Request { kind: PAGES, target, encoding, status: 200 }
}

fn facets(random: &mut Random) -> Request {
    let (kind, word) = (kind_of_record(random), pick(random, &WORDS));
    let facets = pick(random, &["year", "province,year", "facility,company,naics_code"]);
    let target = format!("/{kind}?q={word}&limit=0&facets={facets}&facet_limit=100");
    Request { kind: "facets", target, encoding: None, status: 200 }
}

fn export(random: &mut Random) -> Request {
    let (kind, limit) = (kind_of_record(random), pick(random, &EXPORTED));
    let format = pick(random, &["csv", "ndjson"]);
    let encoding = pick(random, &[None, Some("gzip"), Some("zstd")]);
    let target = format!("/{kind}?format={format}&limit={limit}");
    Request { kind: "exports", target, encoding, status: 200 }
}

fn bad(random: &mut Random) -> Request {
    let (target, status) = pick(random, &BAD);
    Request { kind: "bad requests", target: target.to_owned(), encoding: None, status }
}

/// The target of a page without its cursor, and without an offset, which cannot be combined with a
/// cursor.
fn without_cursor(target: &str) -> String {
    let parts = target.split('&');
    let lasting = parts.filter(|part| !part.starts_with("cursor=") && !part.starts_with("offset="));
    lasting.collect::<Vec<_>>().join("&")
}
