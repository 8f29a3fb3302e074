//! The fields of an emission.

use super::FieldKind::{Number, Text, Url, Year};
use super::RecordPart::{Own, Site};
use super::{CO2E_UNITS, FieldValue, OwnField, PROVINCE, RecordField, field, nullable, site};
use crate::{Emission, FacilityId, Gases, Province};

impl Emission {
    /// The fields, in their order.
    pub const FIELDS: [RecordField<Self>; 22] = [
        field(
            "record_id",
            Text,
            Own(OwnField::RecordId),
            "the permanent address of the record, `<facility_id>:<year>`",
            |record| record.record_id().into(),
        ),
        site::facility_name(),
        site::company_name("the legal name of the company that reported"),
        field(
            "total_co2e",
            Number,
            Own(OwnField::Value),
            "the total as reported, in tonnes CO2e; never recomputed",
            |record| record.total_co2e.into(),
        ),
        nullable("province", PROVINCE, Site, "two-letter code", |record| {
            record.site.province.map(Province::code).into()
        }),
        site::naics_code(),
        field("year", Year, Own(OwnField::Year), "the reporting year", |record| record.year.into()),
        field("facility_id", Text, Site, "GHGRP id of the facility", |record| {
            record.site.facility_id.to_string().into()
        }),
        nullable("npri_id", Text, Site, "the facility's id in the pollutant inventory", |record| {
            record.site.cross_reference.as_ref().map(FacilityId::to_string).into()
        }),
        site::city(),
        site::naics_en(),
        site::naics_fr(),
        gas(0, "carbon dioxide, in tonnes", |record| record.gases.co2.into()),
        gas(1, "methane, in tonnes CO2e", |record| record.gases.ch4_co2e.into()),
        gas(2, "nitrous oxide, in tonnes CO2e", |record| record.gases.n2o_co2e.into()),
        gas(3, "hydrofluorocarbons, in tonnes CO2e", |record| record.gases.hfc_co2e.into()),
        gas(4, "perfluorocarbons, in tonnes CO2e", |record| record.gases.pfc_co2e.into()),
        gas(5, "sulphur hexafluoride, in tonnes CO2e", |record| record.gases.sf6_co2e.into()),
        field("total_co2e_units", CO2E_UNITS, Site, "the unit of `total_co2e`", |_| {
            Emission::UNITS.into()
        }),
        site::latitude(),
        site::longitude(),
        field(
            "source_url",
            Url,
            Own(OwnField::SourceUrl),
            "the official page of the record",
            |record| record.source_url().into(),
        ),
    ];
}

/// The field of the gas at a place in [`Gases::NAMES`].
const fn gas(
    place: usize,
    doc: &'static str,
    value: for<'a> fn(&'a Emission) -> FieldValue<'a>,
) -> RecordField<Emission> {
    nullable(Gases::NAMES[place], Number, Own(OwnField::Gas(place)), doc, value)
}
