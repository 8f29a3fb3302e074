//! A document that is part of the program: validated by its own bytes, compressed as asked.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};

use crate::http::{Encoding, EntityTag};

/// Answers with the document, or with 304 when the caller has it already. `prepare` adds what the
/// document needs beside the headers of every one.
pub(super) fn answer(
    request: &HttpRequest,
    media_type: &'static str,
    body: &'static str,
    prepare: impl FnOnce(&mut HttpResponseBuilder),
) -> HttpResponse {
    let tag = EntityTag::of([request.path(), body]);
    let (mut response, is_known) = tag.begin(request.headers());
    response.insert_header((CACHE_CONTROL, "no-cache"));
    prepare(&mut response);
    if is_known {
        return response.finish();
    }
    response.insert_header((CONTENT_TYPE, media_type));
    let body = Encoding::encode(request.headers(), body.as_bytes().to_vec(), &mut response);
    response.body(body)
}
