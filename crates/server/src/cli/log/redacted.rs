//! A writer that lets no key pass.

use std::io::{self, Write};

use crate::keys::without_keys;

/// Writes lines to another writer, each without the keys in it. It is the last thing before the
/// log leaves the process, so it holds for whatever is logged by whomever.
///
/// A line must be written in one call, as the log's thread does.
pub(super) struct Redacted<W>(pub(super) W);

impl<W: Write> Write for Redacted<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write_all(&without_keys(line))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
