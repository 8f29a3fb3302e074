//! A writer that redacts keys.

use std::io::{self, Write};

use crate::keys::without_keys;

/// Writes lines to another writer, with all keys redacted. It is the last step before the log
/// leaves the process, so it covers everything that is logged.
///
/// Each line must be written in one call, as the log's thread does.
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
