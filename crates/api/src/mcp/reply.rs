//! The answer to a message, as text: numbers in it are those of the records, digit by digit.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::SERVER;
use super::era::Era;
use super::fault::McpFault;
use crate::Language;
use crate::envelope::push_json;

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status that goes with it.
    pub status: u16,
    /// The message: JSON in one line.
    pub body: Vec<u8>,
    /// The code of the problem, if the request was not answered as asked.
    pub problem: Option<&'static str>,
}

/// The id of a request, as it is written; a text or a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Id(String);

/// The request that is answered.
#[derive(Clone, Debug)]
pub(super) struct To {
    pub(super) id: Id,
    pub(super) era: Era,
}

/// How long a client of the newer era may keep an answer that changes only with the program, in
/// milliseconds.
pub(super) const HOUR: u32 = 3_600_000;

impl Id {
    /// The id, if the value may be one.
    pub(super) fn of(value: &RawValue) -> Option<Self> {
        let written = value.get();
        let digits = written.strip_prefix('-').unwrap_or(written);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (is_whole || written.starts_with('"')).then(|| Self(written.to_owned()))
    }
}

impl To {
    /// The result of the request: the inside of a JSON object. `kept_for` is how many milliseconds
    /// a client may keep it, for methods that say so.
    pub(super) fn result(&self, members: &[u8], kept_for: Option<u32>) -> Reply {
        let mut body = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"#, self.id.0).into_bytes();
        if self.era == Era::Modern {
            body.extend_from_slice(br#""resultType":"complete","#);
        }
        body.extend_from_slice(members);
        if self.era == Era::Modern {
            if let Some(milliseconds) = kept_for {
                let kept = format!(r#","ttlMs":{milliseconds},"cacheScope":"private""#);
                body.extend_from_slice(kept.as_bytes());
            }
            body.extend_from_slice(br#","_meta":"#);
            push_json(&mut body, &json!({"io.modelcontextprotocol/serverInfo": SERVER}));
        }
        body.extend_from_slice(b"}}");
        Reply { status: 200, body, problem: None }
    }

    /// The refusal of the request.
    pub(super) fn refused(&self, fault: &McpFault, language: Language) -> Reply {
        refusal(Some(&self.id), self.era, fault, language)
    }
}

impl Reply {
    /// The refusal of what could not be read as a request.
    #[must_use]
    pub fn refused(fault: &McpFault, language: Language) -> Self {
        refusal(None, Era::Legacy, fault, language)
    }
}

pub(super) fn refusal(id: Option<&Id>, era: Era, fault: &McpFault, language: Language) -> Reply {
    let mut body = br#"{"jsonrpc":"2.0""#.to_vec();
    if let Some(Id(id)) = id {
        body.extend_from_slice(br#","id":"#);
        body.extend_from_slice(id.as_bytes());
    }
    let mut error =
        json!({"code": fault.code(era), "message": fault.detail().in_language(language)});
    if let Some(data) = fault.data() {
        error["data"] = data;
    }
    body.extend_from_slice(br#","error":"#);
    push_json(&mut body, &error);
    body.push(b'}');
    Reply { status: fault.status(era), body, problem: Some(fault.problem()) }
}

/// The inside of an object.
pub(super) fn members(object: &Value) -> Vec<u8> {
    let mut members = Vec::new();
    push_json(&mut members, object);
    members.pop();
    members.remove(0);
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_texts_or_whole_numbers() {
        for (written, is_id) in [
            ("1", true),
            ("-7", true),
            ("123456789012345678901234567890", true),
            ("\"a\\u00e9\"", true),
            ("\"\"", true),
            ("null", false),
            ("1.5", false),
            ("1e3", false),
            ("true", false),
            ("[1]", false),
            ("{}", false),
        ] {
            let value = RawValue::from_string(written.to_owned()).unwrap();
            assert_eq!(Id::of(&value), is_id.then(|| Id(written.to_owned())), "{written}");
        }
    }
}
