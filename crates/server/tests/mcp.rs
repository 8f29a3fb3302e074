//! The tools and the resources of agents have what the API answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use support::Server;
use support::agent::{called, result, send};

/// The members of an envelope that have decimals, as they are written.
#[derive(Debug, PartialEq)]
struct Written {
    results: Box<str>,
    facets: Option<Box<str>>,
}

impl Written {
    fn of(json: &str) -> Self {
        #[derive(Deserialize)]
        struct Raw<'a> {
            #[serde(borrow)]
            results: &'a RawValue,
            #[serde(borrow)]
            facets: Option<&'a RawValue>,
        }

        let Raw { results, facets } = serde_json::from_str(json).unwrap();
        Self { results: results.get().into(), facets: facets.map(|facets| facets.get().into()) }
    }
}

/// Asserts that a part of what a tool returned is what the API answers to `target`.
fn assert_same(server: &Server, part: &Value, target: &str) {
    let answer = server.get(target);
    assert_eq!(answer.status, 200, "{target}: {}", answer.body);
    let expected = answer.json();
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&part[name], value, "{target}: {name}");
    }
    let own = ["request", "data_version", "source"];
    for name in part.as_object().unwrap().keys() {
        let is_known = expected.get(name).is_some() || own.contains(&name.as_str());
        assert!(is_known, "{target}: {name}");
    }
    assert_eq!(part["data_version"], answer.header("x-data-version"));
    let again = server.get(part["request"].as_str().unwrap());
    assert_eq!(again.json(), expected, "{target} is not {}", part["request"]);
}

#[test]
fn a_tool_answers_what_the_api_answers() {
    let server = Server::over_sample();
    for (tool, arguments, target) in [
        ("search_releases", json!({}), "/release?limit=10"),
        (
            "search_releases",
            json!({"q": "mercury OR lead -Ontario", "sort_by": "value", "limit": 3}),
            "/release?q=mercury+OR+lead+-Ontario&sort_by=value&limit=3",
        ),
        (
            "search_releases",
            json!({"province": ["ON", "Québec"], "year": ["2010-2019", 2021], "value_min": 0.5,
                   "value_unit": "kg", "limit": 100}),
            "/release?province=ON&province=QC&year=2010-2019&year=2021&value_min=0.5\
             &value_unit=kg&limit=100",
        ),
        ("search_releases", json!({"substance": "mercry"}), "/release?substance=mercry&limit=10"),
        ("search_releases", json!({"q": "\"lead", "limit": 0}), "/release?q=%22lead&limit=0"),
        (
            "search_emissions",
            json!({"facility_id": "G10001", "date_from": 2010}),
            "/emission?facility_id=G10001&date_from=2010&limit=10",
        ),
        (
            "count_releases",
            json!({"substance": "NOx", "facets": ["year", "province"], "facet_sort": "sum"}),
            "/release?substance=NOx&limit=0&facets=year,province&facet_sort=sum&facet_limit=10",
        ),
        (
            "count_releases",
            json!({"facets": "year*medium,facility", "facet_limit": 2}),
            "/release?limit=0&facets=year*medium,facility&facet_limit=2",
        ),
        ("count_emissions", json!({"province": "AB"}), "/emission?province=AB&limit=0"),
    ] {
        let (returned, is_error) = called(&server, tool, &arguments);
        assert!(!is_error, "{returned}");
        assert_same(&server, &returned, target);
        assert!(returned["source"]["attribution"].as_str().unwrap().contains("Open Government"));
    }
    for (tool, arguments, parts) in [
        (
            "describe_facility",
            json!({"facility_id": "57"}),
            &[
                ("releases", "/release?facility_id=57&limit=1&facets=year,medium"),
                (
                    "substances",
                    "/release?facility_id=57&limit=0&facets=substance&facet_sort=sum&facet_limit=10",
                ),
                ("emissions", "/emission?facility_id=57&limit=1&facets=year"),
            ][..],
        ),
        (
            "describe_substance",
            json!({"substance": ["mercury"]}),
            &[
                (
                    "releases",
                    "/release?substance=mercury&limit=1&facets=substance,year,medium,province\
                     &facet_limit=10",
                ),
                (
                    "facilities",
                    "/release?substance=mercury&limit=0&facets=facility&facet_sort=sum\
                     &facet_limit=10",
                ),
            ],
        ),
    ] {
        let (returned, is_error) = called(&server, tool, &arguments);
        assert!(!is_error && returned.as_object().unwrap().len() == parts.len() + 1, "{returned}");
        for (name, target) in parts {
            assert_same(&server, &returned[name], target);
        }
    }
    let (served, _) = called(&server, "what_is_served", &json!({}));
    assert_eq!(served, server.get("/meta").json());
}

#[test]
fn numbers_keep_every_digit_and_warnings_come_first() {
    let server = Server::over_sample();
    let call = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/call",
        "params": {"name": "search_releases", "arguments": {"sort_by": "value", "limit": 50}}});
    let answer = send(&server, &[], &call);
    let text = answer.json()["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with(r#"{"warnings":[{"code":"mixed-units""#), "{text}");
    let expected = Written::of(&server.get("/release?sort_by=value&limit=50").body);
    assert_eq!(Written::of(&text), expected);
    assert!(answer.body.contains(&*expected.results), "the data");
    let call = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/call",
        "params": {"name": "count_releases", "arguments": {"q": "benzene", "facets": ["province"]}}});
    let text = send(&server, &[], &call).json()["result"]["content"][0]["text"].clone();
    let expected = server.get("/release?q=benzene&limit=0&facets=province&facet_limit=10").body;
    assert_eq!(Written::of(text.as_str().unwrap()), Written::of(&expected));
}

#[test]
fn pages_follow_each_other() {
    let server = Server::over_sample();
    let (first, _) = called(&server, "search_releases", &json!({"q": "mercury", "limit": 2}));
    let cursor = &first["next_cursor"];
    let arguments = json!({"q": "mercury", "limit": 2, "cursor": cursor});
    let (second, is_error) = called(&server, "search_releases", &arguments);
    assert!(!is_error, "{second}");
    let both = server.get("/release?q=mercury&limit=4").json();
    let found: Vec<&Value> =
        [&first, &second].iter().flat_map(|page| page["results"].as_array().unwrap()).collect();
    assert_eq!(found, both["results"].as_array().unwrap().iter().collect::<Vec<_>>());
}

#[test]
fn a_wrong_call_says_how_to_mend_it() {
    let server = Server::over_sample();
    let arguments =
        json!({"provnce": "ON", "limit": 5000, "province": "Ontari", "year": {"from": 2010}});
    let (returned, is_error) = called(&server, "search_releases", &arguments);
    assert!(is_error);
    insta::assert_json_snapshot!("wrong_call", returned);
    let french = json!({"provnce": "ON", "limit": 5000, "province": "Ontari",
                        "year": {"from": 2010}, "language": "fr"});
    let (in_french, _) = called(&server, "search_releases", &french);
    insta::assert_json_snapshot!("wrong_call_fr", in_french);
    let without = Server::start(|_| {}, None);
    let (returned, is_error) = called(&without, "search_emissions", &json!({}));
    assert!(is_error, "{returned}");
    assert_eq!(
        (&returned["code"], &returned["retry_after_seconds"]),
        (&json!("no-index"), &json!(5))
    );
}

#[test]
fn tools_are_described_in_both_languages_and_leave_room_for_the_rest() {
    let server = Server::over_sample();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let [english, french] = ["en", "fr"].map(|language| {
        let answer = send(&server, &[("accept-language", language)], &list);
        assert!(answer.body.len() < 40_000, "{} bytes", answer.body.len());
        answer.json()["result"]["tools"].clone()
    });
    let names = |tools: &Value| {
        let tools = tools.as_array().unwrap().iter();
        tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&english), names(&french));
    insta::assert_json_snapshot!("count_emissions", english[3]);
    for (english, french) in english.as_array().unwrap().iter().zip(french.as_array().unwrap()) {
        assert_ne!(english["description"], french["description"]);
        assert_eq!(english["annotations"]["readOnlyHint"], true);
    }
}

#[test]
fn every_argument_of_a_tool_is_taken_with_its_example() {
    let server = Server::over_sample();
    let tools = result(&server, "tools/list", &json!({}))["tools"].clone();
    let mut called_with = 0;
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        for (argument, schema) in tool["inputSchema"]["properties"].as_object().unwrap() {
            let is_enough = required.is_empty() || required.contains(&json!(argument));
            let Some(example) = schema["examples"].get(0).filter(|_| is_enough) else { continue };
            let mut arguments = json!({argument: example});
            if argument == "within_km" {
                arguments["near"] = json!("43.68,-79.77");
            }
            let (returned, is_error) = called(&server, name, &arguments);
            assert!(!is_error, "{name} {arguments}: {returned}");
            called_with += 1;
        }
    }
    assert!(called_with > 70, "{called_with}");
}

#[test]
fn every_resource_is_read() {
    let server = Server::over_sample();
    let resources = result(&server, "resources/list", &json!({}))["resources"].clone();
    let resources = resources.as_array().unwrap();
    assert!(resources.len() > 10, "{resources:#?}");
    for resource in resources {
        let read = result(&server, "resources/read", &json!({"uri": resource["uri"]}));
        let contents = &read["contents"][0];
        assert_eq!(
            (&contents["uri"], &contents["mimeType"]),
            (&resource["uri"], &resource["mimeType"])
        );
        let text = contents["text"].as_str().unwrap();
        match resource["uri"].as_str().unwrap() {
            "outfall://meta" => assert_eq!(text, server.get("/meta").body),
            "outfall://openapi.json" => assert_eq!(text, server.get("/openapi.json").body),
            _ => assert_eq!(resource["size"], text.len()),
        }
    }
    let templates = result(&server, "resources/templates/list", &json!({}));
    assert_eq!(templates, json!({"resourceTemplates": []}));
    let without = Server::start(|_| {}, None);
    let read = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read",
                      "params": {"uri": "outfall://meta"}});
    assert_eq!(send(&without, &[], &read).json()["error"]["code"], -32603);
}
