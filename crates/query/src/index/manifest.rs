//! What a published generation consists of, and the name of the one that is served.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use outfall_records::DatasetInfo;
use serde::{Deserialize, Serialize};

use crate::index::generation::CHUNK;
use crate::index::{Contents, LayoutError, read_plain_file};

/// Changes whenever a reader of one version cannot read what the other wrote.
const LAYOUT_VERSION: u32 = 4;
/// The name of the manifest in a generation.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The name of the file that names the served generation.
pub(crate) const CURRENT: &str = "CURRENT";
/// What a manifest may take: that of a thousand sources takes a twentieth.
const MOST_MANIFEST_BYTES: u64 = 16 << 20;
/// What `CURRENT` may take: a name, a hash, a space and an end of line.
const MOST_CURRENT_BYTES: u64 = 128;

/// The contents of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the layout of files.
    pub layout_version: u32,
    /// The version of Outfall that built it.
    pub builder_version: String,
    /// What is served of it.
    pub dataset: DatasetInfo,
    /// What each kind must come to when it is opened, by its name.
    pub contents: BTreeMap<String, Contents>,
    /// Every other file, by its path below the generation.
    pub files: BTreeMap<String, FileInfo>,
}

/// One file of a generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileInfo {
    /// Its length.
    pub bytes: u64,
    /// Its BLAKE3 hash, in hexadecimal.
    pub blake3: String,
}

impl FileInfo {
    /// Of all that a file holds, read piece by piece.
    pub(crate) fn of(mut file: impl Read) -> io::Result<Self> {
        let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
        let mut chunk = vec![0; CHUNK];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => {
                    hasher.update(&chunk[..read]);
                    bytes += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { bytes, blake3: hasher.finalize().to_hex().to_string() })
    }
}

impl Manifest {
    /// The manifest of `files`. It is the same whenever and wherever the same files are built.
    pub(crate) fn new(
        files: BTreeMap<String, FileInfo>,
        dataset: DatasetInfo,
        contents: BTreeMap<String, Contents>,
    ) -> Self {
        let builder_version = env!("CARGO_PKG_VERSION").to_owned();
        Self { layout_version: LAYOUT_VERSION, builder_version, dataset, contents, files }
    }
}

impl Manifest {
    /// The name and the manifest of the generation that `CURRENT` of a data directory names;
    /// `None` when there is none or it cannot be read.
    #[must_use]
    pub fn served(data: &Path) -> Option<(String, Self)> {
        let current = Current::read(data).ok()?;
        let (manifest, hash) = Self::read(&data.join(&current.generation)).ok()?;
        (hash == current.manifest_blake3).then_some((current.generation, manifest))
    }

    /// Reads the manifest of a generation, and tells its hash.
    pub(crate) fn read(dir: &Path) -> Result<(Self, String), LayoutError> {
        let path = dir.join(MANIFEST);
        let text = read_bounded(&path, MOST_MANIFEST_BYTES)?;
        let manifest: Self = serde_json::from_slice(&text)
            .map_err(|error| LayoutError::damaged(&path, error.to_string()))?;
        if manifest.layout_version != LAYOUT_VERSION {
            let version = manifest.layout_version;
            let reason =
                format!("layout {version} cannot be read, only {LAYOUT_VERSION}; build again");
            return Err(LayoutError::damaged(path, reason));
        }
        Ok((manifest, blake3::hash(&text).to_hex().to_string()))
    }
}

/// The name of the served generation, and the hash of its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// The folder, `gen-000042`.
    pub generation: String,
    /// The BLAKE3 hash of its manifest, in hexadecimal.
    pub manifest_blake3: String,
}

impl Current {
    /// Reads `CURRENT` of a data directory.
    ///
    /// # Errors
    /// [`LayoutError::NoIndex`] without the file, [`LayoutError::Damaged`] when it is anything but
    /// one line of that form, [`LayoutError::Io`].
    pub fn read(data: &Path) -> Result<Self, LayoutError> {
        let path = data.join(CURRENT);
        let text = match read_bounded(&path, MOST_CURRENT_BYTES) {
            Err(LayoutError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Err(LayoutError::NoIndex { path: data.to_owned() });
            }
            read => read?,
        };
        str::from_utf8(&text).ok().and_then(Self::parse).ok_or_else(|| {
            LayoutError::damaged(path, "it is not `gen-` and six digits, a space and a hash")
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let (generation, hash) = text.strip_suffix('\n')?.split_once(' ')?;
        generation_number(generation)?;
        let is_hash =
            hash.len() == 64 && hash.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        is_hash
            .then(|| Self { generation: generation.to_owned(), manifest_blake3: hash.to_owned() })
    }

    pub(crate) fn line(&self) -> String {
        format!("{} {}\n", self.generation, self.manifest_blake3)
    }
}

/// Reads a regular file of at most `most` bytes; anything else in its place is damage.
fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, LayoutError> {
    read_plain_file(path, most).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::FileTooLarge => {
            LayoutError::damaged(path, error.to_string())
        }
        _ => LayoutError::io("read", path)(error),
    })
}

/// The number in `gen-000042`.
pub(crate) fn generation_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("gen-")?;
    let is_number = digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok()).flatten()?;
    // One number has one name.
    (generation_name(number) == name).then_some(number)
}

/// The name of the generation of that number.
pub(crate) fn generation_name(number: u32) -> String {
    format!("gen-{number:06}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn current_is_read_strictly() {
        let hash = "0123456789abcdef".repeat(4);
        let current =
            Current { generation: "gen-000042".to_owned(), manifest_blake3: hash.clone() };
        assert_eq!(Current::parse(&current.line()), Some(current));
        for text in [
            "".to_owned(),
            format!("gen-000042 {hash}"),
            format!("gen-42 {hash}\n"),
            format!("gen-0000042 {hash}\n"),
            format!("gen-4294967296 {hash}\n"),
            format!("../x {hash}\n"),
            format!("gen-000042 {}\n", hash.to_uppercase()),
            format!("gen-000042 {hash}\n\n"),
            "gen-000042\n".to_owned(),
        ] {
            assert_eq!(Current::parse(&text), None, "{text:?}");
        }
    }
}
