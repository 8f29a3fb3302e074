//! The commands, each for the engine that the index is built for.

use std::path::PathBuf;

use outfall_indexer::{BuildReport, TerminalProgress};
use outfall_opensearch::{Loader, OpenSearchBackend};
use outfall_portal::{Update, Updated};
use outfall_query::{Generation, Staging};

use crate::cli::{Cli, Engine};

/// Checks that the published index is whole; returns its name.
pub(crate) fn check(cli: &Cli) -> anyhow::Result<String> {
    match cli.to {
        Engine::Embedded => Ok(Generation::open(&data(cli)?)?.name),
        Engine::Opensearch => {
            let backend = OpenSearchBackend::open(&cli.cluster.client()?, cli.cluster.names())?;
            Ok(backend.generation().to_owned())
        }
    }
}

/// Publishes the newest whole generation before the served one again; returns its name.
pub(crate) fn roll_back(cli: &Cli) -> anyhow::Result<String> {
    match cli.to {
        Engine::Embedded => Ok(outfall_query::roll_back(&data(cli)?)?),
        Engine::Opensearch => {
            Ok(outfall_opensearch::roll_back(&cli.cluster.client()?, cli.cluster.names())?)
        }
    }
}

/// Builds and publishes.
pub(crate) fn build(cli: &Cli) -> anyhow::Result<BuildReport> {
    let (options, progress) = (cli.options(), TerminalProgress::default());
    match cli.to {
        Engine::Embedded => {
            let sink = Staging::begin(&data(cli)?)?;
            Ok(outfall_indexer::build(&options, sink, &progress)?)
        }
        Engine::Opensearch => {
            let sink = Loader::begin(&cli.cluster.client()?, cli.cluster.load_options())?;
            Ok(outfall_indexer::build(&options, sink, &progress)?)
        }
    }
}

/// Brings the index up to date from a portal.
pub(crate) fn update(cli: &Cli, update: &Update) -> anyhow::Result<Updated> {
    let progress = TerminalProgress::default();
    match cli.to {
        Engine::Embedded => {
            let data = data(cli)?;
            Ok(update.run(|| Staging::begin(&data), &progress)?)
        }
        Engine::Opensearch => {
            let client = cli.cluster.client()?;
            Ok(update.run(|| Loader::begin(&client, cli.cluster.load_options()), &progress)?)
        }
    }
}

/// The data directory, which the command line names unless it names a cluster.
fn data(cli: &Cli) -> anyhow::Result<PathBuf> {
    cli.data.clone().ok_or_else(|| anyhow::anyhow!("no data directory is named"))
}
