//! Damage of any sort affects only the row that has it, and every row is counted.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use proptest::prelude::*;
use support::{Changes, cesi, dataset, ghgrp, json, locations, npri};

/// The header and nine rows with the ids 1 to 9, as lines without their line breaks.
fn nine_rows(table: fn(&[Changes<'_>]) -> Vec<u8>) -> Vec<String> {
    let ids: Vec<[(&str, String); 1]> = (1..=9).map(|id| [("id", id.to_string())]).collect();
    let rows: Vec<Vec<(&str, &str)>> = ids
        .iter()
        .map(|row| row.iter().map(|(column, id)| (*column, id.as_str())).collect())
        .collect();
    let rows: Vec<Changes<'_>> = rows.iter().map(Vec::as_slice).collect();
    let text = String::from_utf8(table(&rows)).unwrap();
    // The rows of CESI end with a line break inside their last cell.
    let text = text.replace("\n\"\n", "\\n\"\n");
    text.lines().map(|line| line.replace("\\n\"", "\n\"")).collect()
}

/// A name, and what it turns the fifth row into.
type Damage = (&'static str, fn(&str) -> String);

const DAMAGES: [Damage; 26] = [
    ("a quote before the first cell", |row| format!("\"{row}")),
    ("a quote after the last cell", |row| format!("{row}\"")),
    ("no opening quote", |row| row[1..].to_owned()),
    ("no closing quote", |row| row[..row.len() - 1].to_owned()),
    ("an opening quote in the middle is gone", |row| row.replacen(",\"", ",", 1)),
    ("a closing quote in the middle is gone", |row| row.replacen("\",", ",", 1)),
    ("a doubled quote before a comma", |row| row.replacen("\",", "\"\",", 1)),
    ("a quote inside a word", |row| row.replacen('a', "a\"a", 1)),
    ("two quotes inside a word", |row| row.replacen('a', "\"a\"", 1)),
    ("a lone quote", |_| "\"".to_owned()),
    ("three quotes", |_| "\"\"\"".to_owned()),
    ("only quotes", |_| "\"".repeat(999)),
    ("one cell more", |row| format!("{row},\"x\"")),
    ("one cell less", |row| row[..row.rfind(',').unwrap()].to_owned()),
    ("cut in the middle", |row| row[..row.find("\",\"").unwrap() + 4].to_owned()),
    ("one word", |_| "word".to_owned()),
    ("only commas", |row| ",".repeat(row.matches(',').count())),
    ("a thousand commas", |_| ",".repeat(1_000)),
    ("a NUL", |row| row.replacen('a', "a\0", 1)),
    ("only NULs", |_| "\0".repeat(100)),
    ("a giant cell", |row| row.replacen('a', &"a".repeat(1 << 21), 1)),
    ("a giant cell without quotes", |_| "x".repeat(9 << 20)),
    ("a formula for an id", |row| row.replacen("\"5\"", "\"=5+0\"", 1)),
    ("a bell for an id", |row| row.replacen("\"5\"", "\"5\u{7}5\"", 1)),
    ("a line break before the first cell ends", |row| row.replacen('"', "\"\n\n\n", 1) + "\""),
    ("the word of a web page", |_| "<html><body class=\"x\">503</body></html>".to_owned()),
];

#[test]
fn damage_stays_with_its_row() {
    for (kind, table) in [
        ("npri", npri as fn(&[Changes<'_>]) -> Vec<u8>),
        ("ghgrp", ghgrp),
        ("cesi", cesi),
        ("locations", locations),
    ] {
        let rows = nine_rows(table);
        for (name, damage) in DAMAGES {
            let mut damaged = rows.clone();
            damaged[5] = damage(&rows[5]);
            for line_break in ["\n", "\r\n"] {
                let text = damaged.join(line_break) + line_break;
                let read = dataset(&[text.into_bytes()]);
                let source = &read.report.files[0].source;
                assert!(source.rows - source.accepted >= 1, "{kind}: {name}");
                assert_eq!(source.accepted, 8, "{kind}: {name}: {:?}", support::rejects(&read));
            }
        }
    }
}

#[test]
fn two_stray_quotes_do_not_swallow_what_stands_between() {
    let mut rows = nine_rows(npri);
    rows[3] = rows[3].replacen("\"Boreal Pulp Ltd.\",", "\"Boreal Pulp Ltd.,", 1);
    rows[6] = rows[6].replacen(",\"Alma Mill\"", ",Alma Mill\"", 1);
    let read = dataset(&[rows.join("\n").into_bytes()]);
    let ids: Vec<String> = json(&read.tables.releases)
        .iter()
        .map(|record| record["facility_id"].to_string())
        .collect();
    assert_eq!(ids.concat(), "\"1\"\"2\"\"4\"\"5\"\"7\"\"8\"\"9\"");
}

#[test]
fn rows_that_reach_over_the_end_of_a_block_are_whole() {
    let rows = nine_rows(cesi);
    let mut text = rows[0].clone() + "\n";
    for id in 1..=30_000 {
        // Every row of CESI spans two lines, and a stray quote flips the quote parity of all rows
        // after it.
        let stray = if id == 50 { "\"" } else { "" };
        let row = rows[1].replacen("\"1\"", &format!("\"{id}{stray}\""), 1);
        text += &(row + "\n");
    }
    assert!(text.len() > 8 << 20, "several blocks");
    let read = dataset(&[text.into_bytes()]);
    assert_eq!(read.report.files[0].source.accepted, 29_999);
}

#[test]
fn a_quote_in_every_line_ends_in_time() {
    let header = nine_rows(npri)[0].clone();
    let text = format!("{header}\n{}", "a\"b,\"c\n".repeat(20_000));
    let read = dataset(&[text.into_bytes()]);
    assert_eq!(read.report.files[0].source.rows, 20_000);
    assert!(read.tables.releases.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Reading ends and every row is counted, whatever bytes follow the header.
    #[test]
    fn any_bytes_are_read_and_counted(
        bytes in proptest::collection::vec(
            prop_oneof![
                Just(b'"'), Just(b','), Just(b'\n'), Just(b'\r'), Just(b'1'), any::<u8>()
            ],
            0..400,
        ),
    ) {
        let header = nine_rows(npri)[0].clone();
        let file = [header.as_bytes(), b"\n", &bytes].concat();
        dataset(&[file]);
    }
}
