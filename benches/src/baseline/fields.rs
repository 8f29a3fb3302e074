//! The schema of the plain way.

use outfall_query::ValueMeasure;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

/// The analyzer of text.
pub(crate) const TOKENS: &str = "tokens";
/// The analyzer of text whose words are looked up by class.
pub(crate) const CLASSES: &str = "classes";

/// The fields of a document; options are the engine's presets wherever there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// Every text that `q` searches, each value by itself.
    pub(crate) text: Field,
    /// The same texts, as classes of words.
    pub(crate) classes: Field,
    /// Every name that the substance id has had.
    pub(crate) substance_name: Field,
    /// The same names, as classes of words.
    pub(crate) substance_classes: Field,
    pub(crate) province: Field,
    /// Every prefix of the NAICS code, from two digits on.
    pub(crate) naics: Field,
    pub(crate) city: Field,
    /// Latitude and longitude, as [`super::places::keyword`] spells them.
    pub(crate) coordinates: Field,
    /// The legal and the trade name.
    pub(crate) company: Field,
    pub(crate) facility: Field,
    pub(crate) substance: Field,
    pub(crate) medium: Field,
    pub(crate) unit: Field,
    pub(crate) record_id: Field,
    pub(crate) year: Field,
    /// The place of the record id in byte order.
    pub(crate) id_rank: Field,
    /// The place in canonical order.
    pub(crate) place: Field,
    /// The place of each value among the distinct ones, in the order of [`VALUES`].
    pub(crate) values: [Field; VALUES.len()],
    /// The record as JSON.
    pub(crate) json: Field,
}

/// The measures that a request can compare.
pub(crate) const VALUES: [ValueMeasure; 3] =
    [ValueMeasure::Reported, ValueMeasure::Mass, ValueMeasure::GramsTeq];

/// The name of the fast field of a measure.
pub(crate) const fn value_name(compared: ValueMeasure) -> &'static str {
    match compared {
        ValueMeasure::Reported => "value_reported",
        ValueMeasure::Mass => "value_mass",
        ValueMeasure::GramsTeq => "value_grams_teq",
    }
}

pub(crate) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let text = |analyzer, option| {
        let indexing =
            TextFieldIndexing::default().set_tokenizer(analyzer).set_index_option(option);
        TextOptions::default().set_indexing_options(indexing)
    };
    let classes = text(CLASSES, IndexRecordOption::Basic);
    let text = text(TOKENS, IndexRecordOption::WithFreqsAndPositions);
    let fields = Fields {
        text: schema.add_text_field("text", text.clone()),
        classes: schema.add_text_field("classes", classes.clone()),
        substance_name: schema.add_text_field("substance_name", text.clone()),
        substance_classes: schema.add_text_field("substance_classes", classes),
        company: schema.add_text_field("company", text),
        province: schema.add_text_field("province", STRING),
        coordinates: schema.add_text_field("coordinates", STRING),
        city: schema.add_text_field("city", STRING),
        naics: schema.add_text_field("naics", STRING),
        facility: schema.add_text_field("facility", STRING),
        substance: schema.add_text_field("substance", STRING),
        medium: schema.add_text_field("medium", STRING),
        unit: schema.add_text_field("unit", STRING),
        record_id: schema.add_text_field("record_id", STRING | STORED),
        year: schema.add_u64_field("year", INDEXED | FAST),
        id_rank: schema.add_u64_field("id_rank", FAST),
        place: schema.add_u64_field("place", FAST),
        values: VALUES.map(|compared| schema.add_u64_field(value_name(compared), FAST)),
        json: schema.add_bytes_field("json", STORED),
    };
    (schema.build(), fields)
}
