//! The explorer's page, its files, and the pass by which it asks without a key.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::path::Path;

use outfall_server::{Auth, GatewaySecret, HostName, Settings};
use support::{Answer, Server, sample};

const HTML: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

fn start(change: impl FnOnce(&mut Settings)) -> Server {
    let with_page = |settings: &mut Settings| {
        settings.explorer = 1200;
        change(settings);
    };
    Server::start(with_page, Some(sample()))
}

/// The cookie that the page sets, as a browser sends it back.
fn pass(server: &Server) -> String {
    let page = server.send_bare("GET", "/", &[HTML]);
    page.header("set-cookie").split(';').next().unwrap().to_owned()
}

fn get(server: &Server, target: &str, headers: &[(&str, &str)]) -> Answer {
    server.send_bare("GET", target, headers)
}

#[test]
fn browsers_get_the_page_and_programs_the_list() {
    let server = start(|_| ());
    for (accept, language, target, expected) in [
        ("text/html,*/*;q=0.8", "en", "/", "<html lang=\"en\""),
        ("text/html,*/*;q=0.8", "fr-CA,fr;q=0.9", "/", "<html lang=\"fr\""),
        ("text/html", "fr", "/?q=mercury&lang=en", "<html lang=\"en\""),
        ("text/html", "en", "/?lang=fr", "<html lang=\"fr\""),
        ("text/html", "en", "/facility/983", "<html lang=\"en\""),
        ("text/html", "en", "/substance/7439-97-6", "<html lang=\"en\""),
        ("*/*", "en", "/", "{\"service\""),
        ("application/json", "en", "/", "{\"service\""),
        ("application/json,text/html;q=0.9", "en", "/", "{\"service\""),
        ("*/*", "en", "/facility/983", "{\"type\":\"/problems/not-found\""),
    ] {
        let answer = get(&server, target, &[("accept", accept), ("accept-language", language)]);
        assert!(answer.body.contains(expected), "{accept} {target}: {}", answer.body);
        let is_page = expected.starts_with("<html");
        assert_eq!(answer.header("set-cookie").is_empty(), !is_page, "{accept} {target}");
        assert!(answer.header("vary").contains("Accept"), "{accept} {target}");
    }
}

#[test]
fn without_the_setting_there_is_no_page() {
    let server = Server::over_sample();
    assert!(get(&server, "/", &[HTML]).body.starts_with("{\"service\""));
    for target in ["/explorer/explorer.js", "/explorer/map.json", "/facility/983"] {
        assert_eq!(get(&server, target, &[HTML]).status, 404, "{target}");
    }
}

#[test]
fn the_page_and_its_files_are_revalidated_compressed_and_restricted() {
    let server = start(|_| ());
    let css = "text/css; charset=utf-8";
    let script = "text/javascript; charset=utf-8";
    for (target, media_type, most) in [
        ("/", "text/html; charset=utf-8", 6_000),
        ("/explorer/explorer.css", css, 8_000),
        ("/explorer/explorer.js", script, 65_000),
        ("/explorer/map.json", "application/json", 27_000),
    ] {
        let gzip = [HTML, ("accept-encoding", "gzip")];
        let (status, headers, body) = server.send_for_bytes("GET", target, &gzip);
        assert_eq!((status, headers["content-type"].to_str().unwrap()), (200, media_type));
        assert_eq!(headers["content-encoding"], "gzip", "{target}");
        assert!(body.len() <= most, "{target} has {} bytes, compressed", body.len());
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("require-trusted-types-for 'script'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        let tag = headers["etag"].to_str().unwrap();
        let again = get(&server, target, &[HTML, ("if-none-match", tag)]);
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{target}");
    }
    let page = get(&server, "/", &[HTML]).body;
    assert!(page.contains("data-access=\"key\""), "{page}");
    for forbidden in ["{{", "style=", "onclick", "http:", "https:"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn the_pass_asks_as_a_key_does_and_nobody_else_can_use_it() {
    let server = start(|_| ());
    let pass = pass(&server);
    let port = server.address().port();
    let [own, rebound] = ["127.0.0.1", "rebound.example"].map(|host| format!("{host}:{port}"));
    let [same, other] = [format!("http://{own}"), "http://other.example".to_owned()];
    let forged = format!("{}0", &pass[..pass.len() - 1]);
    let other_port = "http://127.0.0.1:1";
    let among_others = format!("a=b; {pass}; c");
    let (origin, cookie) = ("origin", "cookie");
    for (status, headers) in [
        (200, vec![(cookie, &*pass)]),
        (200, vec![(cookie, &*among_others)]),
        (200, vec![(cookie, &pass), (origin, &same)]),
        (401, vec![(cookie, &pass), (origin, &other)]),
        (401, vec![(cookie, &pass), (origin, other_port)]),
        (401, vec![(cookie, &pass), (origin, "null")]),
        (401, vec![(cookie, &pass), ("host", &rebound)]),
        (401, vec![(cookie, "outfall_page=1.2")]),
        (401, vec![]),
        // A key counts before the pass.
        (401, vec![(cookie, &pass), ("x-gateway-key", "prk_0123456789")]),
    ] {
        let answer = get(&server, "/release?limit=1", &headers);
        assert_eq!(answer.status, status, "{headers:?}: {}", answer.body);
        // Without this, a page of another origin cannot read what was sent with cookies.
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
    if !forged.ends_with(&pass) {
        assert_eq!(get(&server, "/release", &[(cookie, &forged)]).status, 401);
    }
    let csv = get(&server, "/release?limit=1&format=csv", &[(cookie, &pass)]);
    assert!(csv.body.starts_with("\u{feff}record_id,"), "{}", csv.body);
    let attributes = get(&server, "/", &[HTML]).header("set-cookie");
    for attribute in ["; Path=/", "; HttpOnly", "; SameSite=Strict"] {
        assert!(attributes.contains(attribute), "{attributes}");
    }
    assert!(!attributes.contains("Secure"), "{attributes}");
    let secure = get(&server, "/", &[HTML, ("x-forwarded-proto", "https")]).header("set-cookie");
    assert!(secure.ends_with("; Secure"), "{secure}");
}

#[test]
fn a_page_at_an_unknown_host_could_not_ask_so_there_is_none() {
    let server = start(|settings| settings.host_names = vec![HostName::parse("a.org").unwrap()]);
    assert!(get(&server, "/", &[HTML]).body.starts_with("{\"service\""));
    assert!(get(&server, "/", &[HTML, ("host", "a.org")]).body.contains("<html"));
    let open = start(|settings| settings.auth = Auth::Off);
    assert!(get(&open, "/", &[HTML, ("host", "b.org")]).body.contains("data-access=\"open\""));
}

#[test]
fn requests_of_the_page_are_limited_by_address() {
    let server = start(|settings| {
        settings.explorer = 2;
        settings.gateway_secret = Some(GatewaySecret::new("canary"));
    });
    let pass = pass(&server);
    let of = |address| {
        let (name, secret) = ("x-forwarded-for", ("x-gateway-secret", "canary"));
        get(&server, "/release?limit=0", &[("cookie", &pass), secret, (name, address)])
    };
    for (address, status) in [
        ("192.0.2.1", 200),
        ("192.0.2.1", 200),
        ("192.0.2.1", 429),
        // A gateway puts the address last, whatever the browser wrote before it.
        ("192.0.2.2, 192.0.2.1", 429),
        ("192.0.2.1, 192.0.2.2", 200),
    ] {
        let answer = of(address);
        assert_eq!(answer.status, status, "{address}: {}", answer.body);
        assert_eq!(answer.header("retry-after").is_empty(), status == 200, "{address}");
    }
    let bare = get(&server, "/release", &[("cookie", &pass)]);
    assert!(bare.body.contains("gateway-secret-mismatch"), "{}", bare.body);
    // The bucket of a key is another one.
    let key = ("x-gateway-secret", "canary");
    assert_eq!(server.send("GET", "/release?limit=0", &[key]).status, 200);
}

#[test]
fn the_page_adds_little_to_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/explorer");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
    let bytes: u64 = files.sum();
    assert!((100_000..=300_000).contains(&bytes), "{bytes} bytes");
}
