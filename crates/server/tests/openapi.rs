//! The OpenAPI document describes the service: its examples work, and answers are as it says.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::Path;

use outfall_records::RecordKind;
use serde_json::Value;
use support::{Answer, Server};

fn described(server: &Server) -> Value {
    let answer = server.send_bare("GET", "/openapi.json", &[]);
    assert_eq!((answer.status, answer.header("content-type").as_str()), (200, "application/json"));
    answer.json()
}

/// The target of a `$ref`, or the value itself.
fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let Some(reference) = value["$ref"].as_str() else { return value };
    document.pointer(reference.trim_start_matches('#')).expect(reference)
}

/// The points at which `value` differs from `schema`. Objects may hold only what the schema names,
/// because the document must be complete.
fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = resolved(document, schema);
    let mut found = Vec::new();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        found.extend(faults(document, part, value, at));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = |named: &Value| named == kind || (named == "number" && kind == "integer");
    let is_right = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is_kind),
        only => is_kind(only),
    };
    if !is_right {
        found.push(format!("{at}: {kind}, not {}", schema["type"]));
    }
    let is_choice = schema["enum"].as_array().is_none_or(|choices| choices.contains(value));
    if !is_choice || schema.get("const").is_some_and(|constant| constant != value) {
        found.push(format!("{at}: {value} is no choice"));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
            found.push(format!("{at}: without {name}"));
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(document, &schema["items"], item, &format!("{at}/{index}")));
    }
    let others = &schema["additionalProperties"];
    for (name, part) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name).or(others.is_object().then_some(others)) {
            Some(schema) => found.extend(faults(document, schema, part, &format!("{at}/{name}"))),
            None if schema.get("allOf").is_some() || schema["type"] != "object" => {}
            None if schema.get("properties").is_none() => {}
            None => found.push(format!("{at}: {name} is not described")),
        }
    }
    found
}

/// Asserts that the document knows the answer's status, media type, headers and body.
fn assert_described(document: &Value, path: &str, answer: &Answer) {
    let status = answer.status.to_string();
    let known = &document["paths"][path]["get"]["responses"][&status];
    assert!(!known.is_null(), "{path} {status} is not described");
    let known = resolved(document, known);
    for name in known["headers"].as_object().unwrap().keys() {
        assert!(!document["components"]["headers"][name].is_null(), "{name}");
    }
    for name in ["retry-after", "www-authenticate", "etag", "link", "x-data-version"] {
        let names = known["headers"].as_object().unwrap().keys();
        let is_known = names.map(|header| header.to_lowercase()).any(|header| header == name);
        assert!(is_known || answer.header(name).is_empty(), "{path} {status} {name}");
    }
    if answer.body.is_empty() {
        assert!(known.get("content").is_none(), "{path} {status}");
        return;
    }
    let media_type = answer.header("content-type").replace("; charset=utf-8", "");
    let schema = &known["content"][&media_type]["schema"];
    assert!(!schema.is_null(), "{path} {status} {media_type} is not described");
    if schema["type"] != "string" {
        let found = faults(document, schema, &answer.json(), path);
        assert!(found.is_empty(), "{path} {status}: {found:#?}");
    }
}

#[test]
fn the_committed_document_is_the_one_that_is_served() {
    let server = Server::start(|_| {}, None);
    for (language, name) in [("en", "openapi.json"), ("fr", "openapi.fr.json")] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        let served = server.send_bare("GET", "/openapi.json", &[("accept-language", language)]);
        assert_eq!(served.header("content-language"), language);
        if std::env::var_os("OUTFALL_UPDATE").is_some() {
            std::fs::write(&path, &served.body).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let is_fresh = committed == served.body;
        assert!(is_fresh, "docs/{name} is stale: run the tests with OUTFALL_UPDATE=1");
    }
}

/// Texts for people that are the same in both languages: a name, and descriptions that are nothing
/// but codes.
fn is_same_in_both(text: &str) -> bool {
    text == "Outfall" || text.split('`').step_by(2).all(str::is_empty)
}

/// The points at which the two documents differ in anything but texts for people, or in which such
/// a text has no twin.
fn differences(english: &Value, french: &Value, at: &str) -> Vec<String> {
    let is_text = ["/description", "/summary", "/title"].iter().any(|end| at.ends_with(end));
    match (english, french) {
        (Value::String(english), Value::String(french)) if is_text => {
            let is_twin = (english != french) != is_same_in_both(english);
            if is_twin { vec![] } else { vec![format!("{at}: {english}")] }
        }
        (Value::Object(ours), Value::Object(theirs)) if ours.keys().eq(theirs.keys()) => {
            let members = ours.iter().zip(theirs.values());
            let differ =
                |((name, ours), theirs)| differences(ours, theirs, &format!("{at}/{name}"));
            members.flat_map(differ).collect()
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            let items = ours.iter().zip(theirs).enumerate();
            let differ =
                |(index, (ours, theirs))| differences(ours, theirs, &format!("{at}/{index}"));
            items.flat_map(differ).collect()
        }
        (english, french) if english == french => vec![],
        (english, french) => vec![format!("{at}: {english} and {french}")],
    }
}

#[test]
fn the_french_document_differs_in_every_text_and_in_nothing_else() {
    let server = Server::start(|_| {}, None);
    let [english, french] = ["en", "fr"].map(|language| {
        server.send_bare("GET", "/openapi.json", &[("accept-language", language)]).json()
    });
    let found = differences(&english, &french, "");
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(english, described(&server), "English is the default");
}

#[test]
fn the_french_reference_page_is_the_english_one_in_french() {
    let server = Server::start(|_| {}, None);
    let [english, french] = ["en", "fr-CA"]
        .map(|language| server.send_bare("GET", "/docs", &[("accept-language", language)]));
    assert_eq!(english.header("content-language"), "en");
    assert_eq!(french.header("content-language"), "fr");
    assert!(french.body.contains("<html lang=\"fr\""), "{}", french.body);
    let tags = |page: &str| {
        let tags = page.split('<').skip(1).filter_map(|tag| tag.split([' ', '>']).next());
        tags.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(tags(&english.body), tags(&french.body));
    for page in [&english, &french] {
        assert!(!page.body.contains("{{") && !page.body.contains("}}"), "{}", page.body);
    }
    for english in ["Skip", "Your", "Key <", "Language", "This page", "Contents"] {
        assert!(!french.body.contains(english), "{english}");
    }
}

#[test]
fn every_example_is_valid_by_itself() {
    let server = Server::over_sample();
    let document = described(&server);
    let mut sent = 0;
    for path in ["/release", "/emission"] {
        for parameter in document["paths"][path]["get"]["parameters"].as_array().unwrap() {
            let parameter = resolved(&document, parameter);
            let example = match &parameter["example"] {
                Value::Null => continue,
                Value::Array(examples) => examples,
                example => std::slice::from_ref(example),
            };
            let text =
                |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let value = example.iter().map(text).collect::<Vec<_>>().join(",");
            let name = parameter["name"].as_str().unwrap();
            let with = if name == "within_km" { "near=43.68,-79.77&" } else { "" };
            let target = format!("{path}?{with}{name}={}", value.replace(' ', "+"));
            let answer = server.get(&target);
            assert_eq!(answer.status, 200, "{target}: {}", answer.body);
            sent += 1;
        }
    }
    assert!(sent > 30, "{sent} examples");
}

#[test]
fn every_request_to_try_has_an_answer_that_leaves_nothing_out() {
    let server = Server::over_sample();
    let document = described(&server);
    for (path, least) in
        [("/release", 4), ("/emission", 4), ("/release/places", 2), ("/emission/places", 1)]
    {
        let examples = document["paths"][path]["get"]["x-examples"].as_array().unwrap();
        assert!(examples.len() >= least, "{path}");
        for example in examples {
            let target = format!("{path}?{}", example["query"].as_str().unwrap());
            let answer = server.get(&target);
            assert_eq!(answer.status, 200, "{target}: {}", answer.body);
            if target.contains("format=csv") {
                assert!(answer.body.lines().count() > 1, "{target}: {}", answer.body);
                continue;
            }
            let page = answer.json();
            assert!(answer.count() > 0, "{target}");
            for (facet, entries) in page["facets"].as_object().into_iter().flatten() {
                let counts = entries
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|entry| entry["count"].as_u64().unwrap());
                assert_eq!(counts.sum::<u64>(), answer.count(), "{target}: {facet}");
            }
        }
    }
}

/// The colour that a style sheet gives the variable `name`, in its part after `from`.
fn colour(css: &str, from: &str, name: &str) -> [f64; 3] {
    let (_, scheme) = css.split_once(from).unwrap();
    let (_, value) = scheme.split_once(&format!("--{name}: #")).unwrap();
    let digits = value.split(';').next().unwrap();
    let digits: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_owned(),
    };
    [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()) / 255.0)
}

/// The contrast of two colours, 1 to 21, as WCAG defines it.
fn contrast(colours: [[f64; 3]; 2]) -> f64 {
    let luminance = |colour: [f64; 3]| {
        let [red, green, blue] = colour.map(|part| match part {
            dark if dark <= 0.04045 => dark / 12.92,
            bright => ((bright + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let [one, other] = colours.map(luminance);
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn texts_and_borders_of_fields_stand_out_in_both_schemes() {
    let css = Server::start(|_| {}, None).send_bare("GET", "/docs/docs.css", &[]).body;
    let fields = css.split_once("}input,select,textarea{").unwrap().1.split('}').next().unwrap();
    assert!(fields.contains("border:1px solid var(--edge)"), "{fields}");
    for scheme in [":root{", "prefers-color-scheme:dark"] {
        // WCAG 2.2 AA: 3 for anything but text (1.4.11), 4.5 for text (1.4.3).
        for (name, least) in [
            ("edge", 3.0),
            ("soft", 4.5),
            ("ink", 4.5),
            ("accent", 4.5),
            ("accent-ink", 4.5),
            ("bad", 4.5),
        ] {
            for behind in ["paper", "tint"] {
                let found = contrast([name, behind].map(|name| colour(&css, scheme, name)));
                assert!(found >= least, "{scheme} {name} on {behind}: {found:.2}");
            }
        }
    }
}

#[test]
fn answers_are_as_described() {
    let server = Server::over_sample();
    let without_index = Server::start(|_| {}, None);
    let limited = Server::start(
        |settings| settings.rate_limit = outfall_server::RateLimit { per_minute: 1, burst: 1 },
        Some(support::sample()),
    );
    limited.get("/release?limit=0");
    let document = described(&server);
    for (path, query, server) in [
        ("/release", "?limit=1000", &server),
        ("/release", "?limit=3&sort_by=value&q=%22mercury", &server),
        ("/release", "?q=nothing+like+this", &server),
        ("/release", "?format=csv&limit=3", &server),
        ("/release", "?format=ndjson&limit=3", &server),
        ("/release", "?format=geojson", &server),
        ("/emission", "?format=geojson", &server),
        ("/release", "?limit=x&provnce=y", &server),
        ("/emission", "?limit=1000", &server),
        ("/emission", "?limit=1&offset=2&facets=province,naics_code,company", &server),
        ("/release", "?limit=0&facets=province,year,substance,medium,units,facility", &server),
        ("/release", "?limit=0&facets=year*substance,company&facet_limit=2", &server),
        ("/release/places", "?q=mercury+OR+dioxins", &server),
        ("/release/places", "?q=nothing+like+this", &server),
        ("/release/places", "?limit=3&sort_by=value", &server),
        ("/release/places", "", &without_index),
        ("/emission/places", "?province=AB", &server),
        ("/emission", "?limit=0&facets=province*facility&facet_sort=sum", &server),
        ("/emission", "?substance=lead", &server),
        ("/release", "", &without_index),
        ("/emission", "", &limited),
        ("/meta", "", &server),
        ("/meta", "", &without_index),
        ("/health/live", "", &server),
        ("/health/ready", "", &server),
        ("/health/ready", "", &without_index),
        ("/openapi.json", "", &server),
        ("/docs", "", &server),
        ("/", "", &server),
    ] {
        assert_described(&document, path, &server.get(&format!("{path}{query}")));
    }
    for path in ["/release", "/emission", "/release/places", "/emission/places"] {
        assert_described(&document, path, &server.send_bare("GET", path, &[]));
        assert_described(&document, path, &server.send("GET", path, &[("if-none-match", "*")]));
        let disabled = ("x-gateway-key", server.keys.disabled.as_str());
        assert_described(&document, path, &server.send_bare("GET", path, &[disabled]));
        let long = format!("{path}?q={}", "a".repeat(9000));
        assert_described(&document, path, &server.get(&long));
        let large = ("x-large", "a".repeat(17_000));
        let large = server.send("GET", path, &[(large.0, large.1.as_str())]);
        assert_described(&document, path, &large);
    }
}

#[test]
fn the_media_type_of_every_format_is_described() {
    let server = Server::over_sample();
    let document = described(&server);
    for path in ["/release", "/emission"] {
        let operation = &document["paths"][path]["get"];
        let parameters = operation["parameters"].as_array().unwrap().iter();
        let mut parameters = parameters.map(|parameter| resolved(&document, parameter));
        let format = parameters.find(|parameter| parameter["name"] == "format").unwrap();
        let mut given: Vec<String> = format["schema"]["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|format| {
                let target = format!("{path}?format={}", format.as_str().unwrap());
                let media_type = server.send("HEAD", &target, &[]).header("content-type");
                media_type.replace("; charset=utf-8", "")
            })
            .collect();
        given.sort_unstable();
        let content = operation["responses"]["200"]["content"].as_object().unwrap();
        assert!(content.keys().eq(&given), "{path}: {content:?}");
    }
}

#[test]
fn every_path_of_the_index_is_described_and_the_reverse() {
    let server = Server::over_sample();
    let index = server.get("/").json();
    let mut listed: Vec<&str> = index["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|operation| operation["path"].as_str().unwrap())
        .chain(["/"])
        .collect();
    listed.sort_unstable();
    let document = described(&server);
    let described: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    assert_eq!(listed, described);
}

#[test]
fn records_have_the_fields_of_the_table_in_its_order() {
    let server = Server::over_sample();
    for record_kind in RecordKind::ALL {
        let body = server.get(&format!("/{record_kind}?limit=1000")).body;
        let (_, records) = body.split_once("\"results\":[").unwrap();
        for record in records.split("{\"record_id\":").skip(1) {
            let record = format!("{{\"record_id\":{record}");
            let places = record_kind.fields().into_iter().map(|field| {
                let name = format!("\"{}\":", field.name);
                record.find(&name).unwrap_or_else(|| panic!("no {name} in {record}"))
            });
            let places: Vec<usize> = places.collect();
            // The parts of a breakdown have a `quantity` too, after the record's own.
            assert!(places.is_sorted(), "{record}");
        }
    }
}

#[test]
fn the_reference_page_loads_nothing_from_elsewhere() {
    let server = Server::start(|_| {}, None);
    let page = server.send_bare("GET", "/docs", &[]);
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    let mut loaded = 0;
    for attribute in ["src=\"", "href=\""] {
        for link in page.body.split(attribute).skip(1) {
            let link = link.split('"').next().unwrap();
            if !link.starts_with("/docs/") {
                continue;
            }
            let part = server.send_bare("GET", link, &[]);
            assert_eq!(part.status, 200, "{link}");
            assert!(!part.body.contains("://"), "{link}");
            loaded += 1;
        }
    }
    assert_eq!(loaded, 2);
    let icon = server.send_bare("GET", "/favicon.ico", &[]);
    assert_eq!((icon.status, icon.header("content-type").as_str()), (200, "image/svg+xml"));
    // The policy would block these.
    for inline in ["<style", " style=", "<script>", " onclick", "javascript:"] {
        assert!(!page.body.contains(inline), "{inline}");
    }
}

#[test]
fn a_page_in_a_browser_sees_every_header_that_is_described() {
    let server = Server::over_sample();
    let document = described(&server);
    let exposed = server.get("/release").header("access-control-expose-headers");
    let exposed: Vec<&str> = exposed.split(',').map(str::trim).collect();
    // Headers that a browser exposes by itself, or deals with before a page sees the answer.
    let own = ["cache-control", "content-language", "content-encoding", "vary"];
    for status in ["200", "429"] {
        let answer = &document["paths"]["/release"]["get"]["responses"][status];
        for name in resolved(&document, answer)["headers"].as_object().unwrap().keys() {
            let name = name.to_lowercase();
            assert!(exposed.contains(&name.as_str()) || own.contains(&name.as_str()), "{name}");
        }
    }
}

#[test]
fn without_a_script_the_reference_page_has_its_examples_as_links() {
    let server = Server::start(|settings| settings.explorer = 1200, Some(support::sample()));
    for (target, language) in [("/docs", "en"), ("/docs?lang=fr", "fr")] {
        let page = server.send_bare("GET", target, &[]);
        assert_eq!(page.header("content-language"), language);
        let cookie = page.header("set-cookie").split(';').next().unwrap().to_owned();
        let mut asked = 0;
        for link in page.body.split("<a href=\"").skip(1) {
            let (link, rest) = link.split_once('"').unwrap();
            let is_named = !rest.split(['>', '<']).nth(1).unwrap_or_default().is_empty();
            assert!(is_named, "{link} has no text");
            let target = link.replace("&amp;", "&");
            let answer = server.send_bare("GET", &target, &[("cookie", &cookie)]);
            assert_eq!(answer.status, 200, "{target}: {}", answer.body);
            asked += usize::from(target.contains('?'));
        }
        assert!(asked >= 10, "{asked} examples");
    }
    let without = Server::over_sample().send_bare("GET", "/docs", &[]);
    assert_eq!(without.header("set-cookie"), "");
    assert!(without.body.contains("data-explorer=\"no\""));
}
