//! The encoding of a file: a byte order mark means UTF-8, valid UTF-8 is UTF-8, and anything else
//! is Windows-1252, never Latin-1, because the official files hold the apostrophe 0x92.

use std::borrow::Cow;
use std::io::{self, Read};

use encoding_rs::WINDOWS_1252;

/// The encoding of a whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Windows1252,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const BLOCK: usize = 1 << 20;

impl Encoding {
    /// Whether the bytes are text; they may not be if only a byte order mark promised UTF-8.
    pub(crate) fn is_valid(self, bytes: &[u8]) -> bool {
        match self {
            Self::Utf8 => std::str::from_utf8(bytes).is_ok(),
            Self::Windows1252 => true,
        }
    }

    /// The text of some bytes of the file. A damaged sequence becomes U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Utf8 => String::from_utf8_lossy(bytes),
            Self::Windows1252 => WINDOWS_1252.decode_without_bom_handling(bytes).0,
        }
    }
}

/// Reads until the encoding is certain; also returns the length of a byte order mark.
pub(crate) fn detect(mut reader: impl Read) -> io::Result<(Encoding, usize)> {
    let mut bytes = Vec::with_capacity(BLOCK + 4);
    let mut is_first = true;
    loop {
        let read = reader.by_ref().take(BLOCK as u64).read_to_end(&mut bytes)?;
        if is_first && bytes.starts_with(BYTE_ORDER_MARK) {
            // Programs that do not expect a mark put a second one before it.
            let marks = bytes.chunks(BYTE_ORDER_MARK.len());
            let marks = marks.take_while(|mark| *mark == BYTE_ORDER_MARK).count();
            return Ok((Encoding::Utf8, marks * BYTE_ORDER_MARK.len()));
        }
        is_first = false;
        match std::str::from_utf8(&bytes) {
            Ok(_) => bytes.clear(),
            // A sequence cut by the end of the block continues in the next one.
            Err(error) if error.error_len().is_none() && read > 0 => {
                bytes.drain(..error.valid_up_to());
            }
            Err(_) => return Ok((Encoding::Windows1252, 0)),
        }
        if read == 0 {
            return Ok((Encoding::Utf8, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_follows_from_the_bytes() {
        let cut = [vec![b'a'; BLOCK - 1], "é".into(), vec![b'b'; 5]].concat();
        for (bytes, expected) in [
            (&b"plain"[..], (Encoding::Utf8, 0)),
            (b"\xef\xbb\xbfcaf\xe9", (Encoding::Utf8, 3)),
            ("Année".as_bytes(), (Encoding::Utf8, 0)),
            (b"Ann\xe9e", (Encoding::Windows1252, 0)),
            (b"l\x92usine", (Encoding::Windows1252, 0)),
            (b"caf\xc3", (Encoding::Windows1252, 0)),
            (&cut, (Encoding::Utf8, 0)),
            (b"", (Encoding::Utf8, 0)),
        ] {
            assert_eq!(detect(bytes).unwrap(), expected);
        }
        assert_eq!(Encoding::Windows1252.decode(b"l\x92\xe9t\xe9"), "l’été");
    }
}
