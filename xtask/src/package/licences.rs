//! The licences of everything that is compiled into the programs, with their full texts, which most
//! of them ask to be passed on.
//!
//! The texts are those that crates bring along, including those of the C libraries inside them.
//! `cargo deny`, another step of `cargo xtask test`, checks that each licence is one that is
//! allowed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use cargo_metadata::{CrateType, DependencyKind, Metadata, MetadataCommand, Package, PackageId};

use crate::tool::root;

/// The packages whose programs are installed.
const PROGRAMS: [&str; 2] = ["outfall-server", "index-build"];
/// How the names of files with licences begin, in lower case.
const NAMES: [&str; 6] = ["licen", "copying", "copyright", "notice", "unlicense", "authors"];
/// How deep below the folder of a crate licence files are looked for: C libraries have their own
/// folders.
const DEPTH: usize = 3;

/// A list of the dependencies of the programs on `target`, and the text of each of their licences.
pub(super) fn of_dependencies(target: &str) -> anyhow::Result<String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--locked", "--filter-platform", target].map(str::to_owned))
        .exec()
        .context("cargo does not tell the dependencies")?;
    let packages = linked(&metadata)?;
    let mut list = String::from(
        "The programs of Outfall contain these libraries, each under its own licence. The texts \
         follow the list.\n\n",
    );
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in &packages {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("see its text");
        let source = package.repository.as_deref().unwrap_or("https://crates.io");
        writeln!(list, "{name}: {licence}; {source}")?;
        for text in texts_of(package, &packages)? {
            texts.entry(text).or_default().insert(name.clone());
        }
    }
    for (text, names) in &texts {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        write!(list, "\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join(", "))?;
    }
    Ok(list)
}

/// The third-party packages that are linked into the programs: what they depend on to run, without
/// procedural macros, which run in the compiler.
fn linked(metadata: &Metadata) -> anyhow::Result<Vec<&Package>> {
    let resolved = metadata.resolve.as_ref().context("cargo does not resolve dependencies")?;
    let nodes: BTreeMap<&PackageId, _> =
        resolved.nodes.iter().map(|node| (&node.id, node)).collect();
    let is_program = |package: &&Package| PROGRAMS.contains(&package.name.as_str());
    let mut waiting: Vec<&PackageId> =
        metadata.packages.iter().filter(is_program).map(|package| &package.id).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if is_macro(&metadata[id]) || !found.insert(id) {
            continue;
        }
        let node = nodes.get(id).context("a dependency is not resolved")?;
        let is_linked = |kind: &cargo_metadata::DepKindInfo| kind.kind == DependencyKind::Normal;
        let next = node.deps.iter().filter(|next| next.dep_kinds.iter().any(is_linked));
        waiting.extend(next.map(|next| &next.pkg));
    }
    let packages = found.into_iter().map(|id| &metadata[id]);
    let mut packages: Vec<&Package> = packages.filter(|package| package.source.is_some()).collect();
    packages.sort_by_key(|package| (package.name.as_str(), &package.version));
    Ok(packages)
}

fn is_macro(package: &Package) -> bool {
    package.targets.iter().any(|target| target.crate_types.contains(&CrateType::ProcMacro))
}

/// The texts that belong to a package. A package without any has those of a package from the same
/// repository, or else the standard text of its licence.
fn texts_of(package: &Package, all: &[&Package]) -> anyhow::Result<BTreeSet<String>> {
    let own = texts_in(package)?;
    if !own.is_empty() {
        return Ok(own);
    }
    let siblings = all.iter().filter(|other| {
        package.repository.is_some()
            && other.repository == package.repository
            && other.license == package.license
    });
    for sibling in siblings {
        let texts = texts_in(sibling)?;
        if !texts.is_empty() {
            return Ok(texts);
        }
    }
    let licence = package.license.as_deref().unwrap_or_default();
    let text = match licence {
        either if either.contains("Apache-2.0") => {
            fs::read_to_string(root().join("LICENSE-APACHE"))?
        }
        "MIT" => {
            let own = fs::read_to_string(root().join("LICENSE-MIT"))?;
            let (_, grant) = own.split_once("Permission is").context("LICENSE-MIT has no grant")?;
            let authors = package.authors.join(", ");
            format!("MIT License\n\nCopyright (c) {authors}\n\nPermission is{grant}")
        }
        other => bail!("{} has no text of its licence, {other}", package.name),
    };
    Ok([tidy(&text)].into())
}

/// The texts in the files of a package.
fn texts_in(package: &Package) -> anyhow::Result<BTreeSet<String>> {
    let folder = package.manifest_path.parent().context("a manifest is in a folder")?;
    let mut texts = BTreeSet::new();
    let mut waiting = vec![(folder.as_std_path().to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        for path in entries(&folder)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            if path.is_dir() && depth < DEPTH {
                waiting.push((path, depth + 1));
            } else if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
                // Texts of other encodings are kept as well as they can be.
                texts.insert(tidy(&String::from_utf8_lossy(&fs::read(&path)?)));
            }
        }
    }
    Ok(texts)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let read = fs::read_dir(folder).with_context(|| format!("`{}`", folder.display()))?;
    Ok(read.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?)
}

/// The text without the parts that differ between copies of it.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn every_linked_library_is_listed_with_a_text_and_no_tool_is() {
        let text = of_dependencies("x86_64-unknown-linux-gnu").unwrap();
        for listed in [
            "\ntantivy ",
            "\nactix-web ",
            "\nzstd-sys ",
            "\nmimalloc ",
            // Of C libraries inside crates, and of a crate without a text.
            "Copyright (c) Meta Platforms",
            "Microsoft Corporation",
            "tantivy-sstable",
        ] {
            assert!(text.contains(listed), "{listed:?}");
        }
        for tool in ["\nlibfuzzer-sys ", "\nproptest ", "\nserde_derive ", "\ncc ", "\noutfall-"] {
            assert!(!text.contains(tool), "{tool:?}");
        }
    }
}
