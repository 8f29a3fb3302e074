//! The rules of `ARCHITECTURE.md` that the manifests and the tree can break.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, TargetKind};

/// The only packages that may name a crate.
const OWNERS: [(&str, &[&str]); 5] = [
    ("tantivy", &["outfall-query", "outfall-benches"]),
    ("actix-web", &["outfall-server", "outfall-benches"]),
    ("tokio", &["outfall-server", "outfall-reliability"]),
    ("ureq", &["outfall-opensearch", "outfall-portal", "outfall-server", "outfall-benches"]),
    ("rand", &["outfall-fixtures", "outfall-benches"]),
];

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The packages of the workspace that a package may depend on.
#[derive(Debug)]
struct Allowed {
    to_build: BTreeSet<String>,
    to_test: BTreeSet<String>,
}

/// The table of packages in `ARCHITECTURE.md`: folder, package, what it is, what it depends on, and
/// what else its tests depend on.
fn allowed() -> BTreeMap<String, Allowed> {
    let document = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    let rows = rows.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect());
    let rows = rows.filter(|cells: &Vec<&str>| cells.len() == 5);
    let allowed = rows.map(|cells| {
        let names = |cell: &str| {
            let names = cell.split(", ").filter(|name| *name != "–");
            names.map(|name| format!("outfall-{name}")).collect()
        };
        let allowed = Allowed { to_build: names(cells[3]), to_test: names(cells[4]) };
        (cells[1].trim_matches('`').to_owned(), allowed)
    });
    allowed.collect()
}

/// The arrows of the map in `ARCHITECTURE.md`, `server --> api`.
fn arrows() -> BTreeSet<(String, String)> {
    let document = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let arrows = document.lines().filter_map(|line| line.trim().split_once(" --> "));
    let package = |name: &str| match name {
        "index-build" => name.to_owned(),
        name => format!("outfall-{name}"),
    };
    arrows.map(|(from, to)| (package(from), package(to))).collect()
}

fn dependencies(package: &Package, is_dev: bool) -> BTreeSet<&str> {
    let wanted = |kind| (kind == DependencyKind::Development) == is_dev;
    let kept = package.dependencies.iter().filter(|dependency| wanted(dependency.kind));
    kept.map(|dependency| dependency.name.as_str()).collect()
}

#[test]
fn packages_depend_on_each_other_in_one_direction() {
    let metadata = metadata();
    let members: BTreeSet<&str> =
        metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let allowed = allowed();
    let known: BTreeSet<&str> = allowed.keys().map(String::as_str).collect();
    assert_eq!(members, known, "packages of the workspace");
    let mut drawn = BTreeSet::new();
    for package in &metadata.packages {
        let name = package.name.as_str();
        let Allowed { to_build, to_test } = &allowed[name];
        for (allowed, is_dev) in [(to_build, false), (to_test, true)] {
            let found = dependencies(package, is_dev);
            let found: BTreeSet<&str> = found.intersection(&members).copied().collect();
            let allowed: BTreeSet<&str> = allowed.iter().map(String::as_str).collect();
            let added: Vec<_> = found.difference(&allowed).collect();
            let missing: Vec<_> = allowed.difference(&found).collect();
            let purpose = if is_dev { "to test" } else { "to build" };
            assert!(
                added.is_empty() && missing.is_empty(),
                "{name} depends {purpose} on {added:?}, which ARCHITECTURE.md does not allow, and \
                 not on {missing:?}, which it names",
            );
            let is_product =
                package.manifest_path.as_str().contains("/crates/") || name == "index-build";
            if is_product && !is_dev && name != "outfall-contract" {
                drawn.extend(found.iter().map(|to| (name.to_owned(), (*to).to_owned())));
            }
        }
    }
    assert_eq!(arrows(), drawn, "the map in ARCHITECTURE.md");
}

#[test]
fn only_their_owners_name_the_large_crates() {
    for package in &metadata().packages {
        for (dependency, owners) in OWNERS {
            let names_it = package.dependencies.iter().any(|listed| listed.name == dependency);
            let name = package.name.as_str();
            assert!(!names_it || owners.contains(&name), "{name} names `{dependency}`");
        }
    }
}

#[test]
fn one_file_of_the_server_names_the_engines() {
    let mut naming = BTreeSet::new();
    let mut folders = vec![root().join("crates/server/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let code = fs::read_to_string(&path).unwrap_or_default();
            if ["outfall_query", "outfall_opensearch"].iter().any(|engine| code.contains(engine)) {
                naming.insert(path.file_name().unwrap().to_owned());
            }
        }
    }
    assert_eq!(naming, BTreeSet::from(["engines.rs".into()]));
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
    let members: BTreeSet<&str> =
        metadata.packages.iter().map(|package| package.name.as_str()).collect();
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
