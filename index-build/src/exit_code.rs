//! The exit codes, after `sysexits.h`.

use outfall_indexer::{BuildError, CompareError, ReadError};
use outfall_opensearch::ClusterError;
use outfall_query::IndexError;
use outfall_store::StoreError;

use crate::changes::ChangesError;

/// Invalid command line.
pub(crate) const USAGE: u8 = 64;
/// Too many rows were rejected.
const DATA: u8 = 65;
/// A file cannot be read or is of no known kind; an index is not whole.
const NO_INPUT: u8 = 66;
/// The cluster cannot be reached, or is too busy.
const UNAVAILABLE: u8 = 69;
/// Something failed that should not.
const INTERNAL: u8 = 70;
/// The system starts too few threads.
const TOO_FEW_THREADS: u8 = 71;
/// There is too little space for the index.
const NO_SPACE: u8 = 73;
/// The index, or what is told, cannot be written.
const CANNOT_WRITE: u8 = 74;
/// Another rebuild runs, or was published since this one began.
const BUSY: u8 = 75;
/// The build holds much less than the served index.
const SHRINKS: u8 = 77;
/// The cluster refuses the user, or what is needed to connect is missing.
const REFUSED: u8 = 78;

/// The exit code of whatever stopped the command.
pub(crate) fn of(error: &anyhow::Error) -> u8 {
    if let Some(error) = error.downcast_ref() {
        return of_build(error, of_index);
    }
    if let Some(error) = error.downcast_ref() {
        return of_build(error, of_cluster);
    }
    if let Some(error) = error.downcast_ref() {
        return of_changes(error);
    }
    let of_cluster = || error.downcast_ref().map_or(INTERNAL, of_cluster);
    error.downcast_ref().map_or_else(of_cluster, of_index)
}

fn of_build<E>(error: &BuildError<E>, of_sink: fn(&E) -> u8) -> u8 {
    match error {
        BuildError::Read(error) => of_reading(error),
        BuildError::NoRecords => DATA,
        BuildError::Shrinks { .. } => SHRINKS,
        BuildError::WriteChanges { .. } => CANNOT_WRITE,
        BuildError::Sink(error) => of_sink(error),
    }
}

const fn of_changes(error: &ChangesError) -> u8 {
    match error {
        ChangesError::Index(error) | ChangesError::Compare(CompareError::Edition(error)) => {
            of_index(error)
        }
        ChangesError::List(_) | ChangesError::NotCompared { .. } => NO_INPUT,
        ChangesError::Compare(CompareError::List(_)) | ChangesError::Write(_) => CANNOT_WRITE,
    }
}

const fn of_reading(error: &ReadError) -> u8 {
    match error {
        ReadError::NoFiles | ReadError::WrongKind { .. } => USAGE,
        ReadError::TooManyRejects { .. } | ReadError::TooManyDistinct { .. } => DATA,
        ReadError::Read { .. }
        | ReadError::Refused { .. }
        | ReadError::MissingColumn { .. }
        | ReadError::DoubledColumn { .. } => NO_INPUT,
        ReadError::WriteRejects { .. } => CANNOT_WRITE,
        ReadError::Threads { .. } => TOO_FEW_THREADS,
    }
}

const fn of_index(error: &IndexError) -> u8 {
    match error {
        IndexError::Threads { .. } => TOO_FEW_THREADS,
        IndexError::Store(StoreError::Io { .. } | StoreError::InTheWay { .. }) => CANNOT_WRITE,
        IndexError::Store(StoreError::NoSpace { .. }) => NO_SPACE,
        IndexError::Store(StoreError::Locked { .. }) => BUSY,
        IndexError::Store(
            StoreError::NoIndex { .. }
            | StoreError::Damaged { .. }
            | StoreError::NothingToRollBackTo { .. },
        ) => NO_INPUT,
        IndexError::Engine { .. } | IndexError::Disagrees { .. } => INTERNAL,
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
