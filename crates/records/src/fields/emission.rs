//! The fields of an emission.

use super::FieldKind::{Text, Url, Year};
use super::RecordPart::{Own, Site};
use super::{
    CO2E_UNITS, FieldKind, FieldValue, OwnField, PROVINCE, RecordField, field, nullable, site,
};
use crate::{Doc, Emission, FacilityId, FixedPoint, Gases, Province};

const TONNES_CO2E: FieldKind = FieldKind::Number(FixedPoint::TONNES_CO2E);

impl Emission {
    /// The fields, in their order.
    pub const FIELDS: [RecordField<Self>; 22] = [
        field(
            "record_id",
            Text,
            Own(OwnField::RecordId),
            Doc::new(
                "the permanent address of the record, `<facility_id>:<year>`",
                "adresse permanente de l’enregistrement, `<facility_id>:<year>`",
            ),
            |record| record.record_id().into(),
        ),
        site::facility_name(),
        site::company_name(Doc::new(
            "the legal name of the company that reported",
            "dénomination sociale de l’entreprise qui a fait la déclaration",
        )),
        field(
            "total_co2e",
            TONNES_CO2E,
            Own(OwnField::Value),
            Doc::new(
                "the total as reported, in tonnes CO2e; never recomputed",
                "total tel que déclaré, en tonnes d’équivalent CO2; jamais recalculé",
            ),
            |record| record.total_co2e.into(),
        ),
        nullable(
            "province",
            PROVINCE,
            Site,
            Doc::new("two-letter code", "code de deux lettres"),
            |record| record.site.province.map(Province::code).into(),
        ),
        site::naics_code(),
        field(
            "year",
            Year,
            Own(OwnField::Year),
            Doc::new("the reporting year", "année de déclaration"),
            |record| record.year.into(),
        ),
        field(
            "facility_id",
            Text,
            Site,
            Doc::new("GHGRP id of the facility", "identifiant de l’installation dans le PDGES"),
            |record| record.site.facility_id.to_string().into(),
        ),
        nullable(
            "npri_id",
            Text,
            Site,
            Doc::new(
                "the facility's id in the pollutant inventory",
                "identifiant de l’installation dans l’INRP",
            ),
            |record| record.site.cross_reference.as_ref().map(FacilityId::to_string).into(),
        ),
        site::city(),
        site::naics_en(),
        site::naics_fr(),
        gas(0, Doc::new("carbon dioxide, in tonnes", "dioxyde de carbone, en tonnes"), |record| {
            record.gases.co2.into()
        }),
        gas(
            1,
            Doc::new("methane, in tonnes CO2e", "méthane, en tonnes d’équivalent CO2"),
            |record| record.gases.ch4_co2e.into(),
        ),
        gas(
            2,
            Doc::new("nitrous oxide, in tonnes CO2e", "oxyde nitreux, en tonnes d’équivalent CO2"),
            |record| record.gases.n2o_co2e.into(),
        ),
        gas(
            3,
            Doc::new(
                "hydrofluorocarbons, in tonnes CO2e",
                "hydrofluorocarbures, en tonnes d’équivalent CO2",
            ),
            |record| record.gases.hfc_co2e.into(),
        ),
        gas(
            4,
            Doc::new(
                "perfluorocarbons, in tonnes CO2e",
                "perfluorocarbures, en tonnes d’équivalent CO2",
            ),
            |record| record.gases.pfc_co2e.into(),
        ),
        gas(
            5,
            Doc::new(
                "sulphur hexafluoride, in tonnes CO2e",
                "hexafluorure de soufre, en tonnes d’équivalent CO2",
            ),
            |record| record.gases.sf6_co2e.into(),
        ),
        field(
            "total_co2e_units",
            CO2E_UNITS,
            Site,
            Doc::new("the unit of `total_co2e`", "unité de `total_co2e`"),
            |_| Emission::UNITS.into(),
        ),
        site::latitude(),
        site::longitude(),
        field(
            "source_url",
            Url,
            Own(OwnField::SourceUrl),
            Doc::new("the official page of the record", "page officielle de l’enregistrement"),
            |record| record.source_url().into(),
        ),
    ];
}

/// The field of the gas at a place in [`Gases::NAMES`].
const fn gas(
    place: usize,
    doc: Doc,
    value: for<'a> fn(&'a Emission) -> FieldValue<'a>,
) -> RecordField<Emission> {
    nullable(Gases::NAMES[place], TONNES_CO2E, Own(OwnField::Gas(place)), doc, value)
}
