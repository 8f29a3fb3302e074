//! The exit codes, after `sysexits.h`; each error of a build knows its own.

use outfall_indexer::{BuildError, CompareError};
use outfall_opensearch::ClusterError;
use outfall_portal::{PortalError, UpdateError};
use outfall_query::IndexError;

use crate::changes::ChangesError;

/// Invalid command line.
pub(crate) const USAGE: u8 = 64;
/// A record has a value that a cluster does not accept.
const DATA: u8 = 65;
/// There is no index, or no list of changes.
const NO_INPUT: u8 = 66;
/// The cluster cannot be reached, or is too busy.
const UNAVAILABLE: u8 = 69;
/// Something failed that should not.
const INTERNAL: u8 = 70;
/// The output cannot be written.
const CANNOT_WRITE: u8 = 74;
/// Another rebuild was published since this one began.
const BUSY: u8 = 75;
/// The cluster refuses the user, or what is needed to connect is missing.
const REFUSED: u8 = 78;

/// The exit code for the error that stopped the command.
pub(crate) fn of(error: &anyhow::Error) -> u8 {
    let codes = [
        error
            .downcast_ref()
            .map(|error: &UpdateError<IndexError>| error.exit_code(IndexError::exit_code)),
        error.downcast_ref().map(|error: &UpdateError<ClusterError>| error.exit_code(of_cluster)),
        error
            .downcast_ref()
            .map(|error: &BuildError<IndexError>| error.exit_code(IndexError::exit_code)),
        error.downcast_ref().map(|error: &BuildError<ClusterError>| error.exit_code(of_cluster)),
        error.downcast_ref().map(PortalError::exit_code),
        error.downcast_ref().map(IndexError::exit_code),
        error.downcast_ref().map(of_cluster),
        error.downcast_ref().map(of_changes),
    ];
    codes.into_iter().flatten().next().unwrap_or(INTERNAL)
}

const fn of_changes(error: &ChangesError) -> u8 {
    match error {
        ChangesError::Index(error) | ChangesError::Compare(CompareError::Edition(error)) => {
            error.exit_code()
        }
        ChangesError::List(_) | ChangesError::NotCompared { .. } => NO_INPUT,
        ChangesError::Compare(CompareError::List(_)) | ChangesError::Write(_) => CANNOT_WRITE,
    }
}

const fn of_cluster(error: &ClusterError) -> u8 {
    match error {
        ClusterError::Unavailable { .. } | ClusterError::TimedOut => UNAVAILABLE,
        ClusterError::Refused { .. }
        | ClusterError::Certificates { .. }
        | ClusterError::Connection { .. } => REFUSED,
        ClusterError::Overtaken => BUSY,
        ClusterError::NotServable { .. } => NO_INPUT,
        ClusterError::BadRecord { .. } => DATA,
        ClusterError::Unexpected { .. } | ClusterError::Disagrees { .. } => INTERNAL,
    }
}
