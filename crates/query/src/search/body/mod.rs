//! The JSON of a record, assembled from the fragments of its dimensions.

mod numbers;

use std::fmt::Display;
use std::io::Write;

use outfall_records::{BreakdownPart, Decimal, Emission, OwnField, RecordPart};

use self::numbers::{push_decimal, push_whole};
use crate::index::{Kind, StoredRecord, StoredRelease, TemplateStep};

/// Appends the JSON of a document; the same bytes as `outfall_records` writes.
pub(crate) fn write_record(kind: &Kind, document: u32, body: &mut Vec<u8>) {
    let own = kind.record(document);
    let place = document as usize;
    for piece in &kind.template.pieces {
        if let RecordPart::Own(field) = piece.slot {
            body.extend_from_slice(piece.literal.as_bytes());
            write_own(kind, document, &own, field, body);
        } else if let Some(fragment) = shared(kind, place, piece) {
            body.extend_from_slice(fragment);
        }
    }
    body.push(b'}');
}

/// The fragment that a document shares with others, if the piece is one.
fn shared<'k>(kind: &'k Kind, place: usize, piece: &TemplateStep) -> Option<&'k [u8]> {
    let (fragments, number) = match piece.slot {
        RecordPart::Site => (&kind.site_fragments, kind.site_of[place]),
        RecordPart::Substance => (&kind.substance_fragments, kind.substance_of[place].into()),
        RecordPart::Medium => (&kind.medium_fragments, kind.medium_of[place].into()),
        RecordPart::Own(_) => return None,
    };
    Some(fragments.bytes(number as usize * piece.of + piece.fragment))
}

fn write_own(
    kind: &Kind,
    document: u32,
    own: &StoredRecord<'_>,
    field: OwnField,
    body: &mut Vec<u8>,
) {
    match (field, own) {
        (OwnField::RecordId, _) => {
            body.push(b'"');
            kind.write_record_id(document, body);
            body.push(b'"');
        }
        (OwnField::Year, _) => push_whole(body, u64::from(kind.year_of(document))),
        (OwnField::Value, StoredRecord::Release(release)) => push_decimal(body, release.quantity),
        (OwnField::Value, StoredRecord::Emission(emission)) => {
            push_decimal(body, emission.total_co2e)
        }
        (OwnField::Units, StoredRecord::Release(release)) => text(body, release.unit.name()),
        (OwnField::QuantityKg, StoredRecord::Release(release)) => {
            number_or_null(body, release.unit.kilograms(release.quantity));
        }
        (OwnField::Breakdown, StoredRecord::Release(release)) => {
            write_breakdown(kind, *release, body)
        }
        (OwnField::Gas(gas), StoredRecord::Emission(emission)) => {
            number_or_null(body, emission.gases.values().get(gas).copied().flatten());
        }
        (OwnField::SourceUrl, _) => {
            let facility = kind.site_ids.get(kind.site_of[document as usize] as usize);
            text(body, Emission::page_url(facility, kind.year_of(document)));
        }
        (
            OwnField::Units | OwnField::QuantityKg | OwnField::Breakdown,
            StoredRecord::Emission(_),
        )
        | (OwnField::Gas(_), StoredRecord::Release(_)) => body.extend_from_slice(b"null"),
    }
}

fn write_breakdown(kind: &Kind, release: StoredRelease<'_>, body: &mut Vec<u8>) {
    let [.., method_field] = &BreakdownPart::FIELDS;
    body.push(b'[');
    for (place, (category, method, quantity)) in release.parts().enumerate() {
        if place > 0 {
            body.push(b',');
        }
        body.extend_from_slice(kind.categories.bytes(category));
        push_decimal(body, quantity);
        for part in [",\"", method_field.field.name, "\":"] {
            body.extend_from_slice(part.as_bytes());
        }
        match method {
            Some(method) => body.extend_from_slice(kind.methods.bytes(method)),
            None => body.extend_from_slice(b"null"),
        }
        body.push(b'}');
    }
    body.push(b']');
}

/// Appends a text that needs no escaping: units and addresses are plain ASCII.
fn text(body: &mut Vec<u8>, text: impl Display) {
    // Writing to a `Vec` never fails.
    let _ = write!(body, "\"{text}\"");
}

fn number_or_null(body: &mut Vec<u8>, value: Option<Decimal>) {
    match value {
        Some(value) => push_decimal(body, value),
        None => body.extend_from_slice(b"null"),
    }
}
