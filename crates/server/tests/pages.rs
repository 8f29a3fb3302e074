//! Every way through a list gives the same records in the same order.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::{Answer, Server};

const LISTS: [&str; 10] = [
    "/release?",
    "/emission?",
    "/release?sort_order=asc",
    "/release?sort_by=value",
    "/release?sort_by=value&sort_order=asc&value_unit=kg",
    "/release?sort_by=value&value_unit=g_teq",
    "/release?q=sulphur+OR+mercury&sort_by=relevance",
    "/release?q=-mercury&province=ON&province=Qu%C3%A9bec",
    "/emission?sort_by=value&date_from=2018",
    "/emission?q=%22no+such+words%22",
];

/// The most pages that a walk of a test takes.
const MAX_PAGES: usize = 40;

/// The reference of the `Link` header, made absolute as RFC 3986 says.
fn link(answer: &Answer, path: &str) -> Option<String> {
    let link = answer.header("link");
    let reference = link.strip_prefix('<')?.strip_suffix(">; rel=\"next\"")?;
    assert!(reference.starts_with('?'), "{link}");
    Some(format!("{path}{reference}"))
}

#[test]
fn cursor_link_and_offset_walk_the_same_way() {
    let server = Server::over_sample();
    for list in LISTS {
        let (path, _) = list.split_once('?').unwrap();
        let first = server.get(&format!("{list}&limit=0"));
        let total = usize::try_from(first.count()).unwrap();
        let limit = (total / 20 + 1).min(1000);
        let mut by_cursor = Vec::new();
        let mut target = format!("{list}&limit={limit}");
        for page in 0..MAX_PAGES {
            let answer = server.get(&target);
            assert_eq!(answer.status, 200, "{target}: {}", answer.body);
            let json = answer.json();
            assert_eq!(json["count"], total, "{target}");
            assert_eq!(json["offset"], page * limit, "{target}");
            let by_offset = server.get(&format!("{list}&limit={limit}&offset={}", page * limit));
            assert_eq!(by_offset.ids(), answer.ids(), "{target}");
            by_cursor.extend(answer.ids());
            let next = link(&answer, path);
            assert_eq!(next.is_none(), json["next_cursor"].is_null(), "{target}");
            let Some(next) = next else { break };
            let cursor = json["next_cursor"].as_str().unwrap();
            assert!(next.ends_with(&format!("&cursor={cursor}")), "{next}");
            assert_eq!(
                server.get(&next).body,
                server.get(&format!("{list}&limit={limit}&cursor={cursor}")).body
            );
            target = next;
        }
        assert_eq!(by_cursor.len(), total, "{list}");
        let mut distinct = by_cursor.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), total, "{list}");
    }
}

#[test]
fn a_page_can_be_of_any_size() {
    let server = Server::over_sample();
    let total = server.get("/emission?limit=0").count();
    for (target, expected) in [
        ("/emission?limit=0".to_owned(), 0),
        ("/emission?limit=1".to_owned(), 1),
        ("/emission".to_owned(), total.min(25)),
        ("/emission?limit=1000".to_owned(), total.min(1000)),
        (format!("/emission?offset={total}"), 0),
        (format!("/emission?offset={}", total - 1), 1),
        ("/emission?offset=100000".to_owned(), 0),
    ] {
        let answer = server.get(&target);
        assert_eq!(answer.ids().len() as u64, expected, "{target}");
        assert_eq!(answer.count(), total, "{target}");
        let is_last =
            expected == 0 || answer.json()["offset"].as_u64().unwrap() + expected == total;
        assert_eq!(answer.json()["next_cursor"].is_null(), is_last, "{target}");
    }
}

#[test]
fn the_limit_may_change_between_pages_and_a_zero_offset_beside_a_cursor_passes() {
    let server = Server::over_sample();
    let whole = server.get("/release?limit=10").ids();
    let first = server.get("/release?limit=3");
    let cursor = first.json()["next_cursor"].as_str().unwrap().to_owned();
    let second = server.get(&format!("/release?limit=7&offset=0&cursor={cursor}"));
    assert_eq!([first.ids(), second.ids()].concat(), whole);
    assert_eq!(second.json()["offset"], 3);
}
