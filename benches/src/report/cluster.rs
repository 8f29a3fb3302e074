//! Renders the section about a cluster, which is measured by itself and comes last.

use std::fmt::{self, Write};

use super::machine::describe;
use super::markdown::{number, spaced};
use crate::measure::cluster::{ClusterFigures, LAYOUT, Loaded};

/// How the section begins.
const TITLE: &str = "\n## A cluster\n";
/// The class that matters most for the limit: a page about everything.
const PAGE: &str = "seven facets of everything";
/// What a search of the service may take, in seconds.
const LIMIT: f64 = 2.0;

/// Renders the section.
///
/// # Errors
/// Never in practice: writing to a `String` does not fail.
pub fn render_cluster(
    figures: &ClusterFigures,
    rows: u64,
    command: &str,
) -> Result<String, fmt::Error> {
    let mut text = TITLE.to_owned();
    let ClusterFigures { version, nodes, records, .. } = figures;
    let (layout, records) = (LAYOUT, spaced(*records));
    writeln!(
        text,
        "\nWritten by `{command}` alone; the other sections do not change with it. The embedded engine \
         and an OpenSearch cluster take turns in one run, at the requests above, after both have \
         given the same answer to each: count, ids, order, bytes, facets. The cluster is OpenSearch \
         {version}, {nodes} nodes in one JVM with a heap of 4 GB, on the same machine as what asks; \
         {shards} shards of each kind, no replicas. So these are upper bounds for what a cluster with \
         machines of its own takes, but for the way to it.\n\n\
         Machine: {machine}.\n\
         Corpus: {rows} rows of releases and the GHGRP file in proportion, {records} records.",
        shards = layout.shards,
        machine = describe(),
        rows = spaced(rows),
    )?;
    loads(&mut text, figures)?;
    limit(&mut text, figures)?;
    text.push_str("\nShuffled, in milliseconds: mean and p99.\n\n| Class |");
    for pass in figures.classes.iter().take(1).flat_map(|class| &class.passes) {
        write!(text, " {} |", pass.name)?;
    }
    text.push_str("\n|---|---|---|\n");
    for class in &figures.classes {
        write!(text, "| {} |", class.class)?;
        for pass in &class.passes {
            write!(text, " {} / {} |", number(pass.mean * 1e3), number(pass.p99 * 1e3))?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// The time that a build takes, and the bytes that it stores.
fn loads(text: &mut String, figures: &ClusterFigures) -> fmt::Result {
    let [embedded, cluster] = &figures.loaded;
    writeln!(
        text,
        "\n| From files to served | {} | {} |\n|---|---|---|",
        embedded.name, cluster.name
    )?;
    for (stage, seconds) in &embedded.stages {
        let in_cluster = cluster.stages.iter().find(|(other, _)| other == stage);
        let in_cluster = in_cluster.map_or_else(|| "–".to_owned(), |(_, other)| number(*other));
        writeln!(text, "| {stage}, s | {} | {in_cluster} |", number(*seconds))?;
    }
    let records = figures.records as f64;
    let mut row = |what: &str, of: &dyn Fn(&Loaded) -> f64| {
        writeln!(text, "| {what} | {} | {} |", number(of(embedded)), number(of(cluster)))
    };
    row("all, s", &|loaded| loaded.seconds())?;
    row("records a second, of all", &|loaded| records / loaded.seconds())?;
    row("records a second, of *index*", &|loaded| {
        let index = loaded.stages.iter().find(|(stage, _)| stage == "index");
        index.map_or(f64::NAN, |(_, seconds)| records / seconds)
    })?;
    row("bytes a record", &|loaded| loaded.bytes as f64 / records)
}

/// Whether the service, which gives a search two seconds, can answer every class.
fn limit(text: &mut String, figures: &ClusterFigures) -> fmt::Result {
    let of_cluster = |class: &str| {
        let figures = figures.classes.iter().find(|figures| figures.class == class)?;
        figures.passes.last()
    };
    if let Some(page) = of_cluster(PAGE) {
        let verdict = if page.p99 <= LIMIT { "within" } else { "**not within**" };
        writeln!(
            text,
            "\nA page with seven facets over everything takes the cluster {} ms on average and {} ms at \
             worst, {verdict} the {LIMIT} s that the service gives a search.",
            number(page.mean * 1e3),
            number(page.p99 * 1e3)
        )?;
    }
    let is_over = |class: &&'static str| of_cluster(class).is_some_and(|pass| pass.p99 > LIMIT);
    let classes = figures.classes.iter().map(|figures| figures.class);
    let over: Vec<&str> = classes.filter(is_over).collect();
    match over.is_empty() {
        true => writeln!(text, "No request took longer than that."),
        false => writeln!(text, "Longer than that took some of: {}.", over.join("; ")),
    }
}

/// A document with its section about a cluster replaced, or added at its end.
#[must_use]
pub fn with_cluster(document: &str, section: &str) -> String {
    let (rest, _) = split(document);
    format!("{rest}{section}")
}

/// A document with the section about a cluster that an older one has.
#[must_use]
pub fn keeping_cluster(document: &str, older: &str) -> String {
    with_cluster(document, split(older).1)
}

/// The text before the section about a cluster, and the section, which may be empty.
fn split(document: &str) -> (&str, &str) {
    document.split_at(document.find(TITLE).unwrap_or(document.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_is_replaced_alone_and_kept_otherwise() {
        let older = format!("# Old\n{TITLE}\n1\n");
        let newer = format!("{TITLE}\n2\n");
        for (document, section, expected) in [
            ("# Old\n", newer.as_str(), format!("# Old\n{newer}")),
            (older.as_str(), newer.as_str(), format!("# Old\n{newer}")),
        ] {
            assert_eq!(with_cluster(document, section), expected);
        }
        assert_eq!(keeping_cluster("# New\n", &older), format!("# New\n{TITLE}\n1\n"));
        assert_eq!(keeping_cluster("# New\n", "# Old\n"), "# New\n");
    }
}
