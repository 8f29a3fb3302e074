//! Renders the figures as Markdown.

use std::fmt::{self, Write};

use super::figures::{Figures, PassFigures};
use super::goals::{GOALS, Limit};
use super::machine::describe;
use crate::measure::http::KeptFigures;

const INTRODUCTION: &str = "\
# Performance

Written by `cargo xtask bench --write`; not edited by hand. Only ratios within one run are claims:
baseline and candidate take turns in the same run, and a ratio is one of medians. Every answer that
is timed was first found to be the same, in count, ids, order and bytes, from the reference backend
(on the corpus of 120 000 rows), the naive and the stock way and the service; under load anything
but 200 fails the run.

- *parse*: the `csv` crate over a buffered file, one record reused, every field touched, nothing
  decoded or kept: the floor under every build.
- *naive*: tantivy as its documentation shows it: one document a record, all of its text in one
  field, the engine's own writer and segments, `(TopDocs, Count)` by fast fields, stored JSON.
- *stock*: the same in one segment in canonical order, which is the best that it can do.
- *static handler*: actix-web that looks the same body up and sends it.
";

/// Renders the document about some corpora. Its claims are those of the corpus of 1 200 000 rows,
/// or of the last one if there is none of that size.
///
/// # Errors
/// Never in practice: writing to a `String` does not fail.
pub fn render(runs: &[Figures], command: &str) -> Result<String, fmt::Error> {
    let mut text = INTRODUCTION.to_owned();
    writeln!(text, "\nMachine: {}. Command: `{command}`.", describe())?;
    if let Some(main) = runs.iter().find(|run| run.rows == 1_200_000).or(runs.last()) {
        writeln!(
            text,
            "Corpus: {} rows of releases and the GHGRP file in proportion, {} records, {} MB of CSV.",
            spaced(main.rows),
            spaced(main.records),
            main.csv_bytes / 1_000_000
        )?;
        goals(&mut text, main)?;
        searches(&mut text, main)?;
        bounded_sorts(&mut text, main)?;
        builds(&mut text, main)?;
        load(&mut text, main)?;
        classes(&mut text, main)?;
    }
    if runs.len() > 1 {
        growth(&mut text, runs)?;
    }
    Ok(text)
}

fn goals(text: &mut String, run: &Figures) -> fmt::Result {
    text.push_str("\n## Goals\n\n| Ratio | Must | Goal | Measured | |\n|---|---|---|---|---|\n");
    for goal in GOALS {
        let ratio = (goal.measured)(run);
        let verdict = match ratio {
            None => "–",
            Some(ratio) if goal.goal.is_met_by(ratio) => "goal",
            Some(ratio) if goal.must.is_met_by(ratio) => "must",
            Some(_) => "**missed**",
        };
        let ratio = ratio.map_or_else(|| "–".to_owned(), number);
        writeln!(text, "| {} | {} | {} | {ratio} | {verdict} |", goal.area, goal.must, goal.goal)?;
    }
    Ok(())
}

fn searches(text: &mut String, run: &Figures) -> fmt::Result {
    text.push_str(
        "\n## Searches\n\nAll requests but those for facets, body included, in microseconds. *Shuffled*: \
         each once, in a random order; *hot*: each again and again.\n\n\
         | Way | shuffled mean | shuffled p99 | hot mean |\n|---|---|---|---|\n",
    );
    for PassFigures { name, mean, p99, hot_mean } in &run.passes {
        let [mean, p99, hot] = [*mean, *p99, *hot_mean].map(micros);
        writeln!(text, "| {name} | {mean} | {p99} | {hot} |")?;
    }
    Ok(())
}

fn bounded_sorts(text: &mut String, run: &Figures) -> fmt::Result {
    text.push_str(
        "\n## Sorts by value with bounds\n\nHot, a class of requests at a time, against the same requests without \
         `value_min` and `value_max`.\n\n| Class | with bounds / without |\n|---|---|\n",
    );
    for sort in &run.bounded_sorts {
        writeln!(text, "| {} | {} |", sort.class, number(sort.bounded / sort.unbounded))?;
    }
    Ok(())
}

fn builds(text: &mut String, run: &Figures) -> fmt::Result {
    text.push_str(
        "\n## Builds\n\n*outfall, again* replaces the index by an equal one, and lists what changed.\n\n| Work | CPU s | wall s | peak MB | bytes / CSV |\n|---|---|---|---|---|\n",
    );
    let build = &run.build;
    let works = [
        ("parse", Some(build.parse)),
        ("naive", build.naive),
        ("outfall", Some(build.build)),
        ("outfall, again", Some(build.replace)),
        ("open", Some(build.open)),
    ];
    let works = works.into_iter().filter_map(|(name, usage)| Some((name, usage?)));
    for (name, usage) in works {
        let bytes = match name {
            "open" => "–".to_owned(),
            _ => number(usage.bytes as f64 / run.csv_bytes as f64),
        };
        let (cpu, wall) = (number(usage.cpu), number(usage.wall));
        writeln!(text, "| {name} | {cpu} | {wall} | {} | {bytes} |", usage.peak / 1_000_000)?;
    }
    Ok(())
}

fn load(text: &mut String, run: &Figures) -> fmt::Result {
    text.push_str(
        "\n## HTTP\n\nThe same requests, without those for facets, under wrk on the same machine; CPU is that of the server alone.\n\n\
         | Connections | search req/s | static req/s | ratio | search CPU µs | static CPU µs | ratio |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for http in &run.http.load {
        writeln!(
            text,
            "| {} | {:.0} | {:.0} | {} | {} | {} | {} |",
            http.connections,
            http.search_rate,
            http.static_rate,
            number(http.search_rate / http.static_rate),
            micros(http.search_cpu),
            micros(http.static_cpu),
            number(http.search_cpu / http.static_cpu),
        )?;
    }
    writeln!(text, "\nMemory of the service after it: {} MB.", run.http.memory / 1_000_000)?;
    text.push_str(
        "\nOne client, one request after the other, without compression, in microseconds:\n\n\
         | Request | kept connection | fresh connections | ratio |\n|---|---|---|---|\n",
    );
    for KeptFigures { target, kept, fresh } in &run.http.kept {
        let ratio = number(kept / fresh);
        writeln!(text, "| `{target}` | {} | {} | {ratio} |", micros(*kept), micros(*fresh))?;
    }
    Ok(())
}

fn classes(text: &mut String, run: &Figures) -> fmt::Result {
    text.push_str(
        "\n## Classes of requests\n\nShuffled, in microseconds: mean and p99.\n\n| Class |",
    );
    for pass in &run.passes {
        write!(text, " {} |", pass.name)?;
    }
    writeln!(text, "\n|---|{}", "---|".repeat(run.passes.len()))?;
    for class in &run.classes {
        write!(text, "| {} |", class.class)?;
        for pass in &class.passes {
            write!(text, " {} / {} |", micros(pass.mean), micros(pass.p99))?;
        }
        text.push('\n');
    }
    Ok(())
}

fn growth(text: &mut String, runs: &[Figures]) -> fmt::Result {
    text.push_str(
        "\n## Growth\n\nA corpus without a naive way has two requests of each class, the others twelve.\n\n\
         | Ratio | Must |",
    );
    for run in runs {
        write!(text, " {} rows |", spaced(run.rows))?;
    }
    writeln!(text, "\n|---|---|{}", "---|".repeat(runs.len()))?;
    for goal in GOALS {
        write!(text, "| {} | {} |", goal.area, goal.must)?;
        for run in runs {
            let ratio = (goal.measured)(run);
            write!(text, " {} |", ratio.map_or_else(|| "–".to_owned(), number))?;
        }
        text.push('\n');
    }
    Ok(())
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(limit) => write!(formatter, "≤ {limit}"),
            Self::AtLeast(limit) => write!(formatter, "≥ {limit}"),
        }
    }
}

/// Writes three digits, or all those before the point.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn micros(seconds: f64) -> String {
    number(seconds * 1e6)
}

/// Separates thousands by spaces, as official texts do.
pub(super) fn spaced(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, expected) in
            [(1234.5, "1234"), (12.345, "12.3"), (1.2345, "1.23"), (0.5, "0.50"), (0.0123, "0.012")]
        {
            assert_eq!(number(value), expected);
        }
        assert_eq!(spaced(1_200_000), "1 200 000");
        assert_eq!(spaced(999), "999");
    }
}
