//! The name of a client.

use std::fmt;
use std::str::FromStr;

use super::key::PREFIX;

/// The maximum length of a name, in characters.
const MAX_CHARACTERS: usize = 100;

/// The name of a client, by which keys are listed and revoked; several keys may have one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientName(String);

/// Why a text is not the name of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientNameError {
    /// An empty name does not say whose key it is.
    #[error("the name is empty")]
    Empty,
    /// A space at either end cannot be seen, so nobody would type it.
    #[error("the name begins or ends with a space")]
    OuterSpace,
    /// A control character would garble a list.
    #[error("the name has a control character in it")]
    ControlCharacter,
    /// A longer name would not fit into a list.
    #[error("the name has more than {MAX_CHARACTERS} characters")]
    TooLong,
    /// It looks like the id of a key, or it is a key, which must not be stored.
    #[error("the name begins with `{PREFIX}`, like a key; give the name of the client")]
    LooksLikeKey,
}

impl ClientName {
    /// The client of the key of the first start.
    #[must_use]
    pub(crate) fn demo() -> Self {
        Self("demo".to_owned())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ClientName {
    type Err = ClientNameError;

    fn from_str(text: &str) -> Result<Self, ClientNameError> {
        match () {
            () if text.trim().is_empty() => Err(ClientNameError::Empty),
            () if text.contains(is_control) => Err(ClientNameError::ControlCharacter),
            () if text.trim() != text => Err(ClientNameError::OuterSpace),
            () if text.chars().count() > MAX_CHARACTERS => Err(ClientNameError::TooLong),
            () if text.starts_with(PREFIX) => Err(ClientNameError::LooksLikeKey),
            () => Ok(Self(text.to_owned())),
        }
    }
}

impl fmt::Display for ClientName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A text from a key file in a form that can be shown in a list.
pub(crate) fn printable(text: &str) -> String {
    text.replace(is_control, "\u{fffd}")
}

/// Whether a character changes how the text around it is shown.
fn is_control(character: char) -> bool {
    let is_invisible = matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    character.is_control() || is_invisible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_listed_and_found_again() {
        let longest = "é".repeat(MAX_CHARACTERS);
        let too_long = format!("{longest}x");
        for (text, expected) in [
            ("newsroom", Ok(())),
            ("La Presse, Montréal", Ok(())),
            (&longest, Ok(())),
            ("", Err(ClientNameError::Empty)),
            (" \t\u{a0}", Err(ClientNameError::Empty)),
            (" newsroom", Err(ClientNameError::OuterSpace)),
            ("news\nroom", Err(ClientNameError::ControlCharacter)),
            ("news\u{1b}[2Jroom", Err(ClientNameError::ControlCharacter)),
            ("news\u{202e}room", Err(ClientNameError::ControlCharacter)),
            (&too_long, Err(ClientNameError::TooLong)),
            ("prk_1a2b", Err(ClientNameError::LooksLikeKey)),
        ] {
            assert_eq!(text.parse::<ClientName>().map(drop), expected, "{text:?}");
        }
    }
}
