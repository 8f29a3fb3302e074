//! The answer to what the HTTP library refuses: a problem, as for every other bad request.

use actix_web::http::Uri;
use actix_web::web;
use outfall_api::Problem;
use percent_encoding::{AsciiSet, CONTROLS, percent_encode};

use super::heads::RefusedHead;
use crate::http::{RequestId, accepted_language};
use crate::middleware::{RequestLog, complete};
use crate::state::AppState;
use crate::{Settings, problem};

/// The characters that must not occur in the path of a URI.
const NOT_IN_A_PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}').add(b'\\');

/// The answer that replaces `bare`, the library's answer to `head`.
pub(super) fn answer(bare: &[u8], head: &RefusedHead, state: &web::Data<AppState>) -> Vec<u8> {
    state.metrics.malformed_requests.inc();
    let problem = problem_of(bare, head, &state.settings);
    let id = RequestId::from_headers(&head.headers);
    let language = accepted_language(&head.headers);
    let path = path(&head.target);
    let body = problem.body(&path, id.as_str(), language);
    let mut response = problem::response(&problem, language).finish();
    complete(response.headers_mut(), &id);
    RequestLog::write_refused(&id, &head.method, &problem, body.len(), state);

    let mut answer =
        format!("HTTP/1.1 {}\r\ncontent-length: {}\r\n", response.status(), body.len());
    for (name, value) in response.headers() {
        answer += &format!("{name}: {}\r\n", String::from_utf8_lossy(value.as_bytes()));
    }
    let mut answer = answer.into_bytes();
    answer.extend_from_slice(b"connection: close\r\n");
    answer.extend_from_slice(date(bare));
    answer.extend_from_slice(b"\r\n");
    if head.method != b"HEAD" {
        answer.extend_from_slice(&body);
    }
    answer
}

/// The problem that the library has with a request.
fn problem_of(bare: &[u8], head: &RefusedHead, settings: &Settings) -> Problem {
    if head.target.len() > settings.max_target_bytes {
        return Problem::TargetTooLong { limit: settings.max_target_bytes };
    }
    if bare.windows(5).take(16).any(|window| window == b" 431 ") {
        return Problem::HeadersTooLarge {
            count: settings.max_headers,
            bytes: settings.max_header_bytes,
        };
    }
    Problem::InvalidRequest { raw: raw_character(&head.target) }
}

/// The first character of a target that must be percent-encoded, if there is one; for bytes that
/// are not UTF-8, the replacement character.
fn raw_character(target: &[u8]) -> Option<char> {
    let query = target.iter().position(|byte| *byte == b'?').unwrap_or(target.len());
    let is_raw = |(place, byte): (usize, &u8)| match place <= query {
        true => Uri::try_from(&[b'/', *byte][..]).is_err(),
        false => Uri::try_from(&[b'/', b'?', *byte][..]).is_err(),
    };
    let place = target.iter().enumerate().position(is_raw)?;
    String::from_utf8_lossy(&target[place..]).chars().next()
}

/// The path of a target, as a URI reference; empty if there is none.
fn path(target: &[u8]) -> String {
    let end = target.iter().position(|byte| matches!(byte, b'?' | b'#')).unwrap_or(target.len());
    match target.first() {
        Some(b'/') => percent_encode(&target[..end], NOT_IN_A_PATH).to_string(),
        _ => String::new(),
    }
}

/// The line with the date in an answer of the library.
fn date(bare: &[u8]) -> &[u8] {
    let mut lines = bare.split_inclusive(|byte| *byte == b'\n');
    lines.find(|line| line.starts_with(b"date: ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_to_encode_is_found() {
        for (target, expected) in [
            (&b"/release?q=lead"[..], None),
            (b"/release?q=\"lead\"", Some('"')),
            (b"/rel ease", Some(' ')),
            (b"/release?q=a b", Some(' ')),
            ("/release?province=Québec".as_bytes(), Some('é')),
            (b"/release?province=Qu\xe9bec", Some(char::REPLACEMENT_CHARACTER)),
            (b"/release?q=\x01", Some('\u{1}')),
            (b"/release?q=<b>", Some('<')),
            (b"/release?q=a^b&x=\x7f", Some('\u{7f}')),
            (b"", None),
        ] {
            assert_eq!(raw_character(target), expected, "{}", target.escape_ascii());
        }
    }

    #[test]
    fn a_path_is_shown_as_a_reference() {
        for (target, expected) in [
            (&b"/release?q=\"x\""[..], "/release"),
            (b"/a b\"c", "/a%20b%22c"),
            ("/é#x".as_bytes(), "/%C3%A9"),
            (b"/a%20b", "/a%20b"),
            (b"http://localhost/release", ""),
            (b"", ""),
        ] {
            assert_eq!(path(target), expected);
        }
    }
}
