//! Redacts keys in texts that others read.

use std::borrow::Cow;

use super::key::{ID, PREFIX};

/// Replaces the rest of a key.
const REST: &str = "…";

/// Cuts everything in a text that begins like a key to the length of a key's id.
pub(crate) fn without_keys(text: &[u8]) -> Cow<'_, [u8]> {
    let (mut shown, mut copied, mut at) = (Vec::new(), 0, 0);
    while let Some(start) = find_key(&text[at..]) {
        let start = at + start;
        let body = &text[start..];
        // With the underscore, because what follows may begin like a key again.
        let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        at = start + body.iter().position(|byte| !is_of_key(byte)).unwrap_or(body.len());
        if at - start > ID {
            shown.extend_from_slice(&text[copied..start + ID]);
            shown.extend_from_slice(REST.as_bytes());
            copied = at;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    shown.extend_from_slice(&text[copied..]);
    Cow::Owned(shown)
}

/// Whether a text contains something that begins like a key.
pub(crate) fn holds_key(text: &[u8]) -> bool {
    find_key(text).is_some()
}

fn find_key(text: &[u8]) -> Option<usize> {
    text.windows(PREFIX.len()).position(|window| window == PREFIX.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Key;

    #[test]
    fn of_a_key_no_more_than_its_id_is_shown() {
        let key = Key::generate().unwrap();
        let (key, id) = (key.as_str(), key.id());
        for (text, expected) in [
            (String::new(), String::new()),
            (format!("key={id} prk_ prk_a"), format!("key={id} prk_ prk_a")),
            (key.to_owned(), format!("{id}…")),
            (
                format!("{{\"q\":\"{key}\",\"k\":\"{id}\"}}"),
                format!("{{\"q\":\"{id}…\",\"k\":\"{id}\"}}"),
            ),
            (format!("é{key} and {key}é"), format!("é{id}… and {id}…é")),
            (format!("prk_{key}"), "prk_prk_…".to_owned()),
            (format!("prk_abc{key}"), "prk_abcp…".to_owned()),
            (format!("x{key}-{key}"), format!("x{id}…-{id}…")),
        ] {
            let shown = without_keys(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&shown), expected, "{text}");
        }
        assert!(holds_key(b"xprk_") && !holds_key(b"prk"));
    }
}
