//! Compresses whole bodies and streams as `Accept-Encoding` asks (RFC 9110, section 12.5.3).
//!
//! The levels are the cheapest worthwhile ones; compressing a page takes less time than its search.

use std::io::{self, Write};

use actix_web::HttpResponseBuilder;
use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap};
use flate2::Compression;
use flate2::write::GzEncoder;
use outfall_api::quality_values;

use super::lines;

/// The smallest body that is compressed, in bytes; a smaller one fits a packet anyway.
const SMALLEST: usize = 1024;

const GZIP_LEVEL: u32 = 3;
const BROTLI_LEVEL: u32 = 4;
/// The window of brotli, as a power of two; memory use grows with it.
const BROTLI_WINDOW: u32 = 16;
const BROTLI_BUFFER: usize = 4096;
const ZSTD_LEVEL: i32 = 3;

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Zstandard (RFC 8878).
    Zstd,
    /// Brotli (RFC 7932).
    Brotli,
    /// Gzip (RFC 1952).
    Gzip,
}

impl Encoding {
    /// All encodings, the preferred ones first.
    pub(crate) const ALL: [Self; 3] = [Self::Zstd, Self::Brotli, Self::Gzip];

    /// The name in `Content-Encoding`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The encoding with the largest weight in `Accept-Encoding`, by our preference among equals;
    /// `None` if it prefers no compression or names none of ours.
    pub(crate) fn accepted(headers: &HeaderMap) -> Option<Self> {
        let accepted = quality_values(lines(headers, ACCEPT_ENCODING));
        let weight = |name: &str| {
            let find = |name: &str| {
                let range = accepted.iter().find(|(range, _)| range == name);
                range.map(|(_, weight)| *weight)
            };
            find(name).or_else(|| find("*"))
        };
        let mut best = None;
        for encoding in Self::ALL {
            let weight = weight(encoding.name()).unwrap_or(0);
            if weight > best.map_or(0, |(_, weight)| weight) {
                best = Some((encoding, weight));
            }
        }
        let identity = accepted.iter().find(|(range, _)| range == "identity");
        let identity = identity.map_or(0, |(_, weight)| *weight);
        best.filter(|(_, weight)| *weight >= identity).map(|(encoding, _)| encoding)
    }

    /// Compresses a whole body as the caller accepts it, and sets the header that says so.
    ///
    /// Runs on the calling thread, because passing the body to another one would take longer.
    pub(crate) fn encode(
        accepted: &HeaderMap,
        body: Vec<u8>,
        response: &mut HttpResponseBuilder,
    ) -> Vec<u8> {
        let encoded = Self::accepted(accepted)
            .and_then(|encoding| Some((encoding, encoding.compress(&body)?)));
        let Some((encoding, compressed)) = encoded else { return body };
        response.insert_header((CONTENT_ENCODING, encoding.name()));
        compressed
    }

    /// Compresses a whole body; `None` when it is too small to benefit.
    pub(crate) fn compress(self, body: &[u8]) -> Option<Vec<u8>> {
        if body.len() < SMALLEST {
            return None;
        }
        let mut compressor = Compressor::new(self).ok()?;
        compressor.write(body).ok()?;
        compressor.finish().ok()
    }
}

/// A stream that is compressed as it grows.
pub(crate) enum Compressor {
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
    Brotli(Box<brotli::CompressorWriter<Vec<u8>>>),
    Gzip(GzEncoder<Vec<u8>>),
}

impl Compressor {
    /// An empty stream.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub(crate) fn new(encoding: Encoding) -> io::Result<Self> {
        let out = Vec::new();
        Ok(match encoding {
            Encoding::Zstd => Self::Zstd(zstd::stream::write::Encoder::new(out, ZSTD_LEVEL)?),
            Encoding::Brotli => Self::Brotli(Box::new(brotli::CompressorWriter::new(
                out,
                BROTLI_BUFFER,
                BROTLI_LEVEL,
                BROTLI_WINDOW,
            ))),
            Encoding::Gzip => Self::Gzip(GzEncoder::new(out, Compression::new(GZIP_LEVEL))),
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Zstd(encoder) => encoder.write_all(bytes),
            Self::Brotli(encoder) => encoder.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
        }
    }

    /// Compresses `bytes` and flushes, so that a reader can decode everything written so far.
    ///
    /// # Errors
    /// Never in practice: writing to a growing buffer does not fail.
    pub(crate) fn chunk(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        self.write(bytes)?;
        let out = match self {
            Self::Zstd(encoder) => {
                encoder.flush()?;
                encoder.get_mut()
            }
            Self::Brotli(encoder) => {
                encoder.flush()?;
                encoder.get_mut()
            }
            Self::Gzip(encoder) => {
                encoder.flush()?;
                encoder.get_mut()
            }
        };
        Ok(std::mem::take(out))
    }

    /// Finishes the stream and returns its end.
    ///
    /// # Errors
    /// Never in practice: writing to a growing buffer does not fail.
    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Zstd(encoder) => encoder.finish(),
            Self::Brotli(encoder) => Ok(encoder.into_inner()),
            Self::Gzip(encoder) => encoder.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn the_preferred_compression_or_none() {
        use Encoding::{Brotli, Gzip, Zstd};
        for (accepted, expected) in [
            ("", None),
            ("identity", None),
            ("deflate", None),
            ("gzip", Some(Gzip)),
            ("GZIP;q=0.5", Some(Gzip)),
            ("gzip, deflate, br, zstd", Some(Zstd)),
            ("gzip, deflate, br", Some(Brotli)),
            ("gzip;q=1.0, br;q=0.9", Some(Gzip)),
            ("gzip;q=0", None),
            ("gzip;q=0.5, identity;q=0.8", None),
            ("gzip, identity;q=0", Some(Gzip)),
            ("identity;q=0", None),
            ("*", Some(Zstd)),
            ("*, zstd;q=0", Some(Brotli)),
            ("br;q=0.5, *;q=0.1", Some(Brotli)),
            ("*;q=0", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(Encoding::accepted(&headers), expected, "{accepted}");
        }
        assert_eq!(Encoding::accepted(&HeaderMap::new()), None);
    }

    #[test]
    fn a_small_body_stays_as_it_is() {
        for encoding in Encoding::ALL {
            assert_eq!(encoding.compress(&[b'a'; SMALLEST - 1]), None);
            let compressed = encoding.compress(&[b'a'; SMALLEST]);
            assert!(compressed.is_some_and(|body| body.len() < SMALLEST));
        }
    }
}
