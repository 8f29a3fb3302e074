//! `POST /mcp`. The protocol itself describes what can be asked there.

use serde_json::{Value, json};

use super::twins::twins;
use super::{parameters, responses, with_a_key};

/// The operation for agents.
pub(super) fn operation() -> Value {
    let message = json!({
        "type": "object", "required": ["jsonrpc"],
        "properties": {"jsonrpc": {"const": "2.0"}},
        "additionalProperties": true,
    });
    let json = json!({"schema": message});
    let mut answers = responses::references(&[401, 429]);
    answers.insert(
        "200".to_owned(),
        json!({
            "description": twins(
                "The answer: a result, or an error of JSON-RPC.",
                "La réponse\u{a0}: un résultat, ou une erreur JSON-RPC.",
            ),
            "content": {"application/json": json},
        }),
    );
    answers.insert(
        "202".to_owned(),
        json!({"description": twins(
            "A notification was received; it has no answer.",
            "Une notification a été reçue; elle n’a pas de réponse.",
        )}),
    );
    answers.insert("4XX".to_owned(), json!({
        "description": twins(
            "What came is not a message that can be answered: an error of JSON-RPC; or the key, the \
             host or a limit is the reason: a problem.",
            "Ce qui a été reçu n’est pas un message auquel on puisse répondre\u{a0}: une erreur \
             JSON-RPC; ou la clé, l’hôte ou une limite en est la cause\u{a0}: un problème.",
        ),
        "content": {
            "application/json": json,
            "application/problem+json": {"schema": super::schemas::reference("Problem")},
        },
    }));
    json!({
        "operationId": "mcp",
        "tags": ["search"],
        "summary": twins(
            "Search as an agent does (Model Context Protocol)",
            "Chercher comme le fait un agent (Model Context Protocol)",
        ),
        "description": twins(
            "A message of JSON-RPC 2.0 in one of the revisions 2025-06-18, 2025-11-25 and \
             2026-07-28 of MCP, without a session. `tools/list` describes the tools, which have the \
             parameters of the searches.",
            "Un message JSON-RPC 2.0 dans l’une des révisions 2025-06-18, 2025-11-25 et 2026-07-28 \
             de MCP, sans session. `tools/list` décrit les outils, qui ont les paramètres des \
             recherches.",
        ),
        "security": with_a_key(),
        "parameters": parameters::of_service(),
        "requestBody": {"required": true, "content": {"application/json": json}},
        "responses": answers,
    })
}
