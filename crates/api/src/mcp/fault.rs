//! Why a message has no result: the errors of JSON-RPC 2.0 and of the protocol.

use serde_json::{Value, json};

use super::era::{Era, SUPPORTED};
use crate::{Bilingual, Problem};

/// What is wrong with a message, or with how it was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum McpFault {
    /// Not JSON in UTF-8.
    NotJson,
    /// Several messages in one, which no revision that is spoken here has.
    Batch,
    /// JSON, but not a message of JSON-RPC 2.0.
    NotAMessage,
    /// More bytes than a message may have.
    TooLong {
        /// The maximum.
        limit: usize,
    },
    /// The message did not arrive in time.
    Late,
    /// The caller does not accept JSON.
    NotAcceptable,
    /// The message is not declared as JSON.
    NotDeclaredAsJson,
    /// A page of another site sent it.
    ForeignOrigin,
    /// There is no such method.
    UnknownMethod {
        /// The method.
        method: String,
    },
    /// There is no such tool.
    UnknownTool {
        /// The name.
        name: String,
    },
    /// There is no such resource.
    UnknownResource {
        /// The address.
        uri: String,
    },
    /// A parameter is missing, or of the wrong type.
    WrongParameter {
        /// Its name.
        name: &'static str,
        /// What it must be, in English and in French.
        kind: [&'static str; 2],
    },
    /// A list has no such page.
    NoSuchPage,
    /// A header differs from the message.
    HeaderMismatch {
        /// The header.
        header: &'static str,
    },
    /// A revision of the protocol that is not spoken here.
    UnsupportedVersion {
        /// The revision.
        requested: String,
    },
    /// The contents of a resource are not available now.
    Problem(Problem),
}

/// What a parameter must be.
pub(super) const A_TEXT: [&str; 2] = ["a text", "un texte"];
pub(super) const AN_OBJECT: [&str; 2] = ["an object", "un objet"];

impl McpFault {
    /// The code of the error.
    pub(super) const fn code(&self, era: Era) -> i32 {
        match self {
            Self::NotJson => -32700,
            Self::Batch
            | Self::NotAMessage
            | Self::TooLong { .. }
            | Self::Late
            | Self::NotAcceptable
            | Self::NotDeclaredAsJson
            | Self::ForeignOrigin => -32600,
            Self::UnknownMethod { .. } => -32601,
            Self::UnknownResource { .. } if matches!(era, Era::Legacy) => -32002,
            Self::UnknownTool { .. }
            | Self::UnknownResource { .. }
            | Self::WrongParameter { .. }
            | Self::NoSuchPage => -32602,
            Self::Problem(_) => -32603,
            Self::HeaderMismatch { .. } => -32020,
            Self::UnsupportedVersion { .. } => -32022,
        }
    }

    /// The HTTP status. Faults of the call rather than of the message are answered with 200, like
    /// results.
    pub(super) fn status(&self, era: Era) -> u16 {
        match self {
            Self::NotJson
            | Self::Batch
            | Self::NotAMessage
            | Self::HeaderMismatch { .. }
            | Self::UnsupportedVersion { .. } => 400,
            Self::WrongParameter { name, .. } if name.starts_with("_meta") => 400,
            Self::ForeignOrigin => 403,
            Self::UnknownMethod { .. } if matches!(era, Era::Modern) => 404,
            Self::NotAcceptable => 406,
            Self::Late => 408,
            Self::TooLong { .. } => 413,
            Self::NotDeclaredAsJson => 415,
            Self::UnknownMethod { .. }
            | Self::UnknownTool { .. }
            | Self::UnknownResource { .. }
            | Self::WrongParameter { .. }
            | Self::NoSuchPage
            | Self::Problem(_) => 200,
        }
    }

    /// The data of the error besides its text.
    pub(super) fn data(&self) -> Option<Value> {
        match self {
            Self::UnknownResource { uri } => Some(json!({"uri": uri})),
            Self::UnsupportedVersion { requested } => {
                Some(json!({"supported": SUPPORTED, "requested": requested}))
            }
            _ => None,
        }
    }

    /// The code of the problem that the log and the metrics name.
    pub(super) fn problem(&self) -> &'static str {
        match self {
            Self::Problem(problem) => problem.code(),
            _ => Problem::InvalidRequest { raw: None }.code(),
        }
    }

    /// The fault in a sentence, and how to correct it.
    pub(super) fn detail(&self) -> Bilingual {
        match self {
            Self::NotJson => Bilingual::new(
                "The message is not JSON in UTF-8.",
                "Le message n’est pas du JSON en UTF-8.",
            ),
            Self::Batch => Bilingual::new(
                "Send each message by itself; batches are not part of these revisions of MCP.",
                "Envoyez chaque message seul; ces révisions de MCP n’ont pas de lots.",
            ),
            Self::NotAMessage => Bilingual::new(
                "A message is a JSON object with `jsonrpc` \"2.0\", a `method`, perhaps `params`, \
                 and in a request an `id` that is a text or a whole number; each once.",
                "Un message est un objet JSON avec `jsonrpc` \"2.0\", une `method`, parfois des \
                 `params`, et dans une requête un `id`, texte ou nombre entier; chacun une fois.",
            ),
            Self::TooLong { limit } => Bilingual::new(
                format!("A message may have at most {limit} bytes."),
                format!("Un message peut avoir au plus {limit} octets."),
            ),
            Self::Late => Bilingual::new(
                "The message did not arrive in time; send it again.",
                "Le message n’est pas arrivé à temps; envoyez-le de nouveau.",
            ),
            Self::NotAcceptable => Bilingual::new(
                "Accept must list application/json, in which every answer is.",
                "Accept doit nommer application/json, forme de chaque réponse.",
            ),
            Self::NotDeclaredAsJson => Bilingual::new(
                "Content-Type must be application/json.",
                "Content-Type doit être application/json.",
            ),
            Self::ForeignOrigin => Bilingual::new(
                "Pages of other sites may not ask here: Origin must be that of a base URL.",
                "Les pages d’autres sites ne peuvent demander ici\u{a0}: Origin doit être celle \
                 d’une URL de base.",
            ),
            Self::UnknownMethod { method } => Bilingual::new(
                format!("There is no method `{method}`."),
                format!("Il n’y a pas de méthode `{method}`."),
            ),
            Self::UnknownTool { name } => Bilingual::new(
                format!("There is no tool `{name}`; tools/list names them."),
                format!("Il n’y a pas d’outil `{name}`; tools/list les énumère."),
            ),
            Self::UnknownResource { uri } => Bilingual::new(
                format!("There is no resource `{uri}`; resources/list names them."),
                format!("Il n’y a pas de ressource `{uri}`; resources/list les énumère."),
            ),
            Self::WrongParameter { name, kind: [english, french] } => Bilingual::new(
                format!("`params.{name}` must be {english}."),
                format!("`params.{name}` doit être {french}."),
            ),
            Self::NoSuchPage => Bilingual::new(
                "This list has one page; ask without `cursor`.",
                "Cette liste a une seule page; demandez-la sans `cursor`.",
            ),
            Self::HeaderMismatch { header } => Bilingual::new(
                format!("Header mismatch: {header} must say what the message says."),
                format!("En-tête discordant\u{a0}: {header} doit dire ce que dit le message."),
            ),
            Self::UnsupportedVersion { .. } => Bilingual::new(
                format!("Unsupported protocol version; use {}.", SUPPORTED.join(", ")),
                format!(
                    "Révision du protocole non prise en charge; utilisez {}.",
                    SUPPORTED.join(", ")
                ),
            ),
            Self::Problem(problem) => problem.detail(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn every_text_has_its_twin() {
        let text = || "x".to_owned();
        for fault in [
            McpFault::NotJson,
            McpFault::Batch,
            McpFault::NotAMessage,
            McpFault::TooLong { limit: 1 },
            McpFault::Late,
            McpFault::NotAcceptable,
            McpFault::NotDeclaredAsJson,
            McpFault::ForeignOrigin,
            McpFault::UnknownMethod { method: text() },
            McpFault::UnknownTool { name: text() },
            McpFault::UnknownResource { uri: text() },
            McpFault::WrongParameter { name: "x", kind: A_TEXT },
            McpFault::NoSuchPage,
            McpFault::HeaderMismatch { header: "x" },
            McpFault::UnsupportedVersion { requested: text() },
            McpFault::Problem(Problem::NoIndex),
        ] {
            let english = fault.detail().in_language(Language::English);
            assert_ne!(fault.detail().in_language(Language::French), english, "{fault:?}");
        }
    }
}
