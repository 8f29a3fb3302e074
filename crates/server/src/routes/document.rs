//! A document that is built into the program. Its entity tag comes from its bytes, and it is
//! compressed as the caller accepts it.

use std::sync::OnceLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};

use crate::http::{Encoding, EntityTag, accepted_language};

/// A document and its compressed forms, each made once and shared by all answers, so that clients
/// that do not read them cost no extra memory.
pub(super) struct Document {
    media_type: &'static str,
    text: &'static str,
    tag: OnceLock<EntityTag>,
    compressed: [OnceLock<Option<Bytes>>; Encoding::ALL.len()],
}

impl Document {
    pub(super) const fn new(media_type: &'static str, text: &'static str) -> Self {
        let compressed = [const { OnceLock::new() }; Encoding::ALL.len()];
        Self { media_type, text, tag: OnceLock::new(), compressed }
    }

    /// Answers with the document, or with 304 when the caller has it already. `prepare` adds the
    /// headers that only this document needs.
    pub(super) fn answer(
        &self,
        request: &HttpRequest,
        prepare: impl FnOnce(&mut HttpResponseBuilder),
    ) -> HttpResponse {
        let tag = self.tag.get_or_init(|| EntityTag::of([request.path(), self.text]));
        let (mut response, is_known) = tag.begin(request.headers());
        response.insert_header((CACHE_CONTROL, "no-cache"));
        prepare(&mut response);
        if is_known {
            return response.finish();
        }
        response.insert_header((CONTENT_TYPE, self.media_type));
        let compressed = Encoding::accepted(request.headers())
            .and_then(|encoding| Some((encoding, self.compressed(encoding)?)));
        match compressed {
            Some((encoding, bytes)) => {
                response.insert_header((CONTENT_ENCODING, encoding.name()));
                response.body(bytes)
            }
            None => response.body(Bytes::from_static(self.text.as_bytes())),
        }
    }

    fn compressed(&self, encoding: Encoding) -> Option<Bytes> {
        let compress = || encoding.compress(self.text.as_bytes()).map(Bytes::from);
        self.compressed[encoding as usize].get_or_init(compress).clone()
    }
}

/// A document with one version for each language, English first.
pub(super) struct InBothLanguages(pub(super) [Document; 2]);

impl InBothLanguages {
    /// Answers with the document in the language that the caller prefers, as [`Document::answer`]
    /// does.
    pub(super) fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let language = accepted_language(request.headers());
        let [english, french] = &self.0;
        language.choose([english, french]).answer(request, |response| {
            response.insert_header((CONTENT_LANGUAGE, language.tag()));
        })
    }
}
