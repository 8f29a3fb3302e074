//! Texts in both languages inside one document, and the document in one of them.

use outfall_records::Doc;
use serde_json::{Map, Value, json};

use crate::Language;

const ENGLISH: &str = "x-en";
/// The key of the French twin of a description, also in the schemas of types.
pub(super) const FRENCH: &str = "x-fr";

/// A text in both languages, for [`in_language`] to choose from.
pub(super) fn twins(english: impl Into<String>, french: impl Into<String>) -> Value {
    json!({ENGLISH: english.into(), FRENCH: french.into()})
}

/// A text of a table.
pub(crate) fn doc(doc: Doc) -> Value {
    twins(doc.en, doc.fr)
}

/// The document with each text in this language.
pub(crate) fn in_language(document: &Value, language: Language) -> Value {
    let in_language = |value| in_language(value, language);
    match document {
        Value::Object(members) => match of_twins(members) {
            Some(twins) => json!(language.choose(twins)),
            None => {
                let members = members.iter();
                members.map(|(name, value)| (name.clone(), in_language(value))).collect()
            }
        },
        Value::Array(items) => items.iter().map(in_language).collect(),
        other => other.clone(),
    }
}

/// The English and the French text of an object that holds nothing else.
fn of_twins(members: &Map<String, Value>) -> Option<[&str; 2]> {
    let text = |name| members.get(name).and_then(Value::as_str);
    Some([text(ENGLISH)?, text(FRENCH)?]).filter(|_| members.len() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::description;

    /// Texts that are the same in both languages: names.
    const SAME: [&str; 1] = ["Outfall"];

    /// Whether a text is only code, which has no translation.
    fn is_code(text: &str) -> bool {
        text.split('`').step_by(2).all(str::is_empty)
    }

    /// Every text for people under `value` that lacks its twin.
    fn alone(value: &Value, at: &str, found: &mut Vec<String>) {
        let mut note = |name: &str| found.push(format!("{at}/{name}"));
        if let Value::Object(members) = value {
            if members.contains_key(FRENCH) != members.contains_key(ENGLISH) {
                note(FRENCH);
            }
            for name in ["description", "summary", "title"] {
                match members.get(name) {
                    Some(Value::String(text)) if !SAME.contains(&text.as_str()) => note(name),
                    Some(Value::Object(twins)) => match of_twins(twins) {
                        Some([english, french]) if english == french && !is_code(english) => {
                            note(name);
                        }
                        Some(twins) if twins.iter().any(|text| text.is_empty()) => note(name),
                        // This is a field with that name.
                        _ => {}
                    },
                    _ => {}
                }
            }
        }
        let members = value.as_object().into_iter().flatten();
        let items = value.as_array().into_iter().flatten().enumerate();
        for (name, member) in members.map(|(name, member)| (name.clone(), member)) {
            alone(member, &format!("{at}/{name}"), found);
        }
        for (index, item) in items {
            alone(item, &format!("{at}/{index}"), found);
        }
    }

    #[test]
    fn no_text_lacks_its_twin() {
        let mut found = Vec::new();
        alone(&description(), "", &mut found);
        assert!(found.is_empty(), "{found:#?}");
    }

    #[test]
    fn each_language_is_whole() {
        for language in [Language::English, Language::French] {
            let text = in_language(&description(), language).to_string();
            assert!(!text.contains(ENGLISH) && !text.contains(FRENCH), "{language:?}");
        }
    }
}
