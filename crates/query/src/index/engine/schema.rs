//! The full-text index of a kind and the tokens in it.
//!
//! It holds one document for each distinct text that a site, a substance, a set of media or a year
//! shows, and one for each value that a filter compares whole. Words and phrases are therefore
//! looked up among tens of thousands of short texts instead of a million records.

use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;

use super::tokenizer::RecordTokenizer;

/// The analyzer of text.
const TOKENS: &str = "tokens";
/// The analyzer of text whose words are looked up by class.
const CLASSES: &str = "classes";
/// The analyzer of values that are compared whole.
const KEYWORD: &str = "raw";

/// The fields that a unit of `q` is looked up in.
#[derive(Clone, Copy, Debug)]
pub struct UnitFields {
    /// The tokens, for quoted words and phrases.
    pub tokens: Field,
    /// The classes of the tokens, for unquoted words.
    pub classes: Field,
}

/// The fields of a text, one for each role that it has.
#[derive(Clone, Copy, Debug)]
pub struct TextFields {
    /// Every text that `q` searches.
    pub text: UnitFields,
    /// The texts that are names.
    pub name: UnitFields,
    /// Every name that a substance id has had.
    pub substance_name: UnitFields,
    /// The legal and the trade name of the company.
    pub company: Field,
    /// The two-letter code.
    pub province: Field,
    /// The key of the city's name.
    pub city: Field,
    /// Every prefix of the NAICS code, from two digits on.
    pub naics: Field,
    /// The keys that `facility_id=` finds a site by.
    pub facility: Field,
    /// The canonical substance id.
    pub substance: Field,
}

impl TextFields {
    /// The fields whose words have stored sets.
    pub(crate) const fn of_words(&self) -> [Field; 4] {
        [self.text.tokens, self.text.classes, self.name.tokens, self.name.classes]
    }
}

/// The schema, and its fields.
#[must_use]
pub(crate) fn text_schema() -> (Schema, TextFields) {
    let mut schema = Schema::builder();
    let text = |analyzer, option| {
        let indexing = TextFieldIndexing::default().set_fieldnorms(false).set_index_option(option);
        TextOptions::default().set_indexing_options(indexing.set_tokenizer(analyzer))
    };
    let phrases = text(TOKENS, IndexRecordOption::WithFreqsAndPositions);
    let words = text(CLASSES, IndexRecordOption::Basic);
    let keywords = text(KEYWORD, IndexRecordOption::Basic);
    let fields = TextFields {
        text: UnitFields {
            tokens: schema.add_text_field("text", phrases.clone()),
            classes: schema.add_text_field("text_classes", words.clone()),
        },
        name: UnitFields {
            tokens: schema.add_text_field("name", phrases.clone()),
            classes: schema.add_text_field("name_classes", words.clone()),
        },
        substance_name: UnitFields {
            tokens: schema.add_text_field("substance_name", phrases.clone()),
            classes: schema.add_text_field("substance_name_classes", words),
        },
        company: schema.add_text_field("company", phrases),
        province: schema.add_text_field("province", keywords.clone()),
        city: schema.add_text_field("city", keywords.clone()),
        naics: schema.add_text_field("naics", keywords.clone()),
        facility: schema.add_text_field("facility", keywords.clone()),
        substance: schema.add_text_field("substance", keywords),
    };
    (schema.build(), fields)
}

/// The analyzers that the schemas name.
pub(crate) fn analyzers() -> TokenizerManager {
    let analyzers = TokenizerManager::default();
    analyzers.register(TOKENS, RecordTokenizer::Tokens);
    analyzers.register(CLASSES, RecordTokenizer::Classes);
    analyzers
}
