//! Everything but the body: validators, the gateway's headers, limits, ids, methods.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use outfall_server::{Auth, GatewaySecret, HostName, RateLimit};
use support::{Server, sample};

#[test]
fn every_answer_carries_the_headers_of_the_frame() {
    let server = Server::over_sample();
    let search = server.get("/release");
    for (target, answer) in [
        ("/release", &search),
        ("/nowhere", &server.get("/nowhere")),
        ("/release?limit=x", &server.get("/release?limit=x")),
        ("/health/live", &server.get("/health/live")),
    ] {
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("referrer-policy", "no-referrer"),
            ("vary", "Accept, Accept-Encoding, Accept-Language"),
            ("x-request-id", "test"),
            ("access-control-allow-origin", "*"),
            ("server", ""),
        ] {
            assert_eq!(answer.header(name), value, "{target} {name}");
        }
    }
    assert_eq!(search.header("cache-control"), "private, max-age=300");
    assert_eq!(search.header("content-type"), "application/json");
    assert_eq!(server.get("/release?limit=x").header("cache-control"), "no-store");
}

#[test]
fn head_is_get_without_a_body() {
    let server = Server::over_sample();
    for target in ["/release?limit=2", "/emission", "/meta", "/", "/health/ready", "/release?x"] {
        let (get, head) = (server.get(target), server.send("HEAD", target, &[]));
        assert_eq!(head.status, get.status, "{target}");
        assert_eq!(head.body, "", "{target}");
        for name in ["content-type", "content-length", "etag", "link", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{target} {name}");
        }
    }
}

#[test]
fn a_known_answer_is_not_sent_again() {
    let server = Server::over_sample();
    let first = server.get("/release?province=ON&province=qc&date_from=2016-03-01");
    let tag = first.header("etag");
    assert!(tag.starts_with("W/\""), "{tag}");
    let strong = tag.trim_start_matches("W/");
    let list = format!("\"x\", {tag}");
    let same = "/release?issued_after=2016&province=Quebec&province=Ontario&limit=25";
    for (target, if_none_match, status) in [
        (same, tag.as_str(), 304),
        (same, strong, 304),
        (same, &list, 304),
        (same, "*", 304),
        (same, "\"x\"", 200),
        ("/release", &tag, 200),
        ("/emission?province=ON&province=QC&issued_after=2016", &tag, 200),
        ("/release?limit=x", "*", 400),
    ] {
        let answer = server.send("GET", target, &[("if-none-match", if_none_match)]);
        assert_eq!(answer.status, status, "{target} {if_none_match}");
        if status == 304 {
            assert_eq!(answer.body, "");
            assert_eq!(answer.header("etag"), tag);
            assert_eq!(answer.header("cache-control"), "private, max-age=300");
            assert_eq!(answer.header("x-data-version"), first.header("x-data-version"));
        }
    }
}

#[test]
fn documents_are_validated_by_their_bytes() {
    let server = Server::over_sample();
    let mut tags = Vec::new();
    for (target, language) in [
        ("/openapi.json", "en"),
        ("/openapi.json", "fr"),
        ("/docs", "en"),
        ("/docs", "fr"),
        ("/docs/docs.css", ""),
        ("/docs/docs.js", ""),
    ] {
        let asked = ("accept-language", language);
        let first = server.send("GET", target, &[asked]);
        let tag = first.header("etag");
        let again = server.send("GET", target, &[asked, ("if-none-match", &tag)]);
        for answer in [&first, &again] {
            assert_eq!(answer.header("content-language"), language, "{target}");
            let vary = "Accept, Accept-Encoding, Accept-Language";
            assert_eq!(answer.header("vary"), vary, "{target}");
        }
        assert_eq!((first.status, again.status, again.body.as_str()), (200, 304, ""), "{target}");
        assert_eq!(again.header("etag"), tag, "{target}");
        assert_eq!(again.header("cache-control"), "no-cache", "{target}");
        tags.push(tag);
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 6);
}

#[test]
fn the_gateway_must_vouch_as_configured() {
    let hosts = || {
        let urls = ["https://api.example.org/npri", "http://localhost:8080"];
        urls.map(|url| HostName::of_base_url(url).unwrap()).to_vec()
    };
    let server = Server::start(|settings| settings.host_names = hosts(), Some(sample()));
    let key = ("x-gateway-key", server.keys.active.as_str());
    for (host, status) in [
        ("api.example.org", 200),
        ("API.Example.ORG.", 200),
        ("api.example.org:8443", 200),
        ("localhost", 200),
        ("[localhost]", 403),
        ("example.org", 403),
        ("api.example.org.evil.test", 403),
        ("https://api.example.org", 403),
        ("", 403),
    ] {
        let answer = server.send_bare("GET", "/release", &[key, ("x-gateway-host", host)]);
        assert_eq!(answer.status, status, "{host:?}");
    }
    let secret = |settings: &mut outfall_server::Settings| {
        settings.gateway_secret = Some(GatewaySecret::new("the gateway itself"));
    };
    let server = Server::start(secret, Some(sample()));
    for (secrets, code) in [
        (&["the gateway itself"][..], None),
        (&["the gateway itsel"], Some("gateway-secret-mismatch")),
        (&[], Some("gateway-secret-mismatch")),
        (&["the gateway itself"; 2], Some("gateway-secret-mismatch")),
    ] {
        let headers: Vec<_> = secrets.iter().map(|secret| ("x-gateway-secret", *secret)).collect();
        let answer = server.send("GET", "/release?limit=0", &headers);
        let status = if code.is_some() { 403 } else { 200 };
        assert_eq!(answer.status, status, "{secrets:?}");
        assert_eq!(answer.json()["code"].as_str(), code, "{secrets:?}");
    }
    let server = Server::start(|settings| settings.auth = Auth::Off, Some(sample()));
    assert_eq!(server.send_bare("GET", "/release", &[]).status, 200);
}

#[test]
fn a_key_that_used_up_its_burst_waits() {
    let limit = RateLimit { per_minute: 1, burst: 3 };
    let server = Server::start(|settings| settings.rate_limit = limit, Some(sample()));
    for remaining in [2, 1, 0] {
        let answer = server.get("/release?limit=0");
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit-policy"), "\"burst\";q=3;w=180");
        assert_eq!(answer.header("x-ratelimit-limit"), "3");
        assert_eq!(answer.header("x-ratelimit-remaining"), remaining.to_string());
        let reset = (3 - remaining) * 60;
        assert_eq!(answer.header("x-ratelimit-reset"), reset.to_string());
        assert_eq!(answer.header("ratelimit"), format!("\"burst\";r={remaining};t={reset}"));
    }
    let refused = server.get("/emission");
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["code"], "rate-limited");
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(refused.header("ratelimit"), format!("\"burst\";r=0;t={wait}"));
    assert_eq!(server.get("/health/live").status, 200);
    assert_eq!(server.get("/meta").status, 200);
}

#[test]
fn who_comes_too_often_without_a_good_key_is_told_so_and_locks_nobody_out() {
    let few = RateLimit { per_minute: 1, burst: 3 };
    let server = Server::start(|settings| settings.failed_attempts = few, Some(sample()));
    let wrong = [("x-gateway-host", "localhost"), ("x-gateway-key", "prk_0000000000000000")];
    for status in [401, 401, 401, 429, 429] {
        let answer = server.send_bare("GET", "/release", &wrong);
        assert_eq!(answer.status, status, "{}", answer.body);
        if status == 429 {
            assert_eq!(answer.json()["code"], "too-many-attempts");
            let wait: u64 = answer.header("retry-after").parse().unwrap();
            assert!((1..=60).contains(&wait), "{wait}");
        }
    }
    assert_eq!(server.send_bare("GET", "/release", &[]).status, 429);
    assert_eq!(server.get("/release").status, 200, "a good key from the same address");
}

#[test]
fn the_key_that_everybody_has_is_a_key_only_where_it_is_wanted_and_only_so_often() {
    let demo = [("x-gateway-host", "localhost"), ("x-gateway-key", "DEMO_KEY")];
    let server = Server::start(|settings| settings.demo_key = 2, Some(sample()));
    for (status, remaining) in [(200, 1), (200, 0), (429, 0)] {
        let answer = server.send_bare("GET", "/release?q=mercury", &demo);
        assert_eq!(answer.status, status, "{}", answer.body);
        assert_eq!(answer.header("ratelimit-policy"), "\"burst\";q=2;w=3600");
        assert_eq!(answer.header("x-ratelimit-remaining"), remaining.to_string());
    }
    assert_eq!(server.get("/release").status, 200, "a key of one's own from the same address");
    let nearly = [("x-gateway-host", "localhost"), ("x-gateway-key", "DEMO_KEYS")];
    let elsewhere = [("x-gateway-host", "elsewhere"), ("x-gateway-key", "DEMO_KEY")];
    assert_eq!(server.send_bare("GET", "/release", &nearly).status, 401);
    assert_eq!(server.send_bare("GET", "/release", &elsewhere).status, 403);
    let without = Server::over_sample().send_bare("GET", "/release", &demo);
    assert_eq!((without.status, &without.json()["code"]), (401, &"key-unknown".into()));
}

#[test]
fn without_a_limit_nothing_is_told_of_one() {
    let server = Server::over_sample();
    let answer = server.get("/release?limit=0");
    assert_eq!(answer.header("ratelimit"), "");
    assert_eq!(answer.header("x-ratelimit-limit"), "");
}

#[test]
fn a_sane_request_id_is_kept() {
    let server = Server::over_sample();
    let longest = "a".repeat(64);
    let too_long = "a".repeat(65);
    let amazon = "Root=1-67891233-abcdef012345678912345678;Self=1";
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let key = server.keys.active.as_str();
    let (with_key, too_long_with_key) = (format!("id-{key}"), format!("{}{key}", &longest[..30]));
    for (given, expected) in [
        ("abc-123", Some("abc-123")),
        (amazon, Some(amazon)),
        (trace, Some(trace)),
        (&longest, Some(&longest)),
        (&too_long, Some(&longest)),
        ("two words", None),
        ("", None),
        ("é", None),
        ("a\"b", None),
        ("{a}", None),
        (key, None),
        ("prk_", None),
        (&with_key, None),
        (&too_long_with_key, None),
        ("a-key-of-another-form", None),
        ("id:a-key-of-another-form:", None),
        ("the-secret", None),
    ] {
        let answer = server.send_bare(
            "GET",
            "/nowhere",
            &[
                ("x-request-id", given),
                ("x-gateway-key", "a-key-of-another-form"),
                ("x-gateway-secret", "the-secret"),
            ],
        );
        let id = answer.header("x-request-id");
        let is_new = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(expected.map_or(is_new, |expected| id == expected), "{given:?} became {id:?}");
        assert_eq!(answer.json()["request_id"], id.as_str());
    }
    let new = || server.send_bare("GET", "/", &[]).header("x-request-id");
    assert_ne!(new(), new());
}

#[test]
fn a_browser_may_ask() {
    let server = Server::over_sample();
    let preflight = [
        ("origin", "https://newsroom.example"),
        ("access-control-request-method", "GET"),
        ("access-control-request-headers", "x-gateway-key"),
    ];
    let answer = server.send_bare("OPTIONS", "/release", &preflight);
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert!(answer.header("access-control-allow-headers").contains("x-gateway-key"));
    assert!(server.get("/release").header("access-control-expose-headers").contains("link"));
    assert_eq!(server.send_bare("OPTIONS", "/release", &[]).status, 405);
}
