//! The rules of `ARCHITECTURE.md` that the manifests and the tree can break.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, TargetKind};

/// What each package may depend on within the workspace: to build, and to test.
const EDGES: [(&str, &[&str], &[&str]); 12] = [
    ("outfall-records", &[], &[]),
    ("outfall-request", &["outfall-records"], &["outfall-contract"]),
    ("outfall-contract", &["outfall-records", "outfall-request"], &[]),
    (
        "outfall-query",
        &["outfall-records", "outfall-request"],
        &["outfall-contract", "outfall-indexer"],
    ),
    ("outfall-indexer", &["outfall-query", "outfall-records"], &["outfall-fixtures"]),
    (
        "outfall-server",
        &["outfall-indexer", "outfall-query", "outfall-records", "outfall-request"],
        &["outfall-fixtures"],
    ),
    ("index-build", &["outfall-indexer"], &["outfall-fixtures"]),
    ("outfall-fixtures", &[], &[]),
    (
        "outfall-fuzz",
        &[
            "outfall-fixtures",
            "outfall-indexer",
            "outfall-query",
            "outfall-records",
            "outfall-request",
            "outfall-server",
        ],
        &[],
    ),
    (
        "outfall-benches",
        &[
            "outfall-fixtures",
            "outfall-indexer",
            "outfall-query",
            "outfall-records",
            "outfall-request",
        ],
        &[],
    ),
    ("outfall-reliability", &["outfall-fixtures", "outfall-query"], &[]),
    ("xtask", &["outfall-fixtures"], &[]),
];

/// The only packages that may name a crate.
const OWNERS: [(&str, &[&str]); 3] = [
    ("tantivy", &["outfall-query", "outfall-benches"]),
    ("actix-web", &["outfall-server", "outfall-benches"]),
    ("rand", &["outfall-fixtures", "outfall-benches"]),
];

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn dependencies(package: &Package, is_dev: bool) -> BTreeSet<&str> {
    let wanted = |kind| (kind == DependencyKind::Development) == is_dev;
    let kept = package.dependencies.iter().filter(|it| wanted(it.kind));
    kept.map(|it| it.name.as_str()).collect()
}

#[test]
fn packages_depend_on_each_other_in_one_direction() {
    let metadata = metadata();
    let members: BTreeSet<&str> = metadata.packages.iter().map(|it| it.name.as_str()).collect();
    let known: BTreeMap<_, _> = EDGES.iter().map(|(name, to, dev)| (*name, (*to, *dev))).collect();
    assert_eq!(members, known.keys().copied().collect(), "packages of the workspace");
    for package in &metadata.packages {
        let (normal, dev) = known[package.name.as_str()];
        for (allowed, is_dev) in [(normal, false), (dev, true)] {
            let found = dependencies(package, is_dev);
            let found: BTreeSet<&str> = found.intersection(&members).copied().collect();
            let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
            let added: Vec<_> = found.difference(&allowed).collect();
            let missing: Vec<_> = allowed.difference(&found).collect();
            let purpose = if is_dev { "to test" } else { "to build" };
            assert!(
                added.is_empty() && missing.is_empty(),
                "{} depends {purpose} on {added:?}, which ARCHITECTURE.md does not allow, and not \
                 on {missing:?}, which it names",
                package.name
            );
        }
    }
}

#[test]
fn only_their_owners_name_the_large_crates() {
    for package in &metadata().packages {
        for (dependency, owners) in OWNERS {
            let names_it = package.dependencies.iter().any(|it| it.name == dependency);
            let name = package.name.as_str();
            assert!(!names_it || owners.contains(&name), "{name} names `{dependency}`");
        }
    }
}

#[test]
fn every_package_inherits_the_lints_and_runs_no_code_to_build() {
    for package in &metadata().packages {
        let name = &package.name;
        let manifest = fs::read_to_string(&package.manifest_path).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} has lints of its own");
        let is_script = |kind: &TargetKind| *kind == TargetKind::CustomBuild;
        let scripts = package.targets.iter().filter(|target| target.kind.iter().any(is_script));
        assert_eq!(scripts.count(), 0, "{name} has a build.rs");
        assert_eq!(package.license.as_deref(), Some("MIT OR Apache-2.0"), "{name}");
    }
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("unsafe_code = \"forbid\""));
}

#[test]
fn every_dependency_is_used_and_says_why() {
    let metadata = metadata();
    let all = metadata.packages.iter().flat_map(|package| &package.dependencies);
    let used: BTreeSet<&str> = all.map(|dependency| dependency.name.as_str()).collect();
    let members: BTreeSet<&str> = metadata.packages.iter().map(|it| it.name.as_str()).collect();
    let external: BTreeSet<&str> = used.difference(&members).copied().collect();
    let document = fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let explained = document.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(explained.collect::<BTreeSet<_>>(), external, "docs/dependencies.md");

    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let listed = workspace.split("[workspace.dependencies]").nth(1).unwrap();
    let listed = listed.split("\n[").next().unwrap().lines();
    let listed = listed.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    let unused: Vec<_> = listed.filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "no package uses {unused:?}");
}
