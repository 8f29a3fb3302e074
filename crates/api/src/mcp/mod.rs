//! The Model Context Protocol, without a network: the messages of agents, and the answers to them.
//!
//! Written by hand. The official `rmcp` builds answers from `serde_json::Value`, which would round
//! numbers, and serves HTTP through the types of `tower`, which actix does not use; and a server
//! that keeps nothing between requests needs only eight methods. This module speaks revisions
//! 2025-06-18, 2025-11-25 and 2026-07-28.
//!
//! A front end (HTTP or standard input) passes in each message. It sends the reply that it gets
//! back, or runs the searches that a [`Call`] names in its own way and sends the answer that the
//! call makes from their pages.

mod arguments;
mod call;
mod era;
mod fault;
mod members;
mod reply;
mod request;
mod resources;
mod tools;

use serde::Serialize;
use serde_json::value::RawValue;

pub use self::call::Call;
pub use self::era::Headers;
pub use self::fault::McpFault;
pub use self::reply::{Id, Reply};

use self::era::Era;
use self::reply::refusal;
use self::request::Message;
use crate::Language;

/// The most bytes of a message; all parameters of a request together are far shorter.
pub const MAX_MESSAGE: usize = 64 * 1024;

/// This program, as it introduces itself.
#[derive(Clone, Copy, Debug, Serialize)]
struct Server {
    name: &'static str,
    title: &'static str,
    version: &'static str,
}

const SERVER: Server =
    Server { name: "outfall", title: "Outfall", version: env!("CARGO_PKG_VERSION") };

/// What an agent should know before it calls a tool.
const INSTRUCTIONS: [&str; 2] = [
    "Pollutant releases (NPRI, since 1993) and greenhouse-gas totals (GHGRP, since 2004) of Canadian \
     facilities, as the government published them. Counts and sums are exact. For totals, rankings \
     and charts use count_releases or count_emissions with facets; for single records use \
     search_releases or search_emissions, and follow next_cursor for more. If nothing matches, \
     `query` says which word or filter kept everything out. Read `warnings` first: masses of \
     different substances, or in different units, do not add up to one quantity. When you quote \
     numbers, name the source.",
    "Rejets de polluants (INRP, depuis 1993) et totaux de gaz à effet de serre (PDGES, depuis 2004) \
     des installations canadiennes, tels que publiés par le gouvernement. Les comptes et les sommes \
     sont exacts. Pour des totaux, des classements et des graphiques, utilisez count_releases ou \
     count_emissions avec facets; pour des enregistrements, search_releases ou search_emissions, et \
     suivez next_cursor pour la suite. Si rien ne répond, `query` dit quel mot ou quel filtre a tout \
     écarté. Lisez d’abord `warnings`\u{a0}: les masses de substances différentes, ou en unités \
     différentes, ne font pas une même grandeur. Quand vous citez des nombres, nommez la source.",
];

/// What a message leads to.
#[derive(Debug)]
pub enum Step {
    /// Nothing is answered: it was a notification, or an answer to a question never asked.
    Silence,
    /// The answer is complete.
    Reply(Reply),
    /// The index must be searched first.
    Call(Box<Call>),
    /// The call of this id is no longer wanted, if it still runs. This is not answered either.
    Cancelled(Id),
}

/// Reads a message. `headers` are those of HTTP, if it came that way; texts are in `language`
/// unless a tool is asked for another one.
#[must_use]
pub fn receive(message: &[u8], headers: Option<&Headers>, language: Language) -> Step {
    let parsed = std::str::from_utf8(message).ok();
    let Some(value) = parsed.and_then(|text| serde_json::from_str::<&RawValue>(text).ok()) else {
        return Step::Reply(Reply::refused(&McpFault::NotJson, language));
    };
    match Message::read(value, headers, language) {
        Ok(Message::Request(request)) => {
            let answered = request.step();
            answered.unwrap_or_else(|fault| Step::Reply(request.to.refused(&fault, language)))
        }
        Ok(Message::Cancelled(id)) => Step::Cancelled(id),
        Ok(Message::Other) => Step::Silence,
        Err((id, fault)) => Step::Reply(refusal(id.as_ref(), Era::Legacy, &fault, language)),
    }
}

/// The name of an argument that every tool takes and that is no parameter of the API.
const LANGUAGE: &str = "language";

/// The names of the languages.
const LANGUAGES: [&str; 2] = [Language::English.tag(), Language::French.tag()];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::{collection, sample::select};
    use serde_json::{Value, json};

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            select(vec![
                json!(null),
                json!(true),
                json!(1),
                json!(-2.5),
                json!("2.0"),
                json!("en")
            ]),
            select(tools::TOOLS.iter().map(|tool| json!(tool.name)).collect::<Vec<_>>()),
            "\\PC{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, |inner| {
            let names = select(vec![
                "name",
                "arguments",
                "uri",
                "cursor",
                "_meta",
                "q",
                "limit",
                "facets",
                "language",
                "facility_id",
                "province",
                "io.modelcontextprotocol/protocolVersion",
            ]);
            prop_oneof![
                collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                collection::vec((names, inner), 0..6).prop_map(|members| {
                    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_message_leads_to_json_or_to_silence(
            method in select(vec!["initialize", "tools/list", "tools/call", "resources/read", "x"]),
            params in value(),
            language in select(vec![Language::English, Language::French]),
        ) {
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            if let Step::Reply(reply) = receive(message.to_string().as_bytes(), None, language) {
                let answer: Value = serde_json::from_slice(&reply.body).unwrap();
                prop_assert_eq!(&answer["id"], 1);
                prop_assert!(answer["result"].is_object() != answer["error"].is_object());
            }
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes in collection::vec(any::<u8>(), 0..60)) {
            let step = receive(&bytes, None, Language::English);
            prop_assert!(!matches!(step, Step::Call(_)));
        }
    }
}
