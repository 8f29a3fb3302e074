//! The id that names a request in its answer and in the log.

use std::fmt;
use std::rc::Rc;

use actix_web::http::header::HeaderMap;
use actix_web::{HttpMessage, HttpRequest};

/// The longest id that is taken over from a caller.
const MAX_LENGTH: usize = 64;

/// An id of visible ASCII characters.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(Rc<str>);

impl RequestId {
    /// The header that carries it, both ways.
    pub(crate) const HEADER: &str = "x-request-id";

    /// The caller's own id when it is a sane one, else a new one.
    pub(super) fn from_headers(headers: &HeaderMap) -> Self {
        let given = headers.get(Self::HEADER).map(|value| value.as_bytes());
        match given.and_then(|id| std::str::from_utf8(id).ok()) {
            Some(id) if is_sane(id) => Self(id.into()),
            _ => Self::random(),
        }
    }

    fn random() -> Self {
        let mut bytes = [0; 8];
        // Without randomness ids repeat, which troubles a reader of the log and nobody else.
        if getrandom::fill(&mut bytes).is_err() {
            tracing::warn!("the system gives no random bytes");
        }
        Self(format!("{:016x}", u64::from_be_bytes(bytes)).into())
    }

    /// The id of a request that came through the frame.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let id = request.extensions().get::<Self>().cloned();
        id.unwrap_or_else(Self::random)
    }

    /// The id as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_sane(id: &str) -> bool {
    (1..=MAX_LENGTH).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
