//! Every problem code, with its status, headers and body.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use outfall_api::{PARAMETER_CODES, PROBLEM_CODES};
use outfall_records::DatasetInfo;
use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
use serde_json::Value;
use support::{Answer, Server};

/// Requests with one bad parameter, or with two that do not fit together, by the code of their
/// fault.
const PARAMETERS: [(&str, &[&str]); 10] = [
    (
        "invalid-value",
        &[
            "/release?province=ZZ",
            "/emission?province=Ontari",
            "/release?province=%FF",
            "/release?province=Ontario,Quebec",
            "/release?province=ON%3B+qc%3B+AB",
            "/release?province=Ontario,Narnia",
            "/release?naics_code=2",
            "/release?naics_code=1234567",
            "/release?naics_code=31-32",
            "/release?naics_code=paper",
            "/release?substance=--",
            "/release?medium=soil",
            "/emission?city=--",
            "/release?near=Toronto",
            "/release?near=43.68",
            "/emission?bbox=-80,43,-79",
            "/emission?bbox=-79,43,-80,44",
            "/release?near=0,0&within_km=far",
            "/release?company=%22%22",
            "/release?year=19",
            "/release?year=2010-2012-2014",
            "/release?value_min=abc",
            "/release?value_min=NaN",
            "/release?value_min=0x10",
            "/release?value_max=1e400",
            "/release?value_max=-inf",
            "/release?value_unit=pounds",
            "/release?issued_after=2023-02-29",
            "/release?issued_after=2021-13-01",
            "/release?date_before=2021-04-00",
            "/release?issued_after=23",
            "/release?date_to=2023-2-3",
            "/release?sort_by=name",
            "/release?sort_order=up",
            "/release?limit=ten",
            "/release?limit=2.5",
            "/release?offset=0x10",
            "/release?q=%C3%28",
            "/release?facets=provnce",
            "/release?facets=year,city",
            "/release?facets=year;province",
            "/emission?facets=substance,year",
            "/emission?facets=units",
            "/release?facets=facility*year",
            "/release?facets=year*year",
            "/release?facets=year*medium,province*year",
            "/release?facets=year*medium*units",
            "/emission?facets=year*medium",
            "/release?facet_sort=avg",
            "/release?facet_limit=many",
        ],
    ),
    (
        "out-of-range",
        &[
            "/release?limit=1001",
            "/release?limit=-1",
            "/release?limit=99999999999999999999",
            "/release?offset=100001",
            "/release?offset=-5",
            "/release?near=91,0",
            "/release?near=0,0&within_km=0",
            "/emission?near=0,0&within_km=500.1",
            "/release?bbox=-200,43,-79,44",
            "/release?facets=year&facet_limit=1001",
            "/release?facet_limit=-1",
            "/release?record_id=LONG",
            "/release?substance=LONG",
        ],
    ),
    (
        "unknown-parameter",
        &[
            "/release?provnce=ON",
            "/release?Limit=5",
            "/release?date-from=2014",
            "/release?colour=",
            "/emission?substence=lead",
            "/release?%FF=1",
            "/release?q[]=lead",
            "/release?facility=Suncor",
            "/emission?facility_name=Suncor",
            "/release?gas=methane",
            "/emission?gas=methane",
            "/emission?units=tonnes",
        ],
    ),
    (
        "parameter-not-applicable",
        &["/emission?substance=lead", "/emission?value_unit=kg", "/emission?medium=air"],
    ),
    (
        "repeated-parameter",
        &[
            "/release?limit=5&limit=5",
            "/release?facets=year&facets=province",
            "/release?near=43,-79&near=44,-79",
            "/release?bbox=-80,43,-79,44&bbox=-80,43,-79,45",
            "/release?q=lead&q=zinc",
            "/release?issued_after=2014&issued_after=2014",
            "/release?sort_by=date&sort_by=value&sort_by=value",
        ],
    ),
    (
        "conflicting-parameters",
        &[
            "/release?issued_after=2014&date_from=2015",
            "/release?date_to=2014&date_before=2014-05-01&issued_before=2013",
            "/release?sort_by=relevance",
            "/release?within_km=5",
            "/release?sort_by=relevance&q=%21%21%21",
            "/release?cursor=CURSOR&offset=5",
            "/release?cursor=CURSOR&format=csv",
            "/release?facets=year&format=csv",
            "/emission?facets=year,province&facet_limit=3&format=ndjson",
            "/release?facets=year&cursor=CURSOR&format=geojson",
            "/release?facets=year&cursor=CURSOR&format=parquet",
        ],
    ),
    (
        "empty-range",
        &[
            "/release?value_min=2&value_max=1.5",
            "/release?issued_after=2015&issued_before=2014",
            "/release?year=2020-2010",
            "/release?bbox=-80,44,-79,43",
            "/release?date_from=2014-05-02&date_to=2014-05-01",
        ],
    ),
    ("query-too-complex", &["/release?q=LONGQ", "/release?q=MANY", "/release?q=PHRASES"]),
    (
        "invalid-cursor",
        &["/release?cursor=xyz", "/release?cursor=CURSORA", "/emission?cursor=LONG"],
    ),
    (
        "cursor-mismatch",
        &[
            "/release?cursor=CURSOR&province=ON",
            "/release?cursor=CURSOR&sort_by=value&q=lead",
            "/emission?cursor=CURSOR",
        ],
    ),
];

/// Requests with several problems at once, none of which hides another.
const TOGETHER: [&str; 6] = [
    "/release?limit=5000&provnce=ON",
    "/release?province=ZZ&province=ON&province=YY&naics_code=x&value_min=y&issued_after=z",
    "/release?sort_by=relevance&sort_order=up&cursor=xyz&offset=7&limit=-1",
    "/release?cursor=CURSOR&province=ZZ&sort_by=value",
    "/release?q=LONGQ&sort_by=relevance",
    "/emission?substance=lead&substance=&value_unit=&limit=1&limit=2",
];

const IN_FRENCH: [(&str, &str); 1] = [("accept-language", "fr-CA, en;q=0.5")];

/// Asserts that both are the same problem: every text for people differs, and nothing else.
fn assert_twins(english: &Value, french: &Value) {
    let texts = |problem: &Value| {
        let errors = problem["errors"].as_array().cloned().unwrap_or_default();
        let own = [problem["title"].clone(), problem["detail"].clone()];
        own.into_iter().chain(errors.into_iter().map(|error| error["detail"].clone()))
    };
    for (english, french) in texts(english).zip(texts(french)) {
        assert_ne!(english, french);
    }
    let bare = |problem: &Value| {
        let mut bare = problem.clone();
        bare["title"].take();
        bare["detail"].take();
        for error in bare["errors"].as_array_mut().into_iter().flatten() {
            error["detail"].take();
        }
        bare
    };
    assert_eq!(bare(english), bare(french));
}

/// Replaces placeholders by values that are too long to write out, or that the server gives.
fn filled(server: &Server, target: &str) -> String {
    let cursor = || {
        let next = server.get("/release?limit=1").json()["next_cursor"].clone();
        next.as_str().unwrap().to_owned()
    };
    if target.contains("CURSOR") {
        return target.replace("CURSOR", &cursor());
    }
    target
        .replace("LONGQ", &"a".repeat(513))
        .replace("LONG", &"é".repeat(257).replace('é', "%C3%A9"))
        .replace("MANY", &vec!["a"; 33].join("+"))
        .replace("PHRASES", &vec!["a-b"; 17].join("+"))
}

/// The answer as text, with `CURSOR` for a cursor, which changes with the sample.
fn shown(answer: &Answer, target: &str) -> String {
    let mut shown = answer.shown();
    if let Some((_, cursor)) = target.split_once("cursor=") {
        let cursor: String =
            cursor.chars().take_while(|character| *character != '&').take(100).collect();
        if cursor.len() > 60 {
            shown = shown.replace(&cursor, "CURSOR");
        }
    }
    shown
}

fn codes(answer: &Answer) -> BTreeSet<String> {
    let json = answer.json();
    let entries = json["errors"].as_array().into_iter().flatten();
    let codes = entries.map(|entry| entry["code"].as_str().unwrap().to_owned());
    codes.collect()
}

#[test]
fn every_fault_of_a_parameter_is_told() {
    let server = Server::over_sample();
    for (code, targets) in PARAMETERS {
        let (mut all, mut french) = (String::new(), String::new());
        for target in targets {
            let filled = filled(&server, target);
            let answer = server.get(&filled);
            assert_eq!(answer.status, 400, "{target}");
            assert_eq!(codes(&answer), BTreeSet::from([code.to_owned()]), "{target}");
            all += &format!("GET {target}\n{}\n\n", shown(&answer, &filled));
            let twin = server.send("GET", &filled, &IN_FRENCH);
            assert_twins(&answer.json(), &twin.json());
            let details = twin.json()["errors"].as_array().unwrap().clone();
            let details = details.iter().map(|error| error["detail"].as_str().unwrap().to_owned());
            french += &format!("GET {target}\n{}\n\n", details.collect::<Vec<_>>().join("\n"));
        }
        insta::assert_snapshot!(code, all);
        insta::assert_snapshot!(format!("{code}-fr"), french);
    }
    assert_eq!(PARAMETERS.map(|(code, _)| code), PARAMETER_CODES);
}

#[test]
fn all_problems_of_a_request_are_told_at_once() {
    let server = Server::over_sample();
    let mut all = String::new();
    for target in TOGETHER {
        let filled = filled(&server, target);
        all += &format!("GET {target}\n{}\n\n", shown(&server.get(&filled), &filled));
    }
    insta::assert_snapshot!("together", all);
}

#[test]
fn a_small_request_cannot_ask_for_a_large_answer() {
    let server = Server::over_sample();
    let target = format!("/release?{}", vec!["x"; 2000].join("&"));
    let answer = server.get(&target);
    assert_eq!(answer.json()["detail"], "2000 parameters are not valid.");
    assert_eq!(answer.json()["errors"].as_array().unwrap().len(), 100);
    let long = server.get(&format!("/release?limit={}", "9".repeat(200)));
    let value = long.json()["errors"][0]["value"].clone();
    assert_eq!(value.as_str().unwrap(), format!("{}…", "9".repeat(100)));
}

/// How long a failing backend may take.
const DEADLINE: Duration = Duration::from_millis(50);

/// Fails in every way that a backend can.
struct Failing(DatasetInfo);

impl SearchBackend for Failing {
    fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
        match request.page.limit {
            1 => panic!("a secret of the inside"),
            2 => Err(SearchError::Engine("a secret of the inside".to_owned())),
            _ => {
                let rest = request.deadline.unwrap() - Instant::now();
                assert!(rest <= DEADLINE);
                std::thread::sleep(rest);
                Err(SearchError::TimedOut)
            }
        }
    }

    fn dataset(&self) -> &DatasetInfo {
        &self.0
    }
}

#[test]
fn a_failing_search_fails_alone() {
    let failing: Arc<dyn SearchBackend> = Arc::new(Failing(DatasetInfo::default()));
    let server = Server::start(|settings| settings.search_deadline = DEADLINE, Some(failing));
    let mut all = String::new();
    for target in ["/release?limit=1", "/emission?limit=2", "/release?limit=3"] {
        let answer = server.get(target);
        assert!(!answer.body.contains("secret"), "{}", answer.body);
        all += &format!("GET {target}\n{}\n\n", answer.shown());
    }
    insta::assert_snapshot!("failing", all);
    let known = server.send("GET", "/release?limit=1", &[("if-none-match", "*")]);
    assert_eq!(known.status, 304, "a known answer needs no search");
    assert_eq!(server.get("/health/live").status, 200);
}

type Headers<'a> = &'a [(&'a str, &'a str)];

#[test]
fn every_other_problem_is_told() {
    let server = Server::over_sample();
    let key = server.keys.active.clone();
    let disabled = server.keys.disabled.clone();
    let expired = server.keys.expired.clone();
    let host = ("x-gateway-host", "localhost");
    let key = ("x-gateway-key", key.as_str());
    let id = ("x-request-id", "test");
    let long_target = format!("/release?q={}", "a".repeat(8200));
    let long_header = "a".repeat(17_000);
    let many: Vec<(String, String)> =
        (0..70).map(|number| (format!("x-{number}"), "a".to_owned())).collect();
    let mut many: Vec<(&str, &str)> =
        many.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    many.push(id);
    let cases: [(&str, &str, &str, Headers<'_>); 24] = [
        ("no headers", "GET", "/release", &[id]),
        ("no key", "GET", "/emission", &[id, host]),
        ("key doubled", "GET", "/release", &[id, host, key, key]),
        ("key too short", "GET", "/release", &[id, host, ("x-gateway-key", "short")]),
        (
            "key not ASCII",
            "GET",
            "/release",
            &[id, host, ("x-gateway-key", "prk_clé_clé_clé_clé_clé")],
        ),
        ("key unknown", "GET", "/release", &[id, host, ("x-gateway-key", "prk_0000000000000000")]),
        (
            "key unknown, host wrong",
            "GET",
            "/release",
            &[id, ("x-gateway-key", "prk_0000000000000000")],
        ),
        ("key in the query", "GET", "/release?x-gateway-key=prk_0000000000000000", &[id, host]),
        ("key disabled", "GET", "/release", &[id, host, ("x-gateway-key", &disabled)]),
        ("key expired", "GET", "/release", &[id, host, ("x-gateway-key", &expired)]),
        ("no host", "GET", "/release", &[id, key]),
        ("host doubled", "GET", "/release", &[id, key, host, host]),
        ("other host", "GET", "/release", &[id, key, ("x-gateway-host", "example.org")]),
        ("host with a path", "GET", "/release", &[id, key, ("x-gateway-host", "localhost/x")]),
        ("unknown path", "GET", "/search", &[id, key, host]),
        ("path in the plural", "GET", "/releases", &[id, key, host]),
        ("path with a version", "GET", "/v1/release?limit=3", &[id, key, host]),
        ("trailing slash", "GET", "/release/", &[id, key, host]),
        ("path in capitals", "GET", "/Release", &[id, key, host]),
        ("POST", "POST", "/release", &[id, key, host]),
        ("DELETE", "DELETE", "/health/live", &[id]),
        ("long target", "GET", &long_target, &[id, key, host]),
        ("long header", "GET", "/release", &[id, ("x-long", &long_header)]),
        ("many headers", "GET", "/release", &many),
    ];
    let (mut all, mut french) = (String::new(), String::new());
    let mut seen = BTreeSet::new();
    for (name, method, target, headers) in cases {
        let answer = server.send_bare(method, target, headers);
        seen.insert(answer.json()["code"].as_str().unwrap().to_owned());
        all += &format!("{name}\n{}\n\n", answer.shown());
        let twin = server.send_bare(method, target, &[headers, &IN_FRENCH].concat());
        assert_twins(&answer.json(), &twin.json());
        assert_eq!(twin.header("content-language"), "fr", "{name}");
        french += &format!("{name}\n{}\n\n", twin.body);
    }
    let without_index = Server::start(|_| {}, None);
    for target in ["/release", "/meta", "/health/ready"] {
        let answer = without_index.get(target);
        seen.insert(answer.json()["code"].as_str().unwrap().to_owned());
        all += &format!("no index, {target}\n{}\n\n", answer.shown());
    }
    insta::assert_snapshot!("others", all);
    insta::assert_snapshot!("others-fr", french);
    let elsewhere = [
        "invalid-parameter",
        "invalid-request",
        "gateway-secret-mismatch",
        "rate-limited",
        "too-many-exports",
        "overloaded",
        "engine-unavailable",
        "too-many-at-once",
        "too-many-attempts",
        "timed-out",
        "internal-error",
    ];
    seen.extend(elsewhere.map(str::to_owned));
    assert_eq!(seen, PROBLEM_CODES.map(str::to_owned).into());
}

#[test]
fn what_was_meant_is_told_in_both_languages() {
    let server = Server::over_sample();
    for (query, expected) in [
        ("provnce=ON", Some("province")),
        ("naics=31", Some("naics_code")),
        ("scian=31", Some("naics_code")),
        ("limite=5", Some("limit")),
        ("page=2", Some("offset")),
        ("année=2014", Some("year")),
        ("yaer=2014", Some("year")),
        ("recherche=plomb", Some("q")),
        ("colour=red", None),
        ("province=Ontari", Some("Ontario")),
        ("province=Quebek", Some("Quebec")),
        ("province=Qu%C3%A9bek", Some("Québec")),
        ("province=Colombie-Britanique", Some("Colombie-Britannique")),
        ("province=nouvelle+ecose", Some("Nouvelle-Écosse")),
        ("province=Ile-du-Prince-Edward", Some("Île-du-Prince-Édouard")),
        ("province=New+Brunswik", Some("New Brunswick")),
        ("province=Narnia", None),
        ("sort_order=descending", Some("desc")),
        ("sort_by=quantity", Some("value")),
        ("sort_by=Amount", Some("value")),
        ("sort_by=year", Some("date")),
        ("sort_by=newest", Some("date")),
        ("from=2014", Some("issued_after")),
        ("until=2014", Some("issued_before")),
        ("facility=Suncor", Some("facility_id")),
        ("gas=methane", Some("substance")),
        ("units=kg", Some("value_unit")),
        ("sector=31-33", Some("naics_code")),
        ("province=Ontario,Quebec", None),
    ] {
        let query = query.replace('é', "%C3%A9");
        let answer = server.send("GET", &format!("/release?{query}"), &IN_FRENCH);
        assert_eq!(answer.status, 400, "{query}");
        let meant = answer.json()["errors"][0]["did_you_mean"].clone();
        assert_eq!(meant.as_str(), expected, "{query}");
    }
}
