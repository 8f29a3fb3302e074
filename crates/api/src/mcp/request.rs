//! Reads a message, and decides what the request in it leads to.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::call::{Call, Part, Wanted, refused};
use super::era::{Era, Headers, SUPPORTED, negotiated};
use super::fault::{A_TEXT, McpFault};
use super::members::{Members, text};
use super::reply::{HOUR, Id, Reply, To, members};
use super::{INSTRUCTIONS, SERVER, Step, arguments, resources, tools};
use crate::Language;

/// The most bytes of the arguments of a tool: as many as a path and a query may have.
const MAX_ARGUMENTS: usize = 8 * 1024;
const SMALL_OBJECT: [&str; 2] =
    ["an object of at most 8192 bytes", "un objet d’au plus 8192\u{a0}octets"];

/// A request, as far as it is understood.
pub(super) struct Request<'a> {
    pub(super) to: To,
    method: String,
    params: Members<'a>,
    language: Language,
}

/// A message, as far as this module distinguishes them.
pub(super) enum Message<'a> {
    Request(Request<'a>),
    /// The request of this id is no longer wanted.
    Cancelled(Id),
    /// Another notification, or an answer.
    Other,
}

impl<'a> Message<'a> {
    /// Reads a message.
    ///
    /// # Errors
    /// Why it is no message, and its id, if that can be read.
    pub(super) fn read(
        value: &'a RawValue,
        headers: Option<&Headers>,
        language: Language,
    ) -> Result<Self, (Option<Id>, McpFault)> {
        if value.get().starts_with('[') {
            return Err((None, McpFault::Batch));
        }
        let message = Members::of(value).ok_or((None, McpFault::NotAMessage))?;
        let given = message.get("id");
        let id = given.and_then(Id::of);
        let wrong = |id: &Option<Id>| (id.clone(), McpFault::NotAMessage);
        let is_valid = message.text("jsonrpc").as_deref() == Some("2.0")
            && given.is_some() == id.is_some()
            && !message.has_repeats();
        if !is_valid {
            return Err(wrong(&id));
        }
        let Some(method) = message.get("method") else {
            let is_answer = message.get("result").or(message.get("error")).is_some();
            return if is_answer { Ok(Self::Other) } else { Err(wrong(&id)) };
        };
        let method = text(method).ok_or_else(|| wrong(&id))?;
        let params = match message.get("params") {
            Some(params) => Members::of(params).filter(|params| !params.has_repeats()),
            None => Some(Members::default()),
        };
        let params = params.ok_or_else(|| wrong(&id))?;
        let Some(id) = id else {
            // A cancellation that names no request is ignored, like any other notification.
            let named = params.get("requestId").filter(|_| method == "notifications/cancelled");
            return Ok(named.and_then(Id::of).map_or(Self::Other, Self::Cancelled));
        };
        match Era::of(&method, &params, headers) {
            Ok(era) => Ok(Self::Request(Request { to: To { id, era }, method, params, language })),
            Err(fault) => Err((Some(id), fault)),
        }
    }
}

impl Request<'_> {
    /// What the request leads to.
    ///
    /// # Errors
    /// Why it has no result.
    pub(super) fn step(&self) -> Result<Step, McpFault> {
        let reply = match (self.method.as_str(), self.to.era) {
            ("initialize", Era::Legacy) => self.initialized()?,
            ("ping", Era::Legacy) => self.to.result(b"", None),
            ("server/discover", Era::Modern) => self
                .to
                .result(&members(&self.introduction("supportedVersions", SUPPORTED)), Some(HOUR)),
            ("tools/list", _) => self.list("tools", tools::list(self.language))?,
            ("resources/list", _) => self.list("resources", resources::list(self.language))?,
            ("resources/templates/list", _) => self.list("resourceTemplates", json!([]))?,
            ("resources/read", _) => {
                let uri = self.text("uri")?;
                match resources::read(&uri, self.language)? {
                    Some(read) => self.to.result(&read, Some(HOUR)),
                    None => {
                        return Ok(self.call(
                            Wanted::WhatIsServed { uri },
                            self.language,
                            Vec::new(),
                        ));
                    }
                }
            }
            ("tools/call", _) => return self.called(),
            _ => return Err(McpFault::UnknownMethod { method: self.method.clone() }),
        };
        Ok(Step::Reply(reply))
    }

    fn initialized(&self) -> Result<Reply, McpFault> {
        let version = negotiated(&self.text("protocolVersion")?);
        let mut introduction = self.introduction("protocolVersion", version);
        introduction["serverInfo"] = json!(SERVER);
        Ok(self.to.result(&members(&introduction), None))
    }

    /// The description of this program that both eras send, with the revisions under `name`.
    fn introduction(&self, name: &str, versions: impl Serialize) -> Value {
        json!({
            name: versions,
            "capabilities": {"tools": {}, "resources": {}},
            "instructions": self.language.choose(INSTRUCTIONS),
        })
    }

    /// A whole list; it has no second page.
    fn list(&self, name: &str, items: Value) -> Result<Reply, McpFault> {
        match self.params.get("cursor") {
            Some(_) => Err(McpFault::NoSuchPage),
            None => Ok(self.to.result(&members(&json!({name: items})), Some(HOUR))),
        }
    }

    fn called(&self) -> Result<Step, McpFault> {
        let name = self.text("name")?;
        let tool = tools::named(&name).ok_or(McpFault::UnknownTool { name })?;
        let given = self.params.get("arguments").filter(|given| given.get() != "null");
        let arguments = match given {
            Some(given) => Some(given)
                .filter(|given| given.get().len() <= MAX_ARGUMENTS)
                .and_then(Members::of)
                .ok_or(McpFault::WrongParameter { name: "arguments", kind: SMALL_OBJECT })?,
            None => Members::default(),
        };
        let (language, read) = arguments::read(tool, arguments, self.language);
        Ok(match read {
            Ok(searches) => self.call(Wanted::Tool, language, searches),
            Err(problem) => Step::Reply(refused(&self.to, &problem, language)),
        })
    }

    fn call(&self, wanted: Wanted, language: Language, searches: Vec<Part>) -> Step {
        let to = self.to.clone();
        Step::Call(Box::new(Call { to, language, wanted, searches }))
    }

    fn text(&self, name: &'static str) -> Result<String, McpFault> {
        self.params.text(name).ok_or(McpFault::WrongParameter { name, kind: A_TEXT })
    }
}
