//! Bodies are compressed as requested, and unpack to the same text.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use std::io::Read;

use support::Server;
use ureq::http::HeaderMap;

/// Unpacks a compressed body, which must be complete.
fn unpacked(encoding: &str, body: &[u8]) -> String {
    let mut text = String::new();
    match encoding {
        "zstd" => zstd::stream::read::Decoder::new(body).unwrap().read_to_string(&mut text),
        "br" => brotli::Decompressor::new(body, 4096).read_to_string(&mut text),
        "gzip" => flate2::read::GzDecoder::new(body).read_to_string(&mut text),
        other => panic!("{other} is no encoding"),
    }
    .unwrap();
    text
}

fn asked(server: &Server, method: &str, target: &str, accepted: &str) -> (u16, HeaderMap, Vec<u8>) {
    let key = ("x-gateway-key", server.keys.active.as_str());
    let headers = [key, ("x-gateway-host", "localhost"), ("accept-encoding", accepted)];
    server.send_for_bytes(method, target, &headers)
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).map_or("", |value| value.to_str().unwrap())
}

#[test]
fn a_body_says_the_same_in_every_encoding() {
    let server = Server::over_sample();
    for target in [
        "/release?limit=25",
        "/emission?limit=1000",
        "/release?format=csv",
        "/emission?format=ndjson",
        "/emission?format=geojson",
        "/release?format=ndjson&limit=0",
        "/openapi.json",
        "/docs/docs.js",
    ] {
        let (_, plain_headers, plain) = asked(&server, "GET", target, "identity");
        assert_eq!(header(&plain_headers, "content-encoding"), "", "{target}");
        for encoding in ["zstd", "br", "gzip"] {
            let (status, headers, body) = asked(&server, "GET", target, encoding);
            assert_eq!((status, header(&headers, "content-encoding")), (200, encoding), "{target}");
            let is_same = unpacked(encoding, &body).as_bytes() == plain;
            assert!(is_same, "{target} {encoding}");
            assert!(body.len() < plain.len() / 2 || plain.len() < 1024, "{target} {encoding}");
            assert_eq!(headers.get("etag"), plain_headers.get("etag"), "{target} {encoding}");
            let (status, head, nothing) = asked(&server, "HEAD", target, encoding);
            assert_eq!((status, nothing.len()), (200, 0), "{target}");
            for name in ["content-encoding", "content-type", "content-length", "etag", "vary"] {
                assert_eq!(header(&head, name), header(&headers, name), "{target} {name}");
            }
        }
    }
}

#[test]
fn what_was_not_asked_for_or_is_small_stays_as_it_is() {
    let server = Server::over_sample();
    for (target, accepted, expected) in [
        ("/release", "gzip, deflate, br, zstd", "zstd"),
        ("/release", "gzip;q=1, br;q=0.5", "gzip"),
        ("/release", "gzip;q=0.1, identity", ""),
        ("/release", "br, identity;q=0", "br"),
        ("/release", "deflate", ""),
        ("/release?limit=0", "gzip", ""),
        ("/release?limit=x", "gzip", ""),
        ("/release?format=geojson", "gzip", "gzip"),
    ] {
        let (_, headers, body) = asked(&server, "GET", target, accepted);
        assert_eq!(header(&headers, "content-encoding"), expected, "{target} {accepted}");
        assert_eq!(header(&headers, "vary"), "Accept, Accept-Encoding, Accept-Language");
        assert_eq!(body.starts_with(b"{"), expected.is_empty(), "{target} {accepted}");
    }
    // Its columns are compressed already.
    for method in ["GET", "HEAD"] {
        let target = "/release?format=parquet";
        let (status, headers, _) = asked(&server, method, target, "gzip, br, zstd, identity;q=0");
        assert_eq!((status, header(&headers, "content-encoding")), (200, ""), "{method}");
    }
    let (_, headers, _) = asked(&server, "GET", "/release", "gzip");
    let known = [
        ("x-gateway-key", server.keys.active.as_str()),
        ("x-gateway-host", "localhost"),
        ("accept-encoding", "br"),
        ("if-none-match", header(&headers, "etag")),
    ];
    assert_eq!(server.send_bare("GET", "/release", &known).status, 304);
}
