//! The scripts: `curl`, Python without packages, and R.

use std::collections::{BTreeMap, BTreeSet};

use super::support::Server;
use super::{printed, run};

pub(super) fn curl_asks_ten_questions_that_have_answers() {
    let server = Server::over_sample();
    let printed = printed(&server, "bash", &["examples/first_questions.sh"]);
    let answers: Vec<&str> = printed.split("\n# /").skip(1).collect();
    assert_eq!(answers.len(), 10, "{printed}");
    for answer in answers {
        let found = answer.contains("\"entity_type\"") || answer.contains("record_id,");
        assert!(found && !answer.contains("\"count\":0"), "{answer}");
    }
}

pub(super) fn python_adds_up_what_the_service_has() {
    let server = Server::over_sample();
    let arguments = ["examples/largest_emitters.py", "AB"];
    let printed = printed(&server, "python3", &arguments);
    let year = |year: u16| {
        let path = format!("/emission?province=AB&date_from={year}&date_to={year}&limit=1000");
        let page = server.get(&path).json();
        let records = page["results"].as_array().unwrap().clone();
        records.iter().map(|record| record["total_co2e"].as_f64().unwrap()).sum::<f64>()
    };
    for of in [2004, 2012, 2020] {
        let line = printed.lines().find(|line| line.starts_with(&of.to_string())).unwrap();
        let total = line.split_whitespace().nth(1).unwrap().replace(',', "");
        let difference = total.parse::<f64>().unwrap() - year(of);
        assert!(difference.abs() < 0.001, "{line}");
    }
    let refused = run(&server, "python3", &["examples/largest_emitters.py", "Ontarioo"], &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("province must be"));
}

pub(super) fn python_adds_up_by_facility_whatever_its_name() {
    let server = Server::over_sample();
    for province in ["ON", "AB"] {
        let arguments = ["examples/largest_emitters.py", province];
        let printed = printed(&server, "python3", &arguments);
        let page = server.get(&format!("/emission?province={province}&limit=1000")).json();
        assert!(page["next_cursor"].is_null(), "a page holds all of {province}");
        let (mut totals, mut names) = (BTreeMap::new(), BTreeMap::<_, BTreeSet<_>>::new());
        for record in page["results"].as_array().unwrap() {
            let id = record["facility_id"].as_str().unwrap();
            *totals.entry(id).or_insert(0.0) += record["total_co2e"].as_f64().unwrap();
            names.entry(id).or_default().insert(record["facility_name"].as_str());
        }
        assert!(names.values().any(|names| names.len() > 1), "some facility was renamed");
        let mut expected: Vec<(&str, f64)> = totals.into_iter().collect();
        expected.sort_by(|one, other| other.1.total_cmp(&one.1));
        let (_, shown) = printed.split_once("largest emitters").unwrap();
        let shown: Vec<Vec<&str>> =
            shown.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(shown.len(), 5, "{printed}");
        for (line, (id, total)) in shown.iter().zip(expected) {
            assert_eq!(line[1], id, "{printed}");
            let difference = line[0].replace(',', "").parse::<f64>().unwrap() - total;
            assert!(difference.abs() < 0.001, "{id}: {total}: {printed}");
        }
    }
}

pub(super) fn r_reads_the_answer_as_a_file_in_any_locale() {
    let server = Server::over_sample();
    let script = ["examples/mercury_by_year.R"];
    let printed = printed(&server, "Rscript", &script);
    let rows = printed.lines().skip(1);
    let years: Vec<u16> =
        rows.map(|row| row.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(years.len() > 10 && years.is_sorted(), "{printed}");
    // As in a bare container, or from cron.
    let plain = run(&server, "Rscript", &script, &[("LC_ALL", "C")]);
    assert!(plain.status.success(), "{plain:?}");
    assert_eq!(String::from_utf8(plain.stdout).unwrap(), printed);
    let refused = run(
        &server,
        "Rscript",
        &script,
        &[("LC_ALL", "C"), ("OUTFALL_KEY", "prk_wrong_wrong_wrong")],
    );
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    let problem =
        server.send_bare("GET", "/release", &[("x-gateway-key", "prk_wrong_wrong_wrong")]).json();
    assert!(said.contains(problem["detail"].as_str().unwrap()), "{said}");
}

pub(super) fn r_compares_two_years_as_the_service_adds_up() {
    let server = Server::over_sample();
    let printed = printed(&server, "Rscript", &["examples/two_years.R", "2012", "2022"]);
    let mut lines = printed.lines();
    let header: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(header, ["province", "2012", "2022", "change"], "{printed}");
    let target = "/release?substance=SO2&year=2012&year=2022&limit=0&facets=year*province";
    let served = server.get(target).json();
    let tonnes = |year: &str, province: &str| {
        let years = served["facets"]["year*province"].as_array().unwrap();
        let year = years.iter().find(|entry| entry["value"] == year).unwrap();
        let provinces = year["province"].as_array().unwrap();
        let entry = provinces.iter().find(|entry| entry["label_en"] == province)?;
        entry["sum"]["kg"].as_f64().map(|kilograms| kilograms / 1000.0)
    };
    let mut compared = 0;
    for line in lines {
        // The last three are numbers; what is before them is a name of one or more words.
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, numbers) = words.split_at(words.len() - 3);
        let expected = ["2012", "2022"].map(|year| tonnes(year, &name.join(" ")));
        let change = expected[0].zip(expected[1]).map(|(old, new)| new - old);
        for (number, expected) in numbers.iter().zip([expected[0], expected[1], change]) {
            let number = (*number != "NA").then(|| number.parse::<f64>().unwrap());
            let is_same = match (number, expected) {
                (Some(number), Some(expected)) => (number - expected).abs() < 1e-6,
                (number, expected) => number == expected,
            };
            assert!(is_same, "{line}: {expected:?}");
            compared += usize::from(number.is_some());
        }
    }
    assert!(compared > 6, "{printed}");
    let refused = run(&server, "Rscript", &["examples/two_years.R", "2012", "20022"], &[]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("year"), "{said}");
}
