//! The list of what a build changes, beside its index.

use std::fs::{self, File};
use std::io;

use outfall_records::{PerKind, Tables};
use outfall_request::{EditionRecords, RecordSink, edition_records};

use super::{ChangeList, CompareError, Compared, compare_editions};
use crate::{BuildError, Progress};

/// Lists what changes from the served edition to `tables`; `None` if there is nothing to compare
/// with. A served edition that cannot be read is replaced all the same.
pub(crate) fn list_changes<S: RecordSink>(
    sink: &S,
    tables: &PerKind<Tables>,
    progress: &dyn Progress,
) -> Result<Option<Compared>, BuildError<S::Error>> {
    let not_compared =
        |error: S::Error| Ok(Some(Compared::Not { not_compared: error.to_string() }));
    let old = match sink.served_edition() {
        Ok(None) => return Ok(None),
        Ok(Some(old)) => old,
        Err(error) => return not_compared(error),
    };
    let path = sink.changes();
    let failed = |source: io::Error| BuildError::WriteChanges { path: path.clone(), source };
    let file = File::create_new(&path).map_err(failed)?;
    let mut list = ChangeList::begin(file).map_err(|error| failed(error.into()))?;
    let new =
        PerKind { releases: records(&tables.releases), emissions: records(&tables.emissions) };
    match compare_editions(old, new, |change| list.write(change), progress) {
        Ok(summary) => {
            list.finish().map_err(failed)?;
            Ok(Some(Compared::With(summary)))
        }
        Err(CompareError::List(source)) => Err(failed(source)),
        Err(CompareError::Edition(error)) => {
            drop(list);
            // An incomplete list would be mistaken for a complete one.
            fs::remove_file(&path).map_err(failed)?;
            not_compared(error)
        }
    }
}

fn records<E: 'static>(tables: &Tables) -> EditionRecords<'_, E> {
    Box::new(edition_records(tables).map(Ok))
}
