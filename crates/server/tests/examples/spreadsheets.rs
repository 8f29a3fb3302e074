//! The recipes for spreadsheets: what their texts ask is answered, and the columns that they name
//! are in the answer. Excel and Google's servers are not to be had in a test; the script of Google
//! Sheets runs in Node, with stand-ins for Google's services.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use outfall_server::Auth;

use super::support::{Server, sample};

/// The service that the recipes name.
const SERVICE: &str = "https://api.example.org";

fn recipe() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/spreadsheets.md");
    fs::read_to_string(path).unwrap()
}

/// The text of the recipe in a language.
fn block(language: &str) -> String {
    let recipe = recipe();
    let (_, after) = recipe.split_once(&format!("```{language}\n")).unwrap();
    after.split("```").next().unwrap().to_owned()
}

/// What stands between two marks.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    text.split_once(begin).and_then(|(_, after)| after.split_once(end)).unwrap().0
}

/// The texts in double quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// The rows of an answer as CSV, the first of which is its header.
fn rows(body: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new();
    let reader =
        reader.has_headers(false).from_reader(body.trim_start_matches('\u{feff}').as_bytes());
    let row = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    reader.into_records().map(|record| row(record.unwrap())).collect()
}

pub(super) fn power_query_names_columns_that_the_answer_has() {
    let server = Server::over_sample();
    let text = block("powerquery");
    let query = between(&text, "Query = [", "]").replace(" = ", "=").replace(", ", "&");
    let target =
        format!("/{}?{}", quoted(between(&text, "RelativePath", ","))[0], query.replace('"', ""));
    // The headers that the text sends, and no others.
    assert!(
        text.contains(r##"#"x-gateway-key" = Key, #"x-gateway-host" = Uri.Parts(Service)[Host]"##)
    );
    let rows = rows(&server.get(&target).body);
    assert!(rows.len() > 10, "{target}: {} rows", rows.len());
    let kept = quoted(between(&text, "Table.SelectColumns(Named, {", "})"));
    for column in &kept {
        assert!(rows[0].iter().any(|name| name == column), "{column}");
    }
    let (mut typed, mut numbers) = (Vec::new(), Vec::new());
    for pair in between(&text, "TransformColumnTypes(Kept, {", "}, \"en-CA\")").split('}') {
        let Some((_, pair)) = pair.split_once('{') else { continue };
        let (column, kind) = pair.split_once(", ").unwrap();
        typed.push(column.trim_matches('"'));
        match kind {
            "type text" => {}
            "type number" | "Int64.Type" => numbers.push(column.trim_matches('"')),
            other => panic!("{other} of {column}"),
        }
    }
    assert_eq!(typed, kept, "every column that is kept has a type");
    for row in &rows[1..] {
        for (name, cell) in rows[0].iter().zip(row) {
            if numbers.contains(&name.as_str()) {
                assert!(cell.is_empty() || cell.parse::<f64>().is_ok(), "{name}: {cell}");
            }
        }
    }
}

pub(super) fn the_script_of_google_sheets_writes_the_table() {
    let server = Server::over_sample();
    let address = format!("http://localhost:{}", server.address().port());
    let script = block("javascript");
    let target = between(&script, "QUESTION = \"", "\"").to_owned();
    let numbers: Vec<String> =
        quoted(between(&script, "NUMBERS = [", "]")).into_iter().map(str::to_owned).collect();
    let google = include_str!("google.js");
    let program = format!("{google}\n{}\nrefresh();\n", script.replace(SERVICE, &address));
    let mut node = Command::new("node")
        .arg("-")
        .env("OUTFALL_KEY", &server.keys.active)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let written: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();

    let expected = rows(&server.get(&target).body);
    assert!(numbers.iter().all(|number| expected[0].contains(number)), "{numbers:?}");
    let table = written.as_array().unwrap();
    assert_eq!(table.len(), expected.len());
    assert_eq!(table[0], serde_json::json!(expected[0]));
    for (row, expected_row) in table.iter().zip(&expected).skip(1) {
        for ((name, cell), value) in
            expected[0].iter().zip(expected_row).zip(row.as_array().unwrap())
        {
            match cell.as_str() {
                "" => assert_eq!(value, "", "{name}"),
                number if numbers.contains(name) => {
                    assert_eq!(value.as_f64(), number.parse().ok(), "{name}: {number}");
                }
                text => assert_eq!(value, &format!("'{text}"), "{name}"),
            }
        }
    }
}

pub(super) fn addresses_alone_are_answered_where_no_key_is_needed() {
    let (open, closed) = (
        Server::start(|settings| settings.auth = Auth::Off, Some(sample())),
        Server::over_sample(),
    );
    let recipe = recipe();
    let words = recipe.split(['"', '`', '\'', '\n']);
    let targets: Vec<&str> = words
        .filter_map(|word| word.strip_prefix("http")?.split_once("/release?"))
        .map(|(_, query)| query)
        .collect();
    assert_eq!(targets.len(), 3, "{targets:?}");
    for query in targets {
        let target = format!("/release?{query}");
        let answer = open.send_bare("GET", &target, &[]);
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        assert!(answer.body.lines().count() > 10, "{target}: {}", answer.body);
        let refused = closed.send_bare("GET", &target, &[]);
        assert_eq!(refused.status, 401, "{target}");
        assert_eq!(refused.json()["code"], "key-missing", "{}", refused.body);
    }
}
