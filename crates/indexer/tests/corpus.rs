//! Reads whole generated corpora: every row is accounted for, and the number of threads changes
//! nothing.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use outfall_fixtures::{CONTACT_CANARY, CorpusSummary, Shape, write_corpus};
use outfall_indexer::{BuildOptions, Dataset, Silent, read};
use outfall_records::{Decimal, Record, Tables};

const FILES: [&str; 4] = [
    outfall_fixtures::RELEASES,
    outfall_fixtures::LOCATIONS,
    outfall_fixtures::GHGRP,
    outfall_fixtures::CESI,
];

fn read_corpus(folder: &Path, threads: Option<usize>) -> Dataset {
    let options = BuildOptions {
        max_rejects: 1.0,
        threads,
        ..BuildOptions::of_files(FILES.map(|path| folder.join(path)))
    };
    read(&options, &Silent).unwrap()
}

fn corpus(seed: u64, rows: u64) -> (tempfile::TempDir, CorpusSummary) {
    let folder = tempfile::tempdir().unwrap();
    let summary = write_corpus(folder.path(), &Shape::sized(rows, seed)).unwrap();
    (folder, summary)
}

#[test]
fn every_row_that_was_written_is_read_and_only_the_spoiled_ones_are_rejected() {
    for seed in [1, 2, 3] {
        let (folder, summary) = corpus(seed, 20_000);
        let report = read_corpus(folder.path(), None).report;
        let expected = [summary.releases, summary.locations, summary.ghgrp, summary.cesi];
        for (file, expected) in report.files.iter().zip(expected) {
            let rejected: u64 = file.source.rejected.values().sum();
            assert_eq!(file.source.rows, expected.rows, "{file}");
            assert_eq!(rejected, expected.rejects, "{file}");
            assert_eq!(file.source.accepted + rejected + file.superseded, expected.rows);
        }
        assert_eq!(report.files[2].superseded, 0, "the GHGRP counts more than CESI");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (folder, _) = corpus(4, 60_000);
    let one = read_corpus(folder.path(), Some(1));
    // With more threads, more rows are read before the cells of earlier rows are remembered.
    for threads in [2, 5, 16] {
        let other = read_corpus(folder.path(), Some(threads));
        for (a, b) in [
            (&one.tables.releases, &other.tables.releases),
            (&one.tables.emissions, &other.tables.emissions),
        ] {
            assert!(shown(a) == shown(b), "{threads} threads");
        }
    }
}

fn shown(tables: &Tables) -> String {
    format!("{tables:?}")
}

#[test]
fn breakdowns_add_up_and_order_is_canonical() {
    let (folder, _) = corpus(5, 20_000);
    let dataset = read_corpus(folder.path(), None);
    for tables in [&dataset.tables.releases, &dataset.tables.emissions] {
        let key = |record: &Record| (std::cmp::Reverse(record.year()), record.record_id());
        let keys: Vec<_> = tables.records().map(|record| key(&record)).collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    }
    for record in dataset.tables.releases.records() {
        let Record::Release(release) = record else { panic!("a release") };
        let sum: Decimal = release.breakdown.iter().map(|part| part.quantity).sum();
        assert_eq!(sum, release.quantity, "{}", release.record_id());
        assert!(
            release.site.facility_name.iter().all(|name| release.site.every_name.contains(name))
        );
    }
}

#[test]
fn no_contact_of_a_corpus_comes_out() {
    let (folder, _) = corpus(6, 20_000);
    let dataset = read_corpus(folder.path(), None);
    let text = std::fs::read(folder.path().join(outfall_fixtures::GHGRP)).unwrap();
    assert!(String::from_utf8_lossy(&text).contains(CONTACT_CANARY));
    assert!(!format!("{dataset:?} {}", dataset.report).contains(CONTACT_CANARY));
}
