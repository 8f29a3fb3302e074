//! Writes, publishes and opens generations on a real file system.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outfall_query::{
    Generation, IndexError, Label, Labelled, Staging, StoredRecord, ValueMeasure, encode,
    kept_edition, roll_back, served_edition,
};
use outfall_records::{
    Category, Decimal, EmissionEntry, FacilityId, Gases, GhgrpId, Medium, NO_METHOD, NpriId,
    PartEntry, Province, RecordKind, RecordTable, ReleaseEntry, ReportingYear, Site, SourceInfo,
    Substance, SubstanceId, Tables, Unit,
};
use outfall_request::{Published, RecordSink, edition_records};
use outfall_store::{Current, StoreError};
use rustix::fs::{CWD, FileType, Mode, mknodat};

fn site(facility_id: FacilityId, province: Option<Province>) -> Arc<Site> {
    Arc::new(Site {
        facility_id,
        cross_reference: None,
        linked_ids: Vec::new(),
        facility_name: Some(format!("Usine \"{facility_id}\"")),
        every_name: Vec::new(),
        company_name: None,
        trade_name: None,
        city: None,
        province,
        naics_code: None,
        naics_en: None,
        naics_fr: None,
        latitude: None,
        longitude: None,
    })
}

fn npri(id: &str) -> FacilityId {
    FacilityId::Npri(NpriId::parse(id).unwrap())
}

fn year(year: u16) -> ReportingYear {
    ReportingYear::new(year).unwrap()
}

/// Four releases of two sites: 10 comes before 2 in byte order.
fn releases() -> Tables {
    let row = |site, year_of, unit, quantity: i64, first_part| ReleaseEntry {
        site,
        substance: 0,
        year: year(year_of),
        medium: Medium::Air,
        unit,
        quantity: Decimal::new(quantity, 1),
        first_part,
    };
    let part = |quantity: i64, method| PartEntry {
        category: 0,
        method,
        quantity: Decimal::new(quantity, 1),
    };
    Tables {
        sites: vec![site(npri("10"), Some(Province::On)), site(npri("2"), None)],
        rows: RecordTable::Release {
            substances: vec![Arc::new(Substance {
                id: SubstanceId::parse("NA - D/F").unwrap(),
                name_en: Some("Dioxins".to_owned()),
                name_fr: None,
                every_name: vec!["Dioxins".to_owned()],
            })],
            categories: vec![Arc::new(Category {
                name_en: Some("Spills".to_owned()),
                name_fr: None,
            })],
            methods: vec!["C - Mass Balance".into()],
            records: vec![
                row(0, 2020, Unit::Tonnes, 15, 0),
                row(1, 2020, Unit::Kilograms, 15, 2),
                row(0, 2019, Unit::GramsTeq, 3, 3),
                row(1, 2019, Unit::Grams, 15, 4),
            ],
            parts: vec![part(10, 0), part(5, NO_METHOD), part(15, 0), part(3, 0), part(15, 0)],
        },
    }
}

fn emissions() -> Tables {
    let facility = FacilityId::Ghgrp(GhgrpId::parse("G10001").unwrap());
    let gases = Gases { ch4_co2e: Some(Decimal::new(7, 1)), ..Gases::default() };
    let row = |of| EmissionEntry { site: 0, year: year(of), total_co2e: Decimal::TEN, gases };
    Tables {
        sites: vec![site(facility, Some(Province::Qc))],
        rows: RecordTable::Emission { records: vec![row(2021), row(2020)] },
    }
}

fn no_emissions() -> Tables {
    Tables { sites: Vec::new(), rows: RecordTable::Emission { records: Vec::new() } }
}

fn publish(data: &Path, tables: &[Tables]) -> Published {
    let mut staging = Staging::begin(data).unwrap();
    for tables in tables {
        staging.write_kind(tables, encode(tables).unwrap()).unwrap();
    }
    fs::write(staging.dir().join("rejects.csv"), "file\n").unwrap();
    let source = SourceInfo { name: "releases.csv".to_owned(), ..SourceInfo::default() };
    staging.publish(vec![source]).unwrap()
}

fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn what_was_published_is_opened_whole() {
    let data = tempfile::tempdir().unwrap();
    let published = publish(data.path(), &[releases(), emissions()]);
    let generation = Generation::open(data.path()).unwrap();
    assert_eq!(generation.name, published.name);
    assert_eq!(generation.dataset.build_id, published.build_id);
    assert_eq!(generation.dataset.sources[0].name, "releases.csv");
    let info = &generation.dataset.kinds["release"];
    assert_eq!((info.records, info.years[&2020], info.provinces["ON"]), (4, 2, 2));

    let kind = generation.kinds.of(RecordKind::Release);
    assert_eq!(kind.site_of[..], [0, 1, 0, 1]);
    assert_eq!(kind.ids.documents[..], [2, 0, 3, 1]);
    // 1.5 kg, 1.5 g and 1.5 t are the same number; ties are broken by record id.
    let reported = kind.order(ValueMeasure::Reported);
    assert_eq!(
        (&reported.documents[..], &reported.starts[..]),
        (&[2, 0, 3, 1][..], &[0, 1, 4][..])
    );
    let mass = kind.order(ValueMeasure::Mass);
    assert_eq!((&mass.documents[..], mass.valued()), (&[3, 1, 0, 2][..], 3));
    let teq = kind.order(ValueMeasure::GramsTeq);
    assert_eq!((&teq.documents[..], teq.valued()), (&[2, 0, 3, 1][..], 1));
    assert_eq!(generation.kinds.of(RecordKind::Emission).len(), 2);

    let label = |value, name_en| Label { value, name_en, name_fr: None };
    for (labelled, slots, expected) in [
        (Labelled::Province, &[0, 1][..], &[label("ON", None)][..]),
        (Labelled::Naics, &[0, 0], &[]),
        (
            Labelled::Facility,
            &[0, 1],
            &[label("10", Some("Usine \"10\"")), label("2", Some("Usine \"2\""))],
        ),
        (Labelled::Substance, &[0], &[label("NA-DF", Some("Dioxins"))]),
    ] {
        let labels = kind.labels(labelled);
        let found: Vec<Label<'_>> = (0..).map_while(|place| labels.get(place)).collect();
        assert_eq!((&labels.slots[..], &found[..]), (slots, expected), "{labelled:?}");
    }
}

#[test]
fn the_records_of_a_generation_are_read_from_the_disk_as_they_were_written() {
    let data = tempfile::tempdir().unwrap();
    let name = publish(data.path(), &[releases(), emissions()]).name;
    let editions = [served_edition(data.path()), kept_edition(data.path(), &name)];
    for edition in editions.map(Result::unwrap) {
        assert_eq!(edition.name, name);
        let records = [edition.records.releases, edition.records.emissions];
        for (found, tables) in records.into_iter().zip([releases(), emissions()]) {
            let found: Vec<_> = found.map(Result::unwrap).collect();
            assert_eq!(found, edition_records(&tables).collect::<Vec<_>>());
            let ids: Vec<_> = found.into_iter().map(|record| record.record_id).collect();
            let expected: Vec<_> = tables.records().map(|record| record.record_id()).collect();
            assert_eq!(ids, expected);
        }
    }
    publish(data.path(), &[releases(), no_emissions()]);
    let served = served_edition(data.path()).unwrap();
    assert_eq!((served.name.as_str(), served.records.emissions.count()), ("gen-000002", 0));
    let missing = kept_edition(data.path(), "gen-000009").err();
    assert!(matches!(missing, Some(IndexError::Store(StoreError::NotKept { .. }))), "{missing:?}");
    fs::write(data.path().join("gen-000001/release/tables.bin"), "damage").unwrap();
    let damaged = kept_edition(data.path(), "gen-000001").err();
    assert!(matches!(damaged, Some(IndexError::Store(StoreError::Damaged { .. }))), "{damaged:?}");
}

#[test]
fn a_kind_without_records_is_opened_too() {
    let data = tempfile::tempdir().unwrap();
    publish(data.path(), &[releases(), no_emissions()]);
    assert!(Generation::open(data.path()).unwrap().kinds.emissions.is_empty());
}

#[test]
fn the_same_records_have_the_same_files_and_build_id() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let a = publish(first.path(), &[releases(), emissions()]);
    let b = publish(second.path(), &[releases(), emissions()]);
    assert_eq!(a.build_id, b.build_id);
    let all = files(&first.path().join(&a.name));
    for path in &all {
        let other = second.path().join(path.strip_prefix(first.path()).unwrap());
        assert_eq!(fs::read(path).unwrap(), fs::read(other).unwrap(), "{}", path.display());
    }
    assert!(all.len() > 10, "{all:?}");
    let c = publish(second.path(), &[releases(), no_emissions()]);
    assert_ne!(a.build_id, c.build_id);
}

#[test]
fn a_changed_byte_in_any_file_is_refused_by_name() {
    let data = tempfile::tempdir().unwrap();
    let published = publish(data.path(), &[releases(), emissions()]);
    let dir = data.path().join(published.name);
    for path in files(&dir) {
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 1;
        for damaged in [&flipped[..], &whole[..middle]] {
            fs::write(&path, damaged).unwrap();
            match Generation::open(data.path()) {
                Err(IndexError::Store(StoreError::Damaged { path: named, .. })) => {
                    assert_eq!(named, path)
                }
                other => panic!("{}: {other:?}", path.display()),
            }
        }
        fs::write(&path, whole).unwrap();
    }
    Generation::open(data.path()).unwrap();
}

#[test]
fn a_missing_strange_or_special_file_is_refused_by_name() {
    let data = tempfile::tempdir().unwrap();
    let published = publish(data.path(), &[releases(), emissions()]);
    let release = data.path().join(published.name).join("release");
    let (tables, aside) = (release.join("tables.bin"), data.path().join("aside"));
    let manifest = release.with_file_name("manifest.json");
    let refused = |expected: &Path| match Generation::open(data.path()) {
        Err(IndexError::Store(StoreError::Damaged { path, .. } | StoreError::Io { path, .. })) => {
            assert_eq!(path, expected);
        }
        other => panic!("{}: {other:?}", expected.display()),
    };
    fs::rename(&tables, &aside).unwrap();
    refused(&tables);
    std::os::unix::fs::symlink(&aside, &tables).unwrap();
    refused(&tables);
    fs::remove_file(&tables).unwrap();
    fs::copy(release.with_file_name("emission").join("tables.bin"), &tables).unwrap();
    refused(&tables);
    fs::remove_file(&tables).unwrap();
    fs::rename(&aside, &tables).unwrap();
    fs::rename(&manifest, &aside).unwrap();
    std::os::unix::fs::symlink(&aside, &manifest).unwrap();
    refused(&manifest);
    fs::rename(&aside, &manifest).unwrap();
    let stranger = release.join("texts/stranger");
    fs::write(&stranger, "").unwrap();
    refused(&stranger);
    fs::remove_file(&stranger).unwrap();
    Generation::open(data.path()).unwrap();
}

#[test]
fn the_generation_before_can_be_served_again() {
    let data = tempfile::tempdir().unwrap();
    let nothing = |data: &Path| {
        assert!(matches!(
            roll_back(data),
            Err(IndexError::Store(StoreError::NothingToRollBackTo { .. }))
        ));
    };
    publish(data.path(), &[releases(), emissions()]);
    nothing(data.path());
    for _ in 0..2 {
        publish(data.path(), &[releases(), no_emissions()]);
    }
    fs::write(data.path().join("gen-000002/manifest.json"), "{}").unwrap();
    // The second generation is damaged, so the first one is served again.
    assert_eq!(roll_back(data.path()).unwrap(), "gen-000001");
    assert_eq!(Generation::open(data.path()).unwrap().kinds.emissions.len(), 2);
    nothing(data.path());
    // A later build gets a higher number than every generation that exists.
    assert_eq!(publish(data.path(), &[releases(), emissions()]).name, "gen-000004");
}

#[test]
fn the_newest_whole_generation_is_found_without_current() {
    let data = tempfile::tempdir().unwrap();
    assert!(matches!(
        Generation::open_newest(data.path()),
        Err(IndexError::Store(StoreError::NoIndex { .. }))
    ));
    for _ in 0..3 {
        publish(data.path(), &[releases(), emissions()]);
    }
    fs::remove_file(data.path().join("CURRENT")).unwrap();
    fs::write(data.path().join("gen-000003/release/tables.bin"), "").unwrap();
    assert_eq!(Generation::open_newest(data.path()).unwrap().name, "gen-000002");
}

#[test]
fn an_unfinished_build_changes_nothing() {
    let data = tempfile::tempdir().unwrap();
    assert!(matches!(Current::read(data.path()), Err(StoreError::NoIndex { .. })));
    publish(data.path(), &[releases(), emissions()]);
    let before = Current::read(data.path()).unwrap();
    let mut staging = Staging::begin(data.path()).unwrap();
    staging.write_kind(&releases(), encode(&releases()).unwrap()).unwrap();
    match Staging::begin(data.path()) {
        Err(IndexError::Store(StoreError::Locked { holder, .. })) => {
            assert_eq!(holder, std::process::id().to_string());
        }
        other => panic!("{other:?}"),
    }
    drop(staging);
    assert_eq!(Current::read(data.path()).unwrap(), before);
    let expected = ["CURRENT", "LOCK", "gen-000001"].map(str::to_owned);
    assert_eq!(names(data.path()), BTreeSet::from(expected));
}

#[test]
fn leftovers_are_removed_and_three_generations_kept() {
    let data = tempfile::tempdir().unwrap();
    fs::create_dir_all(data.path().join(".build-1/release")).unwrap();
    for _ in 0..5 {
        publish(data.path(), &[releases(), emissions()]);
    }
    let expected = ["CURRENT", "LOCK", "gen-000003", "gen-000004", "gen-000005"].map(str::to_owned);
    assert_eq!(names(data.path()), BTreeSet::from(expected));
    assert_eq!(Generation::open(data.path()).unwrap().name, "gen-000005");
}

/// Something that others may put into a data directory that they can write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planted {
    File,
    Folder,
    Pipe,
    /// A symbolic link to a file elsewhere, which must stay as it is.
    Link,
    /// A hard link to that file.
    SecondName,
}

impl Planted {
    const ALL: [Self; 5] = [Self::File, Self::Folder, Self::Pipe, Self::Link, Self::SecondName];

    fn plant(self, path: &Path, victim: &Path) {
        match self {
            Self::File => fs::write(path, "planted").unwrap(),
            Self::Folder => fs::create_dir_all(path.join("planted")).unwrap(),
            Self::Pipe => mknodat(CWD, path, FileType::Fifo, Mode::RUSR, 0).unwrap(),
            Self::Link => symlink(victim, path).unwrap(),
            Self::SecondName => fs::hard_link(victim, path).unwrap(),
        }
    }
}

#[test]
fn what_others_put_in_the_way_is_replaced_or_refused_by_name() {
    let elsewhere = tempfile::tempdir().unwrap();
    let victim = elsewhere.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    for (name, refused) in [
        ("LOCK", &Planted::ALL[1..]),
        ("CURRENT", &[Planted::Folder][..]),
        ("CURRENT.new", &[]),
        (".build-x", &[]),
        ("gen-4294967295", &Planted::ALL),
        ("gen-000000", &[]),
    ] {
        for planted in Planted::ALL {
            let data = tempfile::tempdir().unwrap();
            publish(data.path(), &[releases(), emissions()]);
            let path = data.path().join(name);
            let aside = data.path().join("aside");
            let had_one = fs::rename(&path, &aside).is_ok();
            planted.plant(&path, &victim);
            match Staging::begin(data.path()) {
                Ok(staging) => {
                    drop(staging);
                    assert!(!refused.contains(&planted), "{planted:?} as {name} is taken");
                }
                Err(IndexError::Store(StoreError::InTheWay { path: named, .. })) => {
                    assert_eq!(named, path);
                    assert!(refused.contains(&planted), "{planted:?} as {name} is refused");
                    if path.is_dir() {
                        fs::remove_dir_all(&path).unwrap();
                    } else {
                        fs::remove_file(&path).unwrap();
                    }
                    if had_one {
                        fs::rename(&aside, &path).unwrap();
                    }
                }
                other => panic!("{planted:?} as {name}: {other:?}"),
            }
            let published = publish(data.path(), &[releases(), emissions()]);
            assert_eq!(published.name, "gen-000002", "{planted:?} as {name}");
            assert_eq!(Generation::open(data.path()).unwrap().name, "gen-000002");
            assert_eq!(fs::read(&victim).unwrap(), b"precious", "{planted:?} as {name}");
        }
    }
}

#[test]
fn a_current_or_manifest_of_another_kind_or_length_is_refused_by_name() {
    let elsewhere = tempfile::tempdir().unwrap();
    for name in ["CURRENT", "gen-000001/manifest.json", "gen-000001/rejects.csv"] {
        for planted in [Planted::Folder, Planted::Pipe, Planted::Link, Planted::File] {
            let data = tempfile::tempdir().unwrap();
            publish(data.path(), &[releases(), emissions()]);
            let path = data.path().join(name);
            let victim = elsewhere.path().join("right");
            fs::rename(&path, &victim).unwrap();
            match planted {
                // Longer than any machine's memory.
                Planted::File => fs::File::create(&path).unwrap().set_len(1 << 40).unwrap(),
                other => other.plant(&path, &victim),
            }
            match Generation::open(data.path()) {
                Err(IndexError::Store(StoreError::Damaged { path: named, .. })) => {
                    let is_named = named == path || named.parent() == Some(&path);
                    assert!(is_named, "{planted:?} as {name}: {}", named.display());
                }
                other => panic!("{planted:?} as {name}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_kind_that_is_not_what_its_manifest_says_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let published = publish(data.path(), &[releases(), emissions()]);
    let path = data.path().join(&published.name).join("manifest.json");
    let whole: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(
        whole["contents"]["release"],
        serde_json::json!({
            "first_id": "10:2019:NA-DF:air", "last_id": "2:2020:NA-DF:air", "sum": "1501.8015",
        })
    );
    for (pointer, value, expected) in [
        ("/contents/release/first_id", "1:2019:NA-DF:air", "its first record is"),
        ("/contents/release/last_id", "", "its last record is"),
        ("/contents/release/sum", "4.9", "its sum is `1501.8015`, not the manifest's `4.9`"),
        ("/contents/emission/sum", "0", "its sum is `20`"),
        ("/dataset/kinds/release/years", "2020: 4", "its years are not"),
        ("/dataset/kinds/emission/records", "3", "it holds 2 records, not the manifest's 3"),
        ("/contents", "none", "does not say what it holds"),
    ] {
        let mut changed = whole.clone();
        *changed.pointer_mut(pointer).unwrap() = match value {
            "2020: 4" => serde_json::json!({ "2020": 4 }),
            "3" => 3.into(),
            "none" => serde_json::json!({}),
            text => text.into(),
        };
        replace_manifest(data.path(), &published.name, &changed);
        let error = Generation::open(data.path()).unwrap_err().to_string();
        assert!(error.contains(expected), "{pointer}: {error}");
    }
}

/// Replaces the manifest of a generation, and puts its hash into `CURRENT`.
fn replace_manifest(data: &Path, name: &str, manifest: &serde_json::Value) {
    let text = manifest.to_string();
    fs::write(data.join(name).join("manifest.json"), &text).unwrap();
    let hash = blake3::hash(text.as_bytes()).to_hex();
    fs::write(data.join("CURRENT"), format!("{name} {hash}\n")).unwrap();
}

/// Files can be wrong before they are hashed; if an index with such a file opens, it can be used.
#[test]
fn a_wrong_byte_that_is_hashed_rightly_is_refused_or_does_no_harm() {
    let data = tempfile::tempdir().unwrap();
    let name = publish(data.path(), &[releases(), emissions()]).name;
    let manifest = fs::read(data.path().join(&name).join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let mut refused = 0;
    for file in ["release/tables.bin", "release/sets.bin", "emission/tables.bin"] {
        let path = data.path().join(&name).join(file);
        let whole = fs::read(&path).unwrap();
        for place in (0..whole.len()).step_by(5) {
            let mut wrong = whole.clone();
            wrong[place] ^= 0x81;
            fs::write(&path, &wrong).unwrap();
            let mut changed = manifest.clone();
            changed["files"][file]["blake3"] = blake3::hash(&wrong).to_hex().as_str().into();
            replace_manifest(data.path(), &name, &changed);
            stream_everything(data.path());
            match Generation::open(data.path()) {
                Ok(generation) => use_everything(&generation),
                Err(IndexError::Store(StoreError::Damaged { .. })) => refused += 1,
                Err(error) => panic!("{file} {place}: {error}"),
            }
        }
        fs::write(&path, whole).unwrap();
    }
    assert!(refused > 100, "{refused}");
}

/// Reads what a comparison with another generation reads; whatever is wrong is told.
fn stream_everything(data: &Path) {
    let Ok(edition) = served_edition(data) else { return };
    for records in [edition.records.releases, edition.records.emissions] {
        let _ = records.take_while(Result::is_ok).count();
    }
}

/// Reads everything that a search might read.
fn use_everything(generation: &Generation) {
    for record_kind in RecordKind::ALL {
        let kind = generation.kinds.of(record_kind);
        let mut id = Vec::new();
        for document in 0..kind.len() as u32 {
            kind.write_record_id(document, &mut id);
            if let StoredRecord::Release(release) = kind.record(document) {
                let parts = release.parts();
                parts.for_each(|(category, _, _)| id.extend(kind.categories.bytes(category)));
            }
        }
        for compared in ValueMeasure::of(record_kind) {
            let order = kind.order(*compared);
            for ends in order.starts.windows(2) {
                assert!(order.documents.get(ends[0] as usize..ends[1] as usize).is_some());
            }
            assert_eq!((order.documents.len(), order.ordinals.len()), (kind.len(), kind.len()));
        }
        let dimensions = 0..kind.postings.len() as u32;
        assert!(
            dimensions
                .flat_map(|dimension| kind.postings.of(dimension))
                .all(|document| (*document as usize) < kind.len())
        );
        for labelled in [Labelled::Facility, Labelled::Province] {
            let labels = kind.labels(labelled);
            assert!(labels.slots.iter().all(|slot| *slot as usize <= labels.len()));
            (0..labels.len()).for_each(|place| assert!(labels.get(place).is_some()));
        }
    }
}

#[test]
fn an_index_that_does_not_find_its_records_is_not_published() {
    let data = tempfile::tempdir().unwrap();
    let before = publish(data.path(), &[releases(), emissions()]).name;
    let mut renamed = releases();
    let mut other = (*renamed.sites[1]).clone();
    other.every_name = vec!["A name that the index does not know".into()];
    renamed.sites[1] = Arc::new(other);
    let mut staging = Staging::begin(data.path()).unwrap();
    staging.write_kind(&renamed, encode(&releases()).unwrap()).unwrap();
    staging.write_kind(&emissions(), encode(&emissions()).unwrap()).unwrap();
    match staging.publish(Vec::new()) {
        Err(IndexError::Disagrees { kind: "release", .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(Current::read(data.path()).unwrap().generation, before);
    let expected = ["CURRENT", "LOCK", &before].map(str::to_owned);
    assert_eq!(names(data.path()), BTreeSet::from(expected));
}
