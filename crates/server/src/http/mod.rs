//! HTTP headers of requests and answers.

mod conditional;
mod encoding;
mod request_id;

use actix_web::http::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderName};
use outfall_api::{Format, Language};

pub(crate) use conditional::EntityTag;
pub(crate) use encoding::{Compressor, Encoding};
pub(crate) use request_id::RequestId;

/// The lines of a header that are valid text.
pub(crate) fn lines(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).filter_map(|line| line.to_str().ok())
}

/// The language that `Accept-Language` prefers.
pub(crate) fn accepted_language(headers: &HeaderMap) -> Language {
    Language::accepted(lines(headers, ACCEPT_LANGUAGE))
}

/// The format of an answer that `Accept` prefers.
pub(crate) fn accepted_format(headers: &HeaderMap) -> Format {
    Format::accepted(lines(headers, ACCEPT))
}
