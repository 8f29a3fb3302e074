//! From the official NPRI and GHGRP files to records, and into a sink that publishes them.
//!
//! The path of a row: `source` opens a file and cuts it into blocks of lines, `header` recognises
//! the kind of file and finds its columns, `read` parses the rows of a block on every core, `fold`
//! makes records of rows, and a [`outfall_request::RecordSink`] takes them.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod build;
mod changes;
mod disk_estimate;
mod error;
mod fold;
mod header;
mod progress;
mod read;
mod reject;
mod report;
mod shrink;
mod source;

pub use build::{BuildOptions, Dataset, InputFile, build, read};
pub use changes::{
    ChangeList, ChangeListError, ChangeSummary, CompareError, Compared, EditCounts, KindChanges,
    Restatement, compare_editions, read_changes,
};
pub use error::{BuildError, ReadError};
pub use header::FileKind;
pub use progress::{Progress, Silent, TerminalProgress};
pub use read::recognise;
pub use reject::{Reason, Reject};
pub use report::{BuildReport, FileReport, ReadReport, Repeat, Repeats};
pub use shrink::Shrinkage;
