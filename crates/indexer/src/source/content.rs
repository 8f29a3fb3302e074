//! The bytes of a file as they are parsed, and the hashes of the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The bytes to parse, hashed while they are read: reading some hundred megabytes once more takes
/// nearly as long as hashing them.
pub(crate) struct Content {
    pub(super) reader: Box<dyn Read + Send>,
    /// Of everything read so far.
    hasher: Sha256,
    is_packed: bool,
    /// The most bytes that can be read.
    pub(super) most_bytes: u64,
}

/// SHA-256 of a file, in hexadecimal.
pub(crate) struct Hashes {
    /// Of the file as it is on disk.
    pub(crate) on_disk: String,
    /// Of its unpacked bytes; the same unless it is packed.
    pub(crate) unpacked: String,
}

impl Content {
    /// The bytes of a file as they are on disk.
    pub(super) fn on_disk(file: impl Read + Send + 'static, most_bytes: u64) -> Self {
        Self { reader: Box::new(file), hasher: Sha256::new(), is_packed: false, most_bytes }
    }

    /// The unpacked bytes of a file.
    pub(super) fn packed(reader: impl Read + Send + 'static, most_bytes: u64) -> Self {
        Self { reader: Box::new(reader), hasher: Sha256::new(), is_packed: true, most_bytes }
    }

    /// The hashes of the file at `path`, once its rows have been read.
    pub(crate) fn hashes(mut self, path: &Path) -> io::Result<Hashes> {
        io::copy(&mut self, &mut io::sink())?;
        let unpacked = hexadecimal(self.hasher);
        let on_disk = match self.is_packed {
            true => {
                let mut on_disk = Self::on_disk(File::open(path)?, u64::MAX);
                io::copy(&mut on_disk, &mut io::sink())?;
                hexadecimal(on_disk.hasher)
            }
            false => unpacked.clone(),
        };
        Ok(Hashes { on_disk, unpacked })
    }
}

fn hexadecimal(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}
