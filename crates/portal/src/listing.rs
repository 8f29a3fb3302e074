//! What an update would download.

use std::fmt;

use serde::Serialize;

use crate::{Found, Portal};

/// The official files that a portal lists, for people and for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// The address of the portal.
    portal: String,
    files: Vec<Listed>,
}

/// An official file, as the portal lists it.
#[derive(Clone, Debug, Serialize)]
struct Listed {
    kind: &'static str,
    dataset: &'static str,
    /// The name of the likeliest resource.
    name: String,
    format: String,
    url: String,
    /// The addresses that are tried next, if the file at `url` turns out to be another one.
    alternatives: Vec<String>,
}

impl Listing {
    pub(crate) fn of(portal: &Portal, found: Vec<Found>) -> Self {
        let files = found.into_iter().filter_map(|Found { file, candidates }| {
            let mut candidates = candidates.into_iter();
            let first = candidates.next()?;
            Some(Listed {
                kind: file.kind.name(),
                dataset: file.dataset,
                name: first.file_name(),
                format: first.format,
                url: first.url,
                alternatives: candidates.map(|candidate| candidate.url).collect(),
            })
        });
        Self { portal: portal.url().to_owned(), files: files.collect() }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Listed { kind, name, url, alternatives, .. } in &self.files {
            writeln!(formatter, "{kind}: {name}\n  {url}")?;
            for alternative in alternatives {
                writeln!(formatter, "  or {alternative}")?;
            }
        }
        writeln!(formatter, "listed only: nothing was downloaded, and nothing built")
    }
}
