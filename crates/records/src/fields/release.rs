//! The fields of a release.

use super::FieldKind::{Number, Parts, Text, Url, Year};
use super::RecordPart::{Medium, Own, Site, Substance};
use super::value::text;
use super::{MEDIUM_EN, MEDIUM_FR, OwnField, PROVINCE, RecordField, UNITS, field, nullable, site};
use crate::{BreakdownPart, FacilityId, Province, RELEASE_SOURCE_URL, Release};

impl Release {
    /// The fields, in their order.
    pub const FIELDS: [RecordField<Self>; 24] = [
        field(
            "record_id",
            Text,
            Own(OwnField::RecordId),
            "the permanent address of the record, `<facility_id>:<year>:<substance_id>:<medium>`",
            |record| record.record_id().into(),
        ),
        site::facility_name(),
        nullable("substance_en", Text, Substance, "the English name of that year", |record| {
            text(&record.substance.name_en)
        }),
        nullable("substance_fr", Text, Substance, "the French name of that year", |record| {
            text(&record.substance.name_fr)
        }),
        field(
            "quantity",
            Number,
            Own(OwnField::Value),
            "how much, in `units`: the exact sum of the breakdown",
            |record| record.quantity.into(),
        ),
        field(
            "units",
            UNITS,
            Own(OwnField::Units),
            "the unit of `quantity` and of the breakdown",
            |record| record.unit.name().into(),
        ),
        field(
            "medium_en",
            MEDIUM_EN,
            Medium,
            "where it went; all media together are reported instead of a medium, never added to one",
            |record| record.medium.name_en().into(),
        ),
        nullable("province", PROVINCE, Site, "two-letter code; null offshore", |record| {
            record.site.province.map(Province::code).into()
        }),
        field("facility_id", Text, Site, "NPRI id of the facility", |record| {
            record.site.facility_id.to_string().into()
        }),
        field("year", Year, Own(OwnField::Year), "the reporting year", |record| record.year.into()),
        field(
            "substance_id",
            Text,
            Substance,
            "CAS RN in canonical form, or NPRI code without spaces and slash",
            |record| record.substance.id.as_str().into(),
        ),
        nullable("cas_number", Text, Substance, "CAS RN; null for NPRI codes", |record| {
            record.substance.id.cas_number().into()
        }),
        field("medium_fr", MEDIUM_FR, Medium, "`medium_en` in French", |record| {
            record.medium.name_fr().into()
        }),
        site::company_name("the company that reported"),
        site::city(),
        site::naics_code(),
        site::naics_en(),
        site::naics_fr(),
        nullable(
            "quantity_kg",
            Number,
            Own(OwnField::QuantityKg),
            "`quantity` in kilograms; null for `g TEQ`, no mass",
            |record| record.quantity_kg().into(),
        ),
        field(
            "breakdown",
            Parts(&BreakdownPart::FIELDS),
            Own(OwnField::Breakdown),
            "the rows of the source that add up to the record",
            |record| record.breakdown.as_slice().into(),
        ),
        site::latitude(),
        site::longitude(),
        nullable(
            "ghgrp_id",
            Text,
            Site,
            "the facility's id in the greenhouse-gas inventory",
            |record| record.site.cross_reference.as_ref().map(FacilityId::to_string).into(),
        ),
        field("source_url", Url, Site, "the official dataset", |_| RELEASE_SOURCE_URL.into()),
    ];
}

impl BreakdownPart {
    /// The fields, in their order.
    pub const FIELDS: [RecordField<Self>; 4] = [
        nullable(
            "category_en",
            Text,
            Own(OwnField::Breakdown),
            "how it left the facility, in English",
            |part| text(&part.category.name_en),
        ),
        nullable(
            "category_fr",
            Text,
            Own(OwnField::Breakdown),
            "how it left the facility, in French",
            |part| text(&part.category.name_fr),
        ),
        field(
            "quantity",
            Number,
            Own(OwnField::Breakdown),
            "how much, in the record's `units`",
            |part| part.quantity.into(),
        ),
        nullable(
            "estimation_method",
            Text,
            Own(OwnField::Breakdown),
            "how it was estimated, as the source writes it",
            |part| part.estimation_method.as_deref().into(),
        ),
    ];
}
