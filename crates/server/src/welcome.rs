//! The message of a start without `--data`: what is served, and commands to paste.

use std::fmt::{self, Display, Formatter};
use std::net::SocketAddr;
use std::path::Path;

use outfall_records::{DatasetInfo, KindInfo, RecordKind};

use crate::HostName;
use crate::sample::{DEMO_KEY, DemoKey};

/// The message of a service that listens.
pub(crate) struct Welcome<'a> {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// The data directory.
    pub(crate) data: &'a Path,
    /// The index that is served.
    pub(crate) served: Served<'a>,
    /// Why that is not the published index.
    pub(crate) trouble: Option<&'a str>,
    /// The headers that a request needs; `None` if a command to paste cannot have them.
    pub(crate) access: Option<Access<'a>>,
    /// Where the explorer is, if there is one.
    pub(crate) page: Option<String>,
}

/// The index that is served.
pub(crate) enum Served<'a> {
    /// The sample of the source tree.
    Sample,
    /// Any other index.
    Other(&'a DatasetInfo),
    /// No index at all.
    Nothing,
}

/// The headers that a request needs.
pub(crate) enum Access<'a> {
    /// None.
    Open,
    /// This host name, and this key; without a key, one that only its client knows.
    Key(&'a HostName, Option<&'a DemoKey>),
}

impl Display for Welcome<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (address, data) = (self.address, self.data.display());
        match self.served {
            Served::Nothing => {
                let trouble = self.trouble.unwrap_or("there is no index");
                writeln!(out, "\nOutfall listens on http://{address} and has nothing to serve:")?;
                writeln!(out, "{trouble}.\n")?;
                writeln!(out, "Searches are answered 503 until `index-build --data {data} FILE…`")?;
                writeln!(out, "has published an index. Stop with Ctrl-C.\n")
            }
            Served::Sample => {
                self.page(out)?;
                writeln!(out, "\nOutfall serves the sample data on http://{address}.")?;
                self.trouble(out)?;
                let release = "/release?q=mercury+OR+lead&sort_by=value&value_unit=kg&limit=3";
                let emission = "/emission?province=Alberta&sort_by=value&limit=3";
                self.lines(out, &[release, emission])?;
                writeln!(out, "Next: `province=QC`, `q=\"sulphur dioxide\"`, `naics_code=2111`,")?;
                writeln!(
                    out,
                    "`issued_after=2015`; docs/api.md has every parameter, and README.md"
                )?;
                writeln!(out, "explains how to serve the official files. Stop with Ctrl-C.\n")
            }
            Served::Other(dataset) => {
                self.page(out)?;
                writeln!(out, "\nOutfall serves the index in `{data}` on http://{address}.")?;
                self.trouble(out)?;
                let mut targets = Vec::new();
                for record_kind in RecordKind::ALL {
                    let kind = dataset.kinds.get(record_kind.name());
                    let Some(kind) = kind.filter(|kind| kind.records > 0) else { continue };
                    writeln!(out, "  {}", Counted(record_kind, kind))?;
                    targets.push(match record_kind {
                        RecordKind::Release => "/release?sort_by=value&value_unit=kg&limit=3",
                        RecordKind::Emission => "/emission?sort_by=value&limit=3",
                    });
                }
                let names: Vec<&str> =
                    dataset.sources.iter().map(|source| source.name.as_str()).collect();
                writeln!(out, "  build {}, made from {}", dataset.build_id, names.join(", "))?;
                self.lines(out, &targets)?;
                writeln!(out, "docs/api.md has every parameter. Stop with Ctrl-C.\n")
            }
        }
    }
}

impl Welcome<'_> {
    fn page(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.page {
            Some(page) => writeln!(out, "\nExplore the data in a browser: {page}"),
            None => Ok(()),
        }
    }

    fn trouble(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.trouble {
            Some(reason) => {
                writeln!(out, "It is an older index, because the one published last is damaged:")?;
                writeln!(out, "{reason}.\n")
            }
            None => Ok(()),
        }
    }

    /// Writes the commands to paste.
    fn lines(&self, out: &mut Formatter<'_>, targets: &[&str]) -> fmt::Result {
        let headers = match self.access {
            None => return writeln!(out),
            Some(Access::Open) => String::new(),
            Some(Access::Key(host, Some(key))) => {
                format!("-H 'x-gateway-host: {host}' -H 'x-gateway-key: {}' ", key.as_str())
            }
            Some(Access::Key(host, None)) => {
                format!("-H 'x-gateway-host: {host}' -H \"x-gateway-key: $KEY\" ")
            }
        };
        match self.access {
            Some(Access::Key(_, None)) => {
                writeln!(out, "\nPaste one of these, with your key in KEY:\n")?
            }
            _ => writeln!(out, "\nPaste one of these:\n")?,
        }
        for target in targets {
            writeln!(out, "curl -s {headers}'http://{}{target}'\n", self.address)?;
        }
        match self.access {
            Some(Access::Key(_, Some(_))) => {
                writeln!(out, "The key is kept in `{}`.", self.data.join(DEMO_KEY).display())
            }
            _ => Ok(()),
        }
    }
}

/// How many records of a kind there are, and of which years.
struct Counted<'a>(RecordKind, &'a KindInfo);

impl Display for Counted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self(record_kind, kind) = self;
        let records = kind.records;
        write!(out, "{records} {record_kind}{}", if records == 1 { "" } else { "s" })?;
        match (kind.years.keys().next(), kind.years.keys().next_back()) {
            (Some(first), Some(last)) if first == last => write!(out, " of {first}"),
            (Some(first), Some(last)) => write!(out, " of {first} to {last}"),
            _ => Ok(()),
        }
    }
}
