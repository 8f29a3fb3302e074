//! Builds that are published in a real cluster, and builds that are not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::process::ExitCode;
use std::thread;

use libtest_mimic::{Arguments, Trial};
use outfall_contract::{records_by_hand, tables};
use outfall_opensearch::{ClusterError, Names, OpenSearchBackend, remove_all, roll_back};
use outfall_records::{Record, RecordKind};
use outfall_request::{
    RecordSink, SearchBackend, SearchError, SearchRequest, build_id, records_hash,
};
use support::{begin, client, names, publish};

const TESTS: [(&str, fn()); 10] = [
    ("a_build_that_ends_early_leaves_nothing", a_build_that_ends_early_leaves_nothing),
    ("the_identity_is_that_of_the_records", the_identity_is_that_of_the_records),
    ("of_two_builds_at_once_one_is_published", of_two_builds_at_once_one_is_published),
    (
        "two_older_generations_are_kept_to_roll_back_to",
        two_older_generations_are_kept_to_roll_back_to,
    ),
    ("a_generation_that_is_gone_gives_no_answer", a_generation_that_is_gone_gives_no_answer),
    ("half_a_generation_is_not_served", half_a_generation_is_not_served),
    ("a_record_that_has_no_place_ends_the_build", a_record_that_has_no_place_ends_the_build),
    ("of_two_first_builds_one_is_published", of_two_first_builds_one_is_published),
    (
        "what_was_never_published_is_not_rolled_back_to",
        what_was_never_published_is_not_rolled_back_to,
    ),
    ("records_that_cannot_be_counted_end_the_build", records_that_cannot_be_counted_end_the_build),
];

fn main() -> ExitCode {
    let obstacle = support::obstacle();
    let trials = TESTS.map(|(name, test)| {
        let trial = Trial::test(name, move || {
            test();
            Ok(())
        });
        match &obstacle {
            Some(reason) => trial.with_kind(format!("skipped: {reason}")).with_ignored_flag(true),
            None => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

/// Names whose indexes are removed at the end of a test.
struct Kept(Names);

impl Drop for Kept {
    fn drop(&mut self) {
        remove_all(&client(), &self.0).unwrap();
    }
}

fn kept() -> Kept {
    Kept(names())
}

fn open(names: &Names) -> Result<OpenSearchBackend, ClusterError> {
    OpenSearchBackend::open(&client(), names)
}

fn total(backend: &OpenSearchBackend) -> u64 {
    backend.search(&SearchRequest::all(RecordKind::Release)).unwrap().total
}

/// The records, without the first few releases.
fn fewer(by: usize) -> Vec<Record> {
    records_by_hand().split_off(by)
}

fn a_build_that_ends_early_leaves_nothing() {
    let kept = kept();
    let mut loader = begin(&kept.0);
    loader.write(tables(&records_by_hand())).unwrap();
    assert_eq!(loader.served().unwrap(), None);
    drop(loader);
    assert!(matches!(open(&kept.0), Err(ClusterError::NotServable { .. })));
    assert_eq!(publish(&kept.0, &fewer(0)).name, format!("{}", generation(&kept.0, 1)));
}

fn generation(names: &Names, number: u32) -> String {
    names.alias(RecordKind::Release).replace("-release", &format!("-gen-{number:06}"))
}

fn the_identity_is_that_of_the_records() {
    let kept = kept();
    let published = publish(&kept.0, &records_by_hand());
    let tables = tables(&records_by_hand());
    let hashes = tables.each().map(|tables| (tables.record_kind().name(), records_hash(tables)));
    assert_eq!(published.build_id, build_id(hashes.into_iter(), &[]));
    assert!(published.bytes > 0);
    let backend = open(&kept.0).unwrap();
    assert_eq!(backend.dataset().build_id, published.build_id);
    assert!(backend.dataset().published.is_some());
    let served = begin(&kept.0).served().unwrap().unwrap();
    assert_eq!((served.name, served.kinds), (published.name, backend.dataset().kinds.clone()));
}

fn of_two_builds_at_once_one_is_published() {
    let kept = kept();
    for round in 0..2 {
        let (mut first, mut second) = (begin(&kept.0), begin(&kept.0));
        first.write(tables(&fewer(1 + round))).unwrap();
        second.write(tables(&fewer(0))).unwrap();
        let published = second.publish(Vec::new()).unwrap();
        let overtaken = first.publish(Vec::new());
        assert!(matches!(overtaken, Err(ClusterError::Overtaken)), "{overtaken:?}");
        let backend = open(&kept.0).unwrap();
        assert_eq!(backend.generation(), published.name);
        assert_eq!(total(&backend), total_of(&fewer(0)));
    }
}

/// Both ask to be published in about the same moment, and there is nothing yet that they replace.
fn of_two_first_builds_one_is_published() {
    let kept = kept();
    let loaders = [begin(&kept.0), begin(&kept.0)].map(|mut loader| {
        loader.write(tables(&fewer(0))).unwrap();
        thread::spawn(move || loader.publish(Vec::new()))
    });
    let published = loaders.map(|loader| loader.join().unwrap());
    let names = published.iter().flatten().map(|published| published.name.clone());
    let names: Vec<String> = names.collect();
    assert_eq!(names, [open(&kept.0).unwrap().generation()], "{published:?}");
    let is_overtaken =
        |published: &&Result<_, _>| matches!(published, Err(ClusterError::Overtaken));
    assert_eq!(published.iter().filter(is_overtaken).count(), 1, "{published:?}");
}

fn total_of(records: &[Record]) -> u64 {
    records.iter().filter(|record| record.record_kind() == RecordKind::Release).count() as u64
}

fn two_older_generations_are_kept_to_roll_back_to() {
    let kept = kept();
    for number in 1..=4 {
        let published = publish(&kept.0, &fewer(number));
        assert_eq!(published.not_removed, None);
    }
    for number in [3, 2] {
        assert_eq!(roll_back(&client(), &kept.0).unwrap(), generation(&kept.0, number));
        let backend = open(&kept.0).unwrap();
        assert_eq!(total(&backend), total_of(&fewer(number as usize)));
    }
    assert!(matches!(roll_back(&client(), &kept.0), Err(ClusterError::NotServable { .. })));
    // The number of a generation is never used again.
    assert_eq!(publish(&kept.0, &fewer(5)).name, generation(&kept.0, 5));
}

/// A build that dies just before it is published leaves whole indexes, which nothing has checked.
fn what_was_never_published_is_not_rolled_back_to() {
    let kept = kept();
    for number in 1..=3 {
        publish(&kept.0, &fewer(number));
    }
    let index = format!("{}-release", generation(&kept.0, 2));
    support::put(&format!("{index}/_alias/{index}-loading"), "{}");
    assert_eq!(roll_back(&client(), &kept.0).unwrap(), generation(&kept.0, 1));
}

fn records_that_cannot_be_counted_end_the_build() {
    let kept = kept();
    publish(&kept.0, &fewer(0));
    let index = format!("{}-release", generation(&kept.0, 1));
    support::put(&format!("{index}/_mapping"), r#"{"_meta": {"format": 0}}"#);
    let served = begin(&kept.0).served();
    assert!(matches!(served, Err(ClusterError::NotServable { .. })), "{served:?}");
}

fn a_generation_that_is_gone_gives_no_answer() {
    let kept = kept();
    publish(&kept.0, &fewer(0));
    let backend = open(&kept.0).unwrap();
    remove_all(&client(), &kept.0).unwrap();
    let answer = backend.search(&SearchRequest::all(RecordKind::Release));
    assert!(matches!(answer, Err(SearchError::Unavailable { .. })), "{answer:?}");
}

fn half_a_generation_is_not_served() {
    let kept = kept();
    publish(&kept.0, &fewer(0));
    let index = format!("{}-emission", generation(&kept.0, 1));
    support::delete(&index);
    let opened = open(&kept.0).map(|backend| backend.generation().to_owned());
    assert!(matches!(opened, Err(ClusterError::NotServable { .. })), "{opened:?}");
}

fn a_record_that_has_no_place_ends_the_build() {
    let kept = kept();
    let mut records = fewer(0);
    let Record::Release(release) = &mut records[0] else { panic!("the first is a release") };
    let mut site = (*release.site).clone();
    site.every_name.push("x".repeat(33_000));
    release.site = site.into();
    let written = begin(&kept.0).write(tables(&records));
    assert!(matches!(written, Err(ClusterError::BadRecord { .. })), "{written:?}");
}
