//! The bytes that a connection has sent of requests that did not reach the service yet.
//!
//! The HTTP library itself answers what it cannot read as a request. To answer in its place, the
//! service needs the method and the headers of the refused head, which the library does not report.
//! So this module keeps the bytes of every head until its request reaches the service. The bytes
//! that remain when the library refuses a request are the refused head.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::http::header::{
    CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING,
};
use memchr::memchr_iter;

/// How many bytes are kept: more than the library buffers before it refuses a head.
const MOST: usize = 256 * 1024;
/// The capacity that a connection keeps between requests.
const USUAL: usize = 4 * 1024;

/// The heads of one connection, shared by its stream and its requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads(Rc<RefCell<Unanswered>>);

#[derive(Debug, Default)]
struct Unanswered {
    bytes: Vec<u8>,
    /// How many bytes of the body of an earlier request precede the next head.
    body: u64,
    /// Whether it is no longer known where the next head begins.
    is_lost: bool,
}

/// The head of a refused request, as far as it can be read.
#[derive(Debug, Default)]
pub(super) struct RefusedHead {
    /// The word before the first space.
    pub(super) method: Vec<u8>,
    /// Everything between the method and the version.
    pub(super) target: Vec<u8>,
    /// The lines that can be read as headers.
    pub(super) headers: HeaderMap,
}

impl Heads {
    /// Notes bytes that the library has read.
    pub(super) fn note(&self, bytes: &[u8]) {
        let mut unanswered = self.0.borrow_mut();
        let bytes = unanswered.behind_the_body(bytes);
        if !unanswered.is_lost {
            unanswered.bytes.extend_from_slice(bytes);
            if unanswered.bytes.len() > MOST {
                unanswered.lose();
            }
        }
    }

    /// Notes that the next request has reached the service, so that the library did not refuse its
    /// head.
    pub(crate) fn reached(&self, headers: &HeaderMap) {
        let mut unanswered = self.0.borrow_mut();
        if headers.contains_key(TRANSFER_ENCODING) {
            // The length of such a body is known only to the library.
            unanswered.lose();
        }
        if unanswered.is_lost {
            return;
        }
        let start = start_of_head(&unanswered.bytes);
        let Some(end) = end_of_head(&unanswered.bytes, start) else { return unanswered.lose() };
        unanswered.bytes.drain(..end);
        let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        unanswered.body = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
        let bytes = std::mem::take(&mut unanswered.bytes);
        let rest = bytes.len() - unanswered.behind_the_body(&bytes).len();
        unanswered.bytes = bytes;
        unanswered.bytes.drain(..rest);
        unanswered.bytes.shrink_to(USUAL);
    }

    /// The head that the library has refused. If it is not known, the method is empty.
    pub(super) fn refused(&self) -> RefusedHead {
        let unanswered = self.0.borrow();
        RefusedHead::of(&unanswered.bytes[start_of_head(&unanswered.bytes)..])
    }
}

impl Unanswered {
    /// The rest of `bytes` after the body that precedes the next head.
    fn behind_the_body<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let length = usize::try_from(self.body).unwrap_or(usize::MAX).min(bytes.len());
        self.body -= length as u64;
        &bytes[length..]
    }

    fn lose(&mut self) {
        *self = Self { is_lost: true, ..Self::default() };
    }
}

/// Skips the empty lines before a head, which are no part of it.
fn start_of_head(bytes: &[u8]) -> usize {
    let is_empty_line = |byte: &u8| matches!(byte, b'\r' | b'\n');
    bytes.iter().take_while(|byte| is_empty_line(byte)).count()
}

/// The end of the head that begins at `start`: after its empty line.
fn end_of_head(bytes: &[u8], start: usize) -> Option<usize> {
    memchr_iter(b'\n', bytes).map(|end| end + 1).find_map(|line| match bytes.get(line..)? {
        _ if line <= start => None,
        [b'\n', ..] => Some(line + 1),
        [b'\r', b'\n', ..] => Some(line + 2),
        _ => None,
    })
}

impl RefusedHead {
    fn of(bytes: &[u8]) -> Self {
        let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        let first = lines.next().unwrap_or_default();
        let (method, rest) = split(first, b' ').unwrap_or((first, &[]));
        let version = rest.iter().rposition(|byte| *byte == b' ');
        let version = version.filter(|space| rest[space + 1..].starts_with(b"HTTP/"));
        let target = version.map_or(rest, |space| &rest[..space]);
        let headers = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
            let (name, value) = split(line, b':')?;
            let value = HeaderValue::from_bytes(value.trim_ascii()).ok()?;
            Some((HeaderName::from_bytes(name).ok()?, value))
        });
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value);
        }
        Self { method: method.to_vec(), target: target.to_vec(), headers: map }
    }
}

fn split(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = bytes.iter().position(|byte| *byte == at)?;
    Some((&bytes[..place], &bytes[place + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::{collection, sample::select};

    fn shown(head: &RefusedHead) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let names = head.headers.keys().map(|name| format!(" {name}")).collect::<String>();
        format!("{} {}{names}", text(&head.method), text(&head.target))
    }

    #[test]
    fn what_did_not_reach_the_service_is_what_was_refused() {
        let with_body = HeaderMap::from_iter([(CONTENT_LENGTH, HeaderValue::from_static("7"))]);
        let chunked =
            HeaderMap::from_iter([(TRANSFER_ENCODING, HeaderValue::from_static("chunked"))]);
        let none = HeaderMap::new;
        let whole = "GET /a HTTP/1.1\r\nhost: x\r\n\r\n";
        for (name, read, reached, expected) in [
            ("one", vec!["HEAD /b\" HTTP/1.1\r\na: 1\r\nb c: 2\r\n\r\n"], vec![], "HEAD /b\" a"),
            ("in pieces", vec!["GE", "T /b c HT", "TP/1.1\n", "a: 1"], vec![], "GET /b c a"),
            ("on a kept connection", vec![whole, "GET /b"], vec![none()], "GET /b"),
            ("pipelined", vec![whole, whole, "GET /b"], vec![none(), none()], "GET /b"),
            ("behind empty lines", vec!["\r\n", whole, "\r\n\nGET /b"], vec![none()], "GET /b"),
            ("lines without CR", vec!["GET /a HTTP/1.1\na: b\n\nGET /b"], vec![none()], "GET /b"),
            ("behind a body", vec![whole, "\r\n\r\nbodGET /b"], vec![with_body.clone()], "GET /b"),
            ("behind a chunked body", vec![whole, "0\r\n\r\nGET /b"], vec![chunked], " "),
            ("a word", vec!["hello\r\n\r\n"], vec![], "hello "),
            ("nothing", vec![], vec![], " "),
        ] {
            let heads = Heads::default();
            for bytes in read {
                heads.note(bytes.as_bytes());
            }
            for headers in reached {
                heads.reached(&headers);
            }
            assert_eq!(shown(&heads.refused()), expected, "{name}");
        }
        let heads = Heads::default();
        heads.note(whole.as_bytes());
        heads.reached(&with_body);
        for piece in ["bod", "y..", ".GET", " /b"] {
            heads.note(piece.as_bytes());
        }
        assert_eq!(shown(&heads.refused()), "GET /b", "a body that comes later");
    }

    #[test]
    fn an_endless_head_is_not_kept() {
        let heads = Heads::default();
        for _ in 0..1000 {
            heads.note(&[b'a'; 1024]);
        }
        assert!(heads.0.borrow().bytes.capacity() < USUAL);
        assert_eq!(shown(&heads.refused()), " ");
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_pieces_are_a_head_or_none(
            pieces in collection::vec(
                (collection::vec(select(b"GET /\r\n:a\xc3\"HTTP1.".to_vec()), 0..40), any::<bool>()),
                0..8,
            ),
            length: u32,
        ) {
            let heads = Heads::default();
            let length = HeaderValue::from(length % 50);
            for (piece, is_reached) in pieces {
                heads.note(&piece);
                if is_reached {
                    heads.reached(&HeaderMap::from_iter([(CONTENT_LENGTH, length.clone())]));
                }
            }
            let head = heads.refused();
            prop_assert!(!head.method.contains(&b'\n') && !head.target.contains(&b'\n'));
        }
    }
}
