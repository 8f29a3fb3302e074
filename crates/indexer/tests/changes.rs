//! What a build says has changed is what an independent comparison of the records finds.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use outfall_fixtures::{GhgrpEdition, ReleasesEdition, Shape, write_ghgrp, write_releases};
use outfall_indexer::{BuildOptions, BuildReport, Compared, Silent};
use outfall_query::Staging;
use outfall_records::{PerKind, Record, Tables};
use proptest::prelude::*;
use proptest::sample::Index;
use support::{Changes, ghgrp, npri, written};

fn options(paths: &[PathBuf]) -> BuildOptions {
    // Some editions lose a year.
    BuildOptions { allow_shrink: true, ..BuildOptions::of_files(paths.iter().cloned()) }
}

fn build(paths: &[PathBuf], data: &Path) -> BuildReport {
    outfall_indexer::build(&options(paths), Staging::begin(data).unwrap(), &Silent).unwrap()
}

fn tables(paths: &[PathBuf]) -> PerKind<Tables> {
    outfall_indexer::read(&options(paths), &Silent).unwrap().tables
}

/// The rows of a list of changes.
fn listed(data: &Path, generation: &str) -> Vec<Vec<String>> {
    let list = fs::read(data.join(generation).join("changes.csv")).unwrap();
    let rows = csv::Reader::from_reader(&*list).into_records();
    rows.map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// What a list shows of a record, but for its amount; and the amount.
fn shown(record: &Record) -> ([String; 5], [String; 2]) {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    match record {
        Record::Release(release) => (
            [
                release.year.to_string(),
                text(&release.site.facility_name),
                text(&release.substance.name_en),
                text(&release.substance.name_fr),
                release.medium.slug().to_owned(),
            ],
            [release.quantity.to_string(), release.unit.name().to_owned()],
        ),
        Record::Emission(emission) => (
            [
                emission.year.to_string(),
                text(&emission.site.facility_name),
                String::new(),
                String::new(),
                String::new(),
            ],
            [emission.total_co2e.to_string(), "tonnes CO2e".to_owned()],
        ),
    }
}

/// The list that two maps of records give, in its order.
fn expected(old: &PerKind<Tables>, new: &PerKind<Tables>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (kind, old, new) in
        [("release", &old.releases, &new.releases), ("emission", &old.emissions, &new.emissions)]
    {
        let map = |tables: &Tables| -> BTreeMap<String, Record> {
            tables.records().map(|record| (record.record_id(), record)).collect()
        };
        let (old, new) = (map(old), map(new));
        let mut of_kind = Vec::new();
        let ids: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for id in ids {
            let (was, is) = (old.get(id).map(shown), new.get(id).map(shown));
            let blank = || [String::new(), String::new()];
            let (what, shown, was, is) = match (was, is) {
                (Some((_, was)), Some((shown, is))) if was != is => ("changed", shown, was, is),
                (Some((shown, was)), None) => ("removed", shown, was, blank()),
                (None, Some((shown, is))) => ("added", shown, blank(), is),
                _ => continue,
            };
            let head = [kind.to_owned(), id.clone(), what.to_owned()];
            of_kind.push([&head[..], &shown, &was, &is].concat());
        }
        of_kind.sort_by(|a, b| b[3].cmp(&a[3]).then_with(|| a[1].cmp(&b[1])));
        rows.append(&mut of_kind);
    }
    rows
}

/// A change of a row of a file.
#[derive(Clone, Copy, Debug)]
enum RowEdit {
    Restate(u32),
    Unit(&'static str),
    Remove,
    /// The same for a facility that the file does not have.
    Add(u16),
    Rename,
}

fn edit() -> impl Strategy<Value = RowEdit> {
    prop_oneof![
        (1_u32..2_000_000).prop_map(RowEdit::Restate),
        prop::sample::select(vec!["tonnes", "kg", "grams"]).prop_map(RowEdit::Unit),
        Just(RowEdit::Remove),
        (1_u16..100).prop_map(RowEdit::Add),
        Just(RowEdit::Rename),
    ]
}

/// The columns of a file: the facility, its name, the number and the unit, and how the ids of
/// facilities begin.
struct Columns {
    id: usize,
    name: usize,
    value: usize,
    unit: Option<usize>,
    prefix: &'static str,
}

fn edited(file: &[u8], columns: &Columns, edits: &[(Index, RowEdit)]) -> Vec<u8> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(file);
    let mut rows: Vec<Vec<Vec<u8>>> = reader
        .byte_records()
        .map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect())
        .collect();
    let header = rows.remove(0);
    for (place, edit) in edits {
        if rows.is_empty() {
            break;
        }
        let place = place.index(rows.len());
        let row = &mut rows[place];
        match edit {
            RowEdit::Restate(number) => {
                row[columns.value] = format!("{}", f64::from(*number) / 1024.0).into_bytes();
            }
            RowEdit::Unit(unit) => {
                // `g TEQ` beside a mass would be rejected.
                if let Some(column) =
                    columns.unit.filter(|column| !row[*column].starts_with(b"g T"))
                {
                    row[column] = unit.as_bytes().to_vec();
                }
            }
            RowEdit::Remove => drop(rows.remove(place)),
            RowEdit::Add(number) => {
                let mut added = row.clone();
                added[columns.id] = format!("{}9{number:04}", columns.prefix).into_bytes();
                rows.push(added);
            }
            RowEdit::Rename => row[columns.name] = b"Renamed Works".to_vec(),
        }
    }
    let mut writer =
        csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(vec![]);
    writer.write_record(&header).unwrap();
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    writer.into_inner().unwrap()
}

fn corpus() -> [Vec<u8>; 2] {
    let shape = Shape { has_defects: false, ..Shape::sized(300, 15) };
    let (mut releases, mut emissions) = (Vec::new(), Vec::new());
    write_releases(&shape, ReleasesEdition::TwoTitles, &mut releases).unwrap();
    write_ghgrp(&shape, GhgrpEdition::Of2024, &mut emissions).unwrap();
    [releases, emissions]
}

fn columns(file: &[u8], names: [&str; 3], unit: Option<&str>, prefix: &'static str) -> Columns {
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.byte_headers().unwrap().clone();
    let find =
        |name: &str| header.iter().position(|column| column.starts_with(name.as_bytes())).unwrap();
    let [id, name, value] = names.map(find);
    Columns { id, name, value, unit: unit.map(find), prefix }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_list_of_changes_is_what_two_maps_of_records_give(
        release_edits in prop::collection::vec((any::<Index>(), edit()), 0..12),
        emission_edits in prop::collection::vec((any::<Index>(), edit()), 0..6),
    ) {
        let [releases, emissions] = corpus();
        let of_releases =
            columns(&releases, ["NPRI_ID", "Facility_Name", "Quantity"], Some("Units"), "");
        let of_emissions =
            columns(&emissions, ["GHGRP ID", "Facility Name", "Total Emissions"], None, "G");
        let new = [
            edited(&releases, &of_releases, &release_edits),
            edited(&emissions, &of_emissions, &emission_edits),
        ];
        let (old, new) = (written(&[releases, emissions]), written(&new));
        let data = tempfile::tempdir().unwrap();
        let first = build(&old.paths, data.path());
        prop_assert_eq!(first.changes, None);
        prop_assert!(!data.path().join("gen-000001/changes.csv").exists());
        let second = build(&new.paths, data.path());
        let expected = expected(&tables(&old.paths), &tables(&new.paths));
        prop_assert_eq!(listed(data.path(), "gen-000002"), expected.clone());
        let Some(Compared::With(summary)) = &second.changes else { panic!("{second}") };
        let count = |what: &str| expected.iter().filter(|row| row[2] == what).count() as u64;
        let all = summary.all();
        prop_assert_eq!(
            (all.added, all.changed, all.removed),
            (count("added"), count("changed"), count("removed"))
        );
        let mut by_year = BTreeMap::new();
        for row in &expected {
            let key = (row[0].clone(), row[3].parse::<u16>().unwrap());
            *by_year.entry(key).or_insert(0) += 1;
        }
        let counted = summary.kinds.iter().flat_map(|(kind, counts)| {
            counts.years.iter().map(move |(year, counts)| {
                ((kind.clone(), *year), counts.added + counts.changed + counts.removed)
            })
        });
        prop_assert_eq!(counted.collect::<BTreeMap<_, _>>(), by_year);
        // Back to the first edition, everything is reversed.
        build(&old.paths, data.path());
        let back = listed(data.path(), "gen-000003");
        prop_assert_eq!(back.len(), expected.len());
        for (there, back) in expected.iter().zip(&back) {
            prop_assert_eq!((&there[1], &there[8..10], &there[10..]), (&back[1], &back[10..], &back[8..10]));
        }
    }
}

#[test]
fn the_largest_restatements_are_those_that_are_farthest_apart() {
    let release = |id: &'static str, quantity: &'static str, units: &'static str| {
        vec![("id", id), ("quantity", quantity), ("units", units)]
    };
    let dioxins = [("cas", "NA - D/F"), ("substance_en", "Dioxins"), ("substance_fr", "Dioxines")];
    let edition = |rows: &[Vec<(&str, &str)>], total: &str| {
        let rows: Vec<Changes<'_>> = rows.iter().map(Vec::as_slice).collect();
        vec![npri(&rows), ghgrp(&[&[("total", total)]])]
    };
    let teq = |quantity| [&dioxins[..], &release("9", quantity, "g TEQ")[..]].concat();
    let old = [
        release("1", "1", "tonnes"),
        release("2", "5", "kg"),
        release("3", "7", "kg"),
        release("4", "2", "kg"),
        teq("0.25"),
    ];
    let new = [
        release("1", "1000.5", "kg"),
        release("2", "1", "grams"),
        release("3", "7.00", "kg"),
        release("4", "2000", "grams"),
        teq("0.5"),
    ];
    let (old, new) = (written(&edition(&old, "10")), written(&edition(&new, "12.5")));
    let data = tempfile::tempdir().unwrap();
    build(&old.paths, data.path());
    let report = build(&new.paths, data.path());
    let json = serde_json::to_value(&report).unwrap();
    let changes = &json["changes"];
    assert_eq!(changes["since"], "gen-000001");
    // 2 kg in grams are another unit, but no other mass.
    assert_eq!(changes["kinds"]["release"]["changed"], 4);
    assert_eq!(changes["kinds"]["emission"]["years"]["2020"]["changed"], 1);
    let largest = |units: &str| -> Vec<(String, f64)> {
        let shown = changes["largest"][units].as_array().unwrap().iter().map(|shown| {
            (shown["record_id"].as_str().unwrap().to_owned(), shown["difference"].as_f64().unwrap())
        });
        shown.collect()
    };
    let found = |id: &str, difference| (id.to_owned(), difference);
    let masses = [found("2:2020:71-43-2:air", 4.999), found("1:2020:71-43-2:air", 0.5)];
    assert_eq!(largest("kg"), masses);
    assert_eq!(largest("g TEQ"), [found("9:2020:NA-DF:air", 0.25)]);
    assert_eq!(largest("tonnes CO2e"), [found("G10001:2020", 2.5)]);
    let shown = &changes["largest"]["kg"][0];
    assert_eq!(shown["old_units"], "kg");
    assert_eq!(shown["new_units"], "grams");
    assert_eq!(shown["facility_name"], "Alma Mill");
    assert!(
        report.to_string().contains("changes since gen-000001: 0 added, 5 changed, 0 removed"),
        "{report}"
    );
}

#[test]
fn an_index_that_cannot_be_read_is_replaced_and_the_report_says_that_it_was_not_compared() {
    let files = written(&[npri(&[&[], &[("id", "2")]])]);
    let data = files.folder.path().join("data");
    build(&files.paths, &data);
    let tables = data.join("gen-000001/release/tables.bin");
    fs::write(tables, "damage").unwrap();
    let report = build(&files.paths, &data);
    let Some(Compared::Not { not_compared }) = &report.changes else { panic!("{report}") };
    assert!(not_compared.contains("tables.bin"), "{not_compared}");
    assert!(report.to_string().contains("not compared with the served index: "), "{report}");
    assert!(!data.join("gen-000002/changes.csv").exists());
    // The next build has something to compare with, and finds nothing changed.
    let report = build(&files.paths, &data);
    let Some(Compared::With(summary)) = &report.changes else { panic!("{report}") };
    assert_eq!((summary.since.as_str(), summary.kinds.len()), ("gen-000002", 0));
    assert!(listed(&data, "gen-000003").is_empty());
}

#[test]
fn the_same_files_after_the_same_edition_give_the_same_generation() {
    let (old, new) = (written(&[npri(&[&[]])]), written(&[npri(&[&[("quantity", "2")]])]));
    let manifest = |threads| {
        let data = tempfile::tempdir().unwrap();
        build(&old.paths, data.path());
        let options = BuildOptions { threads: Some(threads), ..options(&new.paths) };
        let sink = Staging::begin(data.path()).unwrap();
        outfall_indexer::build(&options, sink, &Silent).unwrap();
        fs::read_to_string(data.path().join("gen-000002/manifest.json")).unwrap()
    };
    let one = manifest(1);
    assert_eq!(one, manifest(2));
    assert!(one.contains("\"changes_since\": \"gen-000001\""), "{one}");
    let data = tempfile::tempdir().unwrap();
    let alone = build(&new.paths, data.path()).build_id;
    assert!(one.contains(&alone), "the build id does not depend on the edition before");
}
