//! Every target holds for its kept inputs, and for random changes of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use outfall_fuzz::TARGETS;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// How many inputs are changed at random for each target.
const CASES: u32 = 400;

/// The inputs that are kept for a target, in the order of their names.
fn kept(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{target}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 3, "`{}` keeps next to nothing", folder.display());
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn what_was_kept_holds() {
    for (name, target) in TARGETS {
        kept(name).iter().for_each(|input| target(input));
    }
}

/// One of the kept inputs, with some of its bytes replaced, removed or inserted.
fn changed(kept: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), 0..3_u8, any::<u8>());
    let changes = proptest::collection::vec(change, 0..6);
    (prop::sample::select(kept), changes).prop_map(|(mut input, changes)| {
        for (place, kind, byte) in changes {
            let place = place.index(input.len() + 1);
            match (kind, input.get_mut(place)) {
                (0, Some(old)) => *old = byte,
                (1, Some(_)) => drop(input.remove(place)),
                _ => input.insert(place, byte),
            }
        }
        input
    })
}

#[test]
fn what_chance_makes_of_it_holds() {
    for (name, target) in TARGETS {
        let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new(config);
        let tried = runner.run(&changed(kept(name)), |input| {
            target(&input);
            Ok(())
        });
        assert!(tried.is_ok(), "{name}: {tried:?}");
    }
}

#[test]
fn every_target_is_a_program_with_a_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("[[bin]]\nname = \"{name}\"\n")), "{name}");
        let program = fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("outfall_fuzz::{name}(data)")), "{name}");
    }
    let corpora = fs::read_dir(folder.join("corpus")).unwrap();
    assert_eq!(corpora.count(), TARGETS.len());
}
