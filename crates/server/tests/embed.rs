//! Charts in frames on other sites: who may show them, and what their pass is good for.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use outfall_server::{Auth, HostName, Settings};
use support::{Answer, Server, sample};

const PAGE: &str = "/embed?q=mercury&province=ON&view=years";
const QUESTION: &str = "/release?q=mercury&province=ON&facets=year&limit=0";

fn start(change: impl FnOnce(&mut Settings)) -> Server {
    let with_embeds = |settings: &mut Settings| {
        settings.explorer = 1200;
        let origins = ["https://news.example", "http://localhost:3000"];
        settings.embed_origins = origins.map(|origin| origin.parse().unwrap()).to_vec();
        change(settings);
    };
    Server::start(with_embeds, Some(sample()))
}

fn get(server: &Server, target: &str, headers: &[(&str, &str)]) -> Answer {
    server.send_bare("GET", target, headers)
}

/// The pass in the page of a frame.
fn pass(server: &Server, target: &str) -> String {
    let page = get(server, target, &[]).body;
    page.split("data-pass=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[test]
fn the_page_of_a_frame_may_be_shown_by_the_named_sites_and_read_by_none() {
    let server = start(|_| ());
    for (target, language, expected) in
        [(PAGE, "en", "en"), (PAGE, "fr-CA", "fr"), ("/embed?lang=fr", "en", "fr")]
    {
        let page = get(&server, target, &[("accept-language", language)]);
        assert_eq!(page.status, 200, "{}", page.body);
        assert!(page.body.contains(&format!("<html lang=\"{expected}\" data-pass=\"")));
        assert!(!page.body.contains("{{"), "{}", page.body);
        assert_eq!(page.header("content-language"), expected);
        let policy = page.header("content-security-policy");
        let ancestors = "; frame-ancestors https://news.example http://localhost:3000";
        assert!(policy.ends_with(ancestors), "{policy}");
        assert!(policy.contains("require-trusted-types-for 'script'"), "{policy}");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("access-control-allow-origin"), "");
        assert_eq!(page.header("set-cookie"), "");
    }
    // The explorer itself is in no frame, and is what it was for those who read it.
    let html = ("accept", "text/html");
    let page = get(&server, "/", &[html]);
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert!(page.body.contains("data-embeds=\"yes\""), "{}", page.body);
    let without = start(|settings| settings.embed_origins.clear());
    assert!(get(&without, "/", &[html]).body.contains("data-embeds=\"no\""));
}

#[test]
fn there_are_no_frames_unless_the_operator_names_sites() {
    for change in [
        (|settings: &mut Settings| settings.embed_origins.clear()) as fn(&mut Settings),
        |settings| settings.explorer = 0,
        |settings| settings.host_names = vec![HostName::parse("a.org").unwrap()],
    ] {
        let server = start(change);
        let page = get(&server, PAGE, &[]);
        assert_eq!((page.status, page.body.contains("not-found")), (404, true), "{}", page.body);
    }
    let open = start(|settings| settings.auth = Auth::Off);
    assert_eq!(get(&open, PAGE, &[("host", "b.org")]).status, 200);
}

#[test]
fn the_pass_asks_its_question_for_numbers_and_nothing_else() {
    let server = start(|_| ());
    let pass = pass(&server, PAGE);
    let port = server.address().port();
    let [own, rebound] = ["127.0.0.1", "rebound.example"].map(|host| format!("{host}:{port}"));
    let same = format!("http://{own}");
    let name = "x-outfall-embed";
    let emission = QUESTION.replace("/release", "/emission");
    let records = QUESTION.replace("limit=0", "limit=10");
    let wider = "/release?q=mercury&facets=year&limit=0";
    let file = format!("{QUESTION}&format=csv");
    let as_cookie = format!("outfall_page={pass}");
    let given = (name, pass.as_str());
    for (status, target, headers) in [
        (200, QUESTION, vec![given]),
        (200, QUESTION, vec![given, ("origin", &same)]),
        (401, QUESTION, vec![]),
        (401, QUESTION, vec![given, given]),
        (401, QUESTION, vec![(name, "1.2")]),
        (401, QUESTION, vec![("cookie", &*as_cookie)]),
        (401, QUESTION, vec![given, ("origin", "https://news.example")]),
        (401, QUESTION, vec![given, ("origin", "null")]),
        (401, QUESTION, vec![given, ("host", &rebound)]),
        (401, QUESTION, vec![given, ("accept", "text/csv")]),
        (401, QUESTION, vec![given, ("x-gateway-key", "prk_0123456789")]),
        (401, &emission, vec![given]),
        (401, &records, vec![given]),
        (401, wider, vec![given]),
        (401, &file, vec![given]),
    ] {
        let answer = get(&server, target, &headers);
        assert_eq!(answer.status, status, "{target} {headers:?}: {}", answer.body);
    }
    let off = start(|settings| settings.embed_origins.clear());
    assert_eq!(get(&off, QUESTION, &[given]).status, 401);
}

#[test]
fn frames_and_the_explorer_share_the_limit_of_an_address() {
    let server = start(|settings| settings.explorer = 2);
    let pass = pass(&server, PAGE);
    let statuses: Vec<u16> =
        (0..3).map(|_| get(&server, QUESTION, &[("x-outfall-embed", &pass)]).status).collect();
    assert_eq!(statuses, [200, 200, 429]);
    let page = get(&server, "/", &[("accept", "text/html")]);
    let cookie = page.header("set-cookie").split(';').next().unwrap().to_owned();
    assert_eq!(get(&server, QUESTION, &[("cookie", &cookie)]).status, 429);
}
