//! The bytes of a file as they are parsed, and the hash of the file as it is on disk.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// What is read of a file. If that is what stands on the disk, it is hashed meanwhile: to read some
/// hundred megabytes once more takes nearly as long as to hash them.
pub(crate) struct Content {
    pub(super) reader: Box<dyn Read + Send>,
    /// Of all that was read; `None` when the file is packed.
    hasher: Option<Sha256>,
}

impl Content {
    /// The bytes of a file as they stand there.
    pub(super) fn on_disk(file: impl Read + Send + 'static) -> Self {
        Self { reader: Box::new(file), hasher: Some(Sha256::new()) }
    }

    /// What a file unpacks to.
    pub(super) fn packed(reader: impl Read + Send + 'static) -> Self {
        Self { reader: Box::new(reader), hasher: None }
    }

    /// SHA-256 of the file on disk, in hexadecimal, once its rows were read; `path` is where it is.
    pub(crate) fn sha256(mut self, path: &Path) -> io::Result<String> {
        if self.hasher.is_none() {
            self = Self::on_disk(File::open(path)?);
        }
        io::copy(&mut self, &mut io::sink())?;
        let digest = self.hasher.map(Sha256::finalize).unwrap_or_default();
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&buffer[..read]);
        }
        Ok(read)
    }
}
