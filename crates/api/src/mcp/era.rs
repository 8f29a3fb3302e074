//! The revisions of the protocol, of two eras: in the older one a client first says `initialize`, in
//! the newer one every request carries its revision.
//!
//! Nothing is kept between requests in either, so a request of the older era needs no session.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::fault::{A_TEXT, AN_OBJECT, McpFault};
use super::members::{Members, text};

/// The revision of requests that carry their revision.
const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`, the newest first.
const LEGACY: [&str; 2] = ["2025-11-25", "2025-06-18"];
/// Every revision that is spoken here.
pub(super) const SUPPORTED: [&str; 3] = [MODERN, LEGACY[0], LEGACY[1]];

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// How a request says which revision it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// By the handshake before it.
    Legacy,
    /// In the request itself.
    Modern,
}

/// The headers of a message that came by HTTP and that repeat what the message says. Several lines
/// of one are joined with commas.
#[derive(Clone, Debug, Default)]
pub struct Headers {
    /// `MCP-Protocol-Version`.
    pub version: Option<String>,
    /// `Mcp-Method`.
    pub method: Option<String>,
    /// `Mcp-Name`.
    pub name: Option<String>,
}

/// The revision that `initialize` is answered with: the requested one, or else the newest.
pub(super) fn negotiated(requested: &str) -> &'static str {
    LEGACY.into_iter().find(|known| *known == requested).unwrap_or(LEGACY[0])
}

impl Era {
    /// The era of a request, found from the request itself and its headers.
    ///
    /// # Errors
    /// [`McpFault::UnsupportedVersion`], [`McpFault::HeaderMismatch`], or
    /// [`McpFault::WrongParameter`] if a request of the newer era lacks a required member.
    pub(super) fn of(
        method: &str,
        params: &Members<'_>,
        headers: Option<&Headers>,
    ) -> Result<Self, McpFault> {
        let meta = params.get("_meta").and_then(Members::of).unwrap_or_default();
        let stated = match meta.get(VERSION_KEY) {
            Some(version) => Some(text(version).ok_or(NO_VERSION)?),
            None => None,
        };
        let declared = headers.and_then(|headers| headers.version.clone());
        let version = match (stated, headers) {
            (Some(stated), Some(_)) if declared.as_ref() != Some(&stated) => {
                return Err(McpFault::HeaderMismatch { header: "MCP-Protocol-Version" });
            }
            (Some(stated), _) => stated,
            // The revision that it asks for is in its parameters, and any revision is answered.
            (None, _) if method == "initialize" => return Ok(Self::Legacy),
            (None, _) => match declared {
                Some(declared) if declared == MODERN => return Err(NO_VERSION),
                Some(declared) => declared,
                // Older clients do not repeat their revision.
                None if method == "server/discover" => return Err(NO_VERSION),
                None => return Ok(Self::Legacy),
            },
        };
        if LEGACY.contains(&version.as_str()) {
            return Ok(Self::Legacy);
        }
        if version != MODERN {
            return Err(McpFault::UnsupportedVersion { requested: version });
        }
        if meta.get(CAPABILITIES_KEY).and_then(Members::of).is_none() {
            return Err(NO_CAPABILITIES);
        }
        headers.map_or(Ok(()), |headers| headers.agree_with(method, params))?;
        Ok(Self::Modern)
    }
}

const NO_VERSION: McpFault = McpFault::WrongParameter {
    name: "_meta.io.modelcontextprotocol/protocolVersion",
    kind: A_TEXT,
};
const NO_CAPABILITIES: McpFault = McpFault::WrongParameter {
    name: "_meta.io.modelcontextprotocol/clientCapabilities",
    kind: AN_OBJECT,
};

impl Headers {
    /// Compares the headers with a request of the newer era, because a proxy may have relied on
    /// them.
    fn agree_with(&self, method: &str, params: &Members<'_>) -> Result<(), McpFault> {
        if self.method.as_deref() != Some(method) {
            return Err(McpFault::HeaderMismatch { header: "Mcp-Method" });
        }
        let named = match method {
            "tools/call" => params.text("name"),
            "resources/read" => params.text("uri"),
            _ => return Ok(()),
        };
        // A request without a name is refused later, for lacking it.
        let Some(named) = named else { return Ok(()) };
        match self.name.as_deref().and_then(decoded) {
            Some(name) if name == named => Ok(()),
            _ => Err(McpFault::HeaderMismatch { header: "Mcp-Name" }),
        }
    }
}

/// The value of a header that may be wrapped as `=?base64?…?=`.
fn decoded(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|value| value.strip_suffix("?=")) {
        Some(wrapped) => String::from_utf8(STANDARD.decode(wrapped).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapped_value_is_unwrapped_and_a_plain_one_is_kept() {
        for (value, expected) in [
            ("search_releases", Some("search_releases")),
            ("=?base64?SGVsbG8sIOS4lueVjA==?=", Some("Hello, 世界")),
            ("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", Some("=?base64?literal?=")),
            ("=?base64?***?=", None),
            ("=?base64?/w==?=", None),
            ("=?BASE64?eA==?=", Some("=?BASE64?eA==?=")),
        ] {
            assert_eq!(decoded(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn a_handshake_ends_in_a_revision_that_is_spoken() {
        for (requested, expected) in [
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("2024-11-05", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
            ("", "2025-11-25"),
        ] {
            assert_eq!(negotiated(requested), expected, "{requested}");
        }
    }
}
