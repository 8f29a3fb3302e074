//! Limits the size that a packed file may unpack to: a few bytes can fill a disk.

use std::io::{self, Read};

/// The most that a file may unpack to, in times its length; official files unpack to some 15 times.
const MOST: u64 = 100;
/// The bytes that any file may unpack to, however small it is.
const LEAST: u64 = 1 << 20;

/// A stream that fails once it becomes too long.
pub(crate) struct Unpacked<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Unpacked<R> {
    /// The unpacked bytes of a file of `packed` bytes.
    pub(crate) fn new(reader: R, packed: u64) -> Self {
        Self { reader, left: most_unpacked(packed) }
    }
}

/// The most bytes that a file of `packed` bytes may unpack to.
pub(crate) fn most_unpacked(packed: u64) -> u64 {
    packed.saturating_mul(MOST).max(LEAST)
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let message = format!("it unpacks to more than {MOST} times its length");
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        Ok(read)
    }
}
