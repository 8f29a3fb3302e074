//! The notebook in Python: what DuckDB and pandas find in the files is what the service adds up.

use std::collections::BTreeMap;

use serde_json::Value;

use super::support::Server;
use super::{PYTHON, run};

/// The rows of a table that the notebook prints under a title.
fn table<'a>(printed: &'a str, title: &str) -> Vec<Vec<&'a str>> {
    let (_, after) = printed.split_once(&format!("\n{title}")).unwrap();
    let lines = after.lines().skip(1).take_while(|line| !line.is_empty());
    lines.map(|line| line.split('\t').collect()).collect()
}

/// The sums of a facet as text, with every digit, by its values.
fn sums(server: &Server, target: &str, facet: &str, unit: &str) -> BTreeMap<String, String> {
    let body = server.get(&format!("{target}&limit=0&facets={facet}")).body;
    let raw: BTreeMap<&str, &serde_json::value::RawValue> = serde_json::from_str(&body).unwrap();
    let facets: BTreeMap<&str, Vec<BTreeMap<&str, &serde_json::value::RawValue>>> =
        serde_json::from_str(raw["facets"].get()).unwrap();
    let text = |entry: &BTreeMap<&str, &serde_json::value::RawValue>| {
        let sums: BTreeMap<&str, &serde_json::value::RawValue> =
            serde_json::from_str(entry["sum"].get()).unwrap();
        let value: Value = serde_json::from_str(entry["value"].get()).unwrap();
        let name = value.as_str().unwrap_or_default().to_owned();
        (name, sums[unit].get().to_owned())
    };
    facets[facet].iter().map(text).collect()
}

pub(super) fn the_notebook_finds_what_the_service_adds_up() {
    let server = Server::over_sample();
    // What it downloads stays for the cells that somebody adds.
    let downloads = tempfile::tempdir().unwrap();
    let set = [("TMPDIR", downloads.path().to_str().unwrap())];
    let output = run(&server, PYTHON, &["examples/questions.py"], &set);
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();

    let mercury = table(&printed, "Mercury by year");
    assert_eq!(mercury[0], ["year", "air_kg", "water_kg"], "{printed}");
    let mut compared = 0;
    for (column, medium) in [(1, "air"), (2, "water")] {
        let target = format!("/release?substance=mercury&medium={medium}");
        let served = sums(&server, &target, "year", "kg");
        for row in &mercury[1..] {
            let expected = served.get(row[0]).map_or("None", String::as_str);
            assert_eq!(row[column], expected, "{medium} in {}", row[0]);
            compared += usize::from(expected != "None");
        }
    }
    assert!(compared > 10, "{printed}");

    let lead = table(&printed, "The largest releases of lead");
    let target = "/release?substance=lead&facet_sort=sum&facet_limit=5";
    let served = sums(&server, target, "facility", "kg");
    assert_eq!(lead.len(), 1 + served.len(), "{printed}");
    for row in &lead[1..] {
        assert_eq!(Some(row[2]), served.get(row[0]).map(String::as_str), "{row:?}");
    }

    let dust = table(&printed, "Fine particles by province");
    let served = sums(&server, "/release?substance=PM2.5", "province", "kg");
    assert!(dust.len() > 5, "{printed}");
    for row in &dust {
        assert_eq!(Some(row[1]), served.get(row[0]).map(String::as_str), "{row:?}");
    }

    for title in ["The largest cuts", "Greenhouse gases and fine particles"] {
        assert!(table(&printed, title).len() > 2, "{title}: {printed}");
    }
    assert!(printed.contains("agree on the emissions"), "{printed}");
}
