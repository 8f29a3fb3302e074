//! The id of a request, in its answer and in the log.

use std::fmt;
use std::rc::Rc;

use actix_web::http::header::HeaderMap;
use actix_web::{HttpMessage, HttpRequest};

use outfall_api::REQUEST_ID;

use crate::gateway;
use crate::keys::holds_key;

/// The maximum length of a caller's id; the rest is cut off.
const MAX_LENGTH: usize = 64;
/// The characters of an id besides ASCII letters and digits: enough for a UUID, a
/// `traceparent` or the trace ids of the usual gateways.
const PUNCTUATION: &[u8] = b"-._~:/+=@,;";

/// An id that is safe to log: short, and of harmless ASCII characters.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(Rc<str>);

impl RequestId {
    /// The caller's own id, cut to its first characters, if it is a sane one; otherwise a new one.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
        match given.filter(|id| is_sane(id) && !gateway::shows_secret(headers, id)) {
            Some(id) => Self(id.get(..MAX_LENGTH).unwrap_or(id).into()),
            None => Self::random(),
        }
    }

    fn random() -> Self {
        let mut bytes = [0; 8];
        // Without randomness ids repeat, which only troubles readers of the log.
        if getrandom::fill(&mut bytes).is_err() {
            tracing::warn!("the system gives no random bytes");
        }
        Self(format!("{:016x}", u64::from_be_bytes(bytes)).into())
    }

    /// The id that `frame` gave to a request.
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let id = request.extensions().get::<Self>().cloned();
        id.unwrap_or_else(Self::random)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_sane(id: &str) -> bool {
    let is_harmless = |byte: u8| byte.is_ascii_alphanumeric() || PUNCTUATION.contains(&byte);
    !id.is_empty() && id.bytes().all(is_harmless) && !holds_key(id.as_bytes())
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
