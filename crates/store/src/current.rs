//! The name of the served generation, and the names of all generations.

use std::io::ErrorKind;
use std::path::Path;

use crate::StoreError;
use crate::durable::names_in;
use crate::plain_file::read_bounded;

/// The name of the file that names the served generation.
pub(crate) const CURRENT: &str = "CURRENT";
/// The maximum size of `CURRENT`, in bytes; a name, a space, a hash and an end of line fit.
const MOST_CURRENT_BYTES: u64 = 128;

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
    /// [`StoreError::NoIndex`] without the file, [`StoreError::Damaged`] when it is anything but
    /// one line of that form, [`StoreError::Io`].
    pub fn read(data: &Path) -> Result<Self, StoreError> {
        let path = data.join(CURRENT);
        let text = match read_bounded(&path, MOST_CURRENT_BYTES) {
            Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Err(StoreError::NoIndex { path: data.to_owned() });
            }
            read => read?,
        };
        str::from_utf8(&text).ok().and_then(Self::parse).ok_or_else(|| {
            StoreError::damaged(path, "it is not `gen-` and six digits, a space and a hash")
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let (generation, hash) = text.strip_suffix('\n')?.split_once(' ')?;
        generation_number(generation)?;
        let is_hash =
            hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_hash
            .then(|| Self { generation: generation.to_owned(), manifest_blake3: hash.to_owned() })
    }

    pub(crate) fn line(&self) -> String {
        format!("{} {}\n", self.generation, self.manifest_blake3)
    }
}

/// The number in `gen-000042`.
pub(crate) fn generation_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("gen-")?;
    let is_number = digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| digits.parse().ok()).flatten()?;
    // Only one spelling of a number is a name.
    (generation_name(number) == name).then_some(number)
}

/// The name of the generation with this number.
pub(crate) fn generation_name(number: u32) -> String {
    format!("gen-{number:06}")
}

/// The numbers of the generations in a data directory, whole or not, the newest first.
pub(crate) fn generation_numbers(data: &Path) -> Result<Vec<u32>, StoreError> {
    let mut numbers: Vec<u32> =
        names_in(data)?.filter_map(|name| generation_number(&name)).collect();
    numbers.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
    Ok(numbers)
}

/// The names of the generations in a data directory, whole or not, the newest first.
///
/// # Errors
/// [`StoreError::Io`].
pub fn generation_names(data: &Path) -> Result<Vec<String>, StoreError> {
    Ok(generation_numbers(data)?.into_iter().map(generation_name).collect())
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
