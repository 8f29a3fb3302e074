//! Turns a record into a document, and reads it back.

use outfall_records::Record;
use outfall_request::CityFilter;
use tantivy::TantivyDocument;
use tantivy::schema::Value;

use super::fields::{Fields, VALUES};
use super::places;
use super::values::DistinctValues;

/// The parts of a record that a page needs.
#[derive(Debug, Default)]
pub(crate) struct StoredRecord {
    pub(crate) record_id: String,
    pub(crate) json: Vec<u8>,
}

impl StoredRecord {
    pub(crate) fn read(document: &TantivyDocument, fields: &Fields) -> Self {
        let id = document.get_first(fields.record_id).and_then(|value| value.as_str());
        let json = document.get_first(fields.json).and_then(|value| value.as_bytes());
        Self {
            record_id: id.unwrap_or_default().to_owned(),
            json: json.unwrap_or_default().to_vec(),
        }
    }
}

pub(crate) fn document(
    fields: &Fields,
    values: &[DistinctValues; VALUES.len()],
    record: &Record,
    (place, id_rank): (u64, u64),
) -> anyhow::Result<TantivyDocument> {
    let mut document = TantivyDocument::default();
    for text in record.texts() {
        document.add_text(fields.text, &text.text);
        document.add_text(fields.classes, &text.text);
    }
    let site = record.site();
    if let Some(substance) = record.substance() {
        for name in &substance.every_name {
            document.add_text(fields.substance_name, name);
            document.add_text(fields.substance_classes, name);
        }
        document.add_text(fields.substance, substance.id.as_str());
    }
    if let Record::Release(release) = record {
        document.add_text(fields.medium, release.medium.slug());
    }
    if let Some(province) = site.province {
        document.add_text(fields.province, province.code());
    }
    if let Some(city) = site.city.as_deref().and_then(CityFilter::new) {
        document.add_text(fields.city, city.key());
    }
    if let Some(place) = places::keyword(site) {
        document.add_text(fields.coordinates, place);
    }
    for name in site.company_names() {
        document.add_text(fields.company, name);
    }
    if let Some(code) = &site.naics_code {
        let digits = code.as_str();
        for end in 2..=digits.len() {
            document.add_text(fields.naics, &digits[..end]);
        }
    }
    for key in site.facility_keys() {
        document.add_text(fields.facility, key.as_str());
    }
    if let Some(unit) = record.unit() {
        document.add_text(fields.unit, unit.name());
    }
    document.add_text(fields.record_id, record.record_id());
    document.add_u64(fields.year, u64::from(record.year().get()));
    document.add_u64(fields.id_rank, id_rank);
    document.add_u64(fields.place, place);
    for ((compared, field), values) in VALUES.into_iter().zip(fields.values).zip(values) {
        let value = compared.value(record.value(), record.unit());
        if let Some(ordinal) = value.and_then(|value| values.ordinal(value)) {
            document.add_u64(field, ordinal);
        }
    }
    document.add_bytes(fields.json, &serde_json::to_vec(record)?);
    Ok(document)
}
