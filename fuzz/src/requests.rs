//! Targets that read what a client sends.

use outfall_api::{CheckedRequest, Format, RawParams, canonical_query};
use outfall_records::RecordKind;
use outfall_request::text::{self, MAX_LENGTH, TextQuery};
use outfall_request::{Cursor, SearchRequest};
use outfall_server::HostName;

/// `q`: any text that is not too large is a query, and writing its units again gives the same
/// query.
pub fn text_query(data: &[u8]) {
    let Ok(query) = text::parse(&String::from_utf8_lossy(data)) else { return };
    for unit in query.units() {
        assert!(unit.pattern.tokens.iter().all(|token| !token.is_empty()), "{unit:?}");
    }
    let rewritten = rewritten(&query);
    if rewritten.chars().count() <= MAX_LENGTH {
        let again = text::parse(&rewritten).expect("what is as small is a query as well");
        assert_eq!(again.to_string(), query.to_string(), "{rewritten:?}");
    }
}

/// The clauses as they were written, with the operators that the grammar knows.
fn rewritten(query: &TextQuery) -> String {
    let clause = |units: &[text::TextUnit]| {
        let units: Vec<&str> = units.iter().map(|unit| unit.written.as_str()).collect();
        units.join(" OR ")
    };
    let clauses: Vec<String> =
        query.clauses.iter().map(|alternatives| clause(&alternatives.units)).collect();
    clauses.join(" ")
}

/// A cursor: encoding and decoding it gives the same cursor, and a forged one can be compared with
/// any request.
pub fn cursor(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(cursor) = Cursor::decode(&text) else { return };
    let again = Cursor::decode(&cursor.encode()).expect("what was written can be read");
    assert_eq!(again, cursor);
    for record_kind in RecordKind::ALL {
        drop(cursor.differences(&SearchRequest::all(record_kind)));
    }
}

/// A query string: its canonical form is a query string that means the same.
pub fn query_string(data: &[u8]) {
    let query = String::from_utf8_lossy(data);
    for record_kind in RecordKind::ALL {
        let Some(canonical) = canonical_of(&query, record_kind) else { continue };
        let again = canonical_of(&canonical, record_kind);
        assert_eq!(again.as_ref(), Some(&canonical), "{query:?}");
    }
}

/// The canonical form of a query string; `None` for one that is refused.
fn canonical_of(query: &str, record_kind: RecordKind) -> Option<String> {
    let raw = RawParams::from_query_string(query, record_kind);
    let checked = CheckedRequest::new(record_kind, raw, Format::Json);
    checked.ok().map(|checked| canonical_query(&checked))
}

/// `x-gateway-host`: its name is ASCII in lower case, and has colons only as an IPv6 address.
pub fn gateway_host(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Some(host) = HostName::parse(&text).map(|host| host.to_string()) else { return };
    assert!(host.is_ascii() && !host.is_empty(), "{host:?}");
    assert_eq!(host, host.to_ascii_lowercase());
    // In a URL a host with colons is an IPv6 address in brackets, and no other host has any.
    let is_address = host.parse::<std::net::Ipv6Addr>().is_ok();
    let has_brackets = text.trim_start().starts_with('[');
    assert!(is_address == has_brackets && is_address == host.contains(':'), "{host:?}");
}

/// `Accept`: any text asks for one of the media types.
pub fn accept(data: &[u8]) {
    let Ok(line) = std::str::from_utf8(data) else { return };
    assert!(Format::accepted([line]).media_type().contains('/'));
}
