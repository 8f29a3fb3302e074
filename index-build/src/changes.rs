//! `--changes`: what changed from one generation to another.

use std::io::{self, Seek, Write};

use outfall_indexer::{
    ChangeList, ChangeListError, ChangeSummary, CompareError, TerminalProgress, compare_editions,
    read_changes,
};
use outfall_query::{IndexError, ServedChanges, kept_edition, served_changes, served_edition};

use crate::cli::{ChangesArgs, ReportFormat};

/// Why changes cannot be listed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChangesError {
    /// A generation cannot be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Two generations cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError<IndexError>),
    /// The list of the published generation cannot be read.
    #[error(transparent)]
    List(#[from] ChangeListError),
    /// The published generation has no list.
    #[error(
        "{generation} was not compared with another when it was built; \
         `--since` names a generation to compare it with"
    )]
    NotCompared {
        /// The published generation.
        generation: String,
    },
    /// The output was closed.
    #[error("cannot write what changed: {0}")]
    Write(#[from] io::Error),
}

/// Prints what changed.
pub(crate) fn tell(changes: ChangesArgs<'_>) -> Result<(), ChangesError> {
    match changes.since {
        None => tell_kept(changes),
        Some(since) => tell_compared(changes, since),
    }
}

/// Prints the list that was made when the published generation was built, or a summary of it.
fn tell_kept(changes: ChangesArgs<'_>) -> Result<(), ChangesError> {
    let ServedChanges { generation, list } = served_changes(changes.data)?;
    let Some((since, mut list)) = list else {
        return Err(ChangesError::NotCompared { generation });
    };
    let mut summary = ChangeSummary::since(since);
    // The whole list is read before any of it is printed.
    for change in read_changes(&list) {
        summary.add(change?);
    }
    if changes.is_list {
        list.rewind()?;
        io::copy(&mut list, &mut io::stdout())?;
        return Ok(());
    }
    print(changes.report, &generation, &summary)
}

/// Compares two generations that are kept.
fn tell_compared(changes: ChangesArgs<'_>, since: &str) -> Result<(), ChangesError> {
    let old = kept_edition(changes.data, since)?;
    let new = match changes.until {
        Some(until) => kept_edition(changes.data, until)?,
        None => served_edition(changes.data)?,
    };
    let (generation, progress) = (new.name, TerminalProgress::default());
    if changes.is_list {
        let mut list = ChangeList::begin(io::stdout().lock()).map_err(io::Error::from)?;
        compare_editions(old, new.records, |change| list.write(change), &progress)?;
        return Ok(list.finish()?);
    }
    let summary = compare_editions(old, new.records, |_| Ok(()), &progress)?;
    print(changes.report, &generation, &summary)
}

fn print(
    format: ReportFormat,
    generation: &str,
    summary: &ChangeSummary,
) -> Result<(), ChangesError> {
    let told = match format {
        ReportFormat::Text => format!("{generation}, {summary}"),
        // As text, because a value of JSON would round the numbers.
        ReportFormat::Json => {
            let changes = serde_json::to_string(summary).map_err(io::Error::from)?;
            format!("{{\"generation\":\"{generation}\",\"changes\":{changes}}}\n")
        }
    };
    Ok(io::stdout().write_all(told.as_bytes())?)
}
