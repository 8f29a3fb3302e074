//! The fields of a release.

use super::FieldKind::{Parts, Text, Url, Year};
use super::RecordPart::{Medium, Own, Site, Substance};
use super::value::text;
use super::{
    FieldKind, MEDIUM_EN, MEDIUM_FR, OwnField, PROVINCE, RecordField, UNITS, field, nullable, site,
};
use crate::{BreakdownPart, Doc, FacilityId, FixedPoint, Province, RELEASE_SOURCE_URL, Release};

const QUANTITY: FieldKind = FieldKind::Number(FixedPoint::QUANTITY);
const KILOGRAMS: FieldKind = FieldKind::Number(FixedPoint::KILOGRAMS);

impl Release {
    /// The fields, in their order.
    pub const FIELDS: [RecordField<Self>; 24] = [
        field(
            "record_id",
            Text,
            Own(OwnField::RecordId),
            Doc::new(
                "the permanent address of the record, `<facility_id>:<year>:<substance_id>:<medium>`",
                "adresse permanente de l’enregistrement, `<facility_id>:<year>:<substance_id>:<medium>`",
            ),
            |record| record.record_id().into(),
        ),
        site::facility_name(),
        nullable(
            "substance_en",
            Text,
            Substance,
            Doc::new("the English name of that year", "nom anglais pour l’année en question"),
            |record| text(&record.substance.name_en),
        ),
        nullable(
            "substance_fr",
            Text,
            Substance,
            Doc::new("the French name of that year", "nom français pour l’année en question"),
            |record| text(&record.substance.name_fr),
        ),
        field(
            "quantity",
            QUANTITY,
            Own(OwnField::Value),
            Doc::new(
                "how much, in `units`: the exact sum of the breakdown",
                "quantité, dans l’unité `units`\u{a0}: somme exacte de la ventilation",
            ),
            |record| record.quantity.into(),
        ),
        field(
            "units",
            UNITS,
            Own(OwnField::Units),
            Doc::new(
                "the unit of `quantity` and of the breakdown",
                "unité de `quantity` et de la ventilation",
            ),
            |record| record.unit.name().into(),
        ),
        field(
            "medium_en",
            MEDIUM_EN,
            Medium,
            Doc::new(
                "where it went; all media together are reported instead of a medium, never added to one",
                "milieu où le rejet a eu lieu; l’ensemble des milieux est déclaré au lieu d’un milieu, \
                 et jamais ajouté à l’un d’eux",
            ),
            |record| record.medium.name_en().into(),
        ),
        nullable(
            "province",
            PROVINCE,
            Site,
            Doc::new(
                "two-letter code; null offshore",
                "code de deux lettres; null au large des côtes",
            ),
            |record| record.site.province.map(Province::code).into(),
        ),
        field(
            "facility_id",
            Text,
            Site,
            Doc::new("NPRI id of the facility", "identifiant de l’installation dans l’INRP"),
            |record| record.site.facility_id.to_string().into(),
        ),
        field(
            "year",
            Year,
            Own(OwnField::Year),
            Doc::new("the reporting year", "année de déclaration"),
            |record| record.year.into(),
        ),
        field(
            "substance_id",
            Text,
            Substance,
            Doc::new(
                "CAS RN in canonical form, or NPRI code without spaces and slash",
                "numéro CAS sous sa forme canonique, ou code de l’INRP sans espaces ni barre oblique",
            ),
            |record| record.substance.id.as_str().into(),
        ),
        nullable(
            "cas_number",
            Text,
            Substance,
            Doc::new("CAS RN; null for NPRI codes", "numéro CAS; null pour les codes de l’INRP"),
            |record| record.substance.id.cas_number().into(),
        ),
        field(
            "medium_fr",
            MEDIUM_FR,
            Medium,
            Doc::new("`medium_en` in French", "`medium_en` en français"),
            |record| record.medium.name_fr().into(),
        ),
        site::company_name(Doc::new(
            "the company that reported",
            "entreprise qui a fait la déclaration",
        )),
        site::city(),
        site::naics_code(),
        site::naics_en(),
        site::naics_fr(),
        nullable(
            "quantity_kg",
            KILOGRAMS,
            Own(OwnField::QuantityKg),
            Doc::new(
                "`quantity` in kilograms; null for `g TEQ`, no mass",
                "`quantity` en kilogrammes; null pour `g TEQ`, qui n’est pas une masse",
            ),
            |record| record.quantity_kg().into(),
        ),
        field(
            "breakdown",
            Parts(&BreakdownPart::FIELDS),
            Own(OwnField::Breakdown),
            Doc::new(
                "the rows of the source that add up to the record",
                "lignes de la source dont la somme donne l’enregistrement",
            ),
            |record| record.breakdown.as_slice().into(),
        ),
        site::latitude(),
        site::longitude(),
        nullable(
            "ghgrp_id",
            Text,
            Site,
            Doc::new(
                "the facility's id in the greenhouse-gas inventory",
                "identifiant de l’installation dans le programme de déclaration des gaz à effet de serre",
            ),
            |record| record.site.cross_reference.as_ref().map(FacilityId::to_string).into(),
        ),
        field(
            "source_url",
            Url,
            Site,
            Doc::new("the official dataset", "jeu de données officiel"),
            |_| RELEASE_SOURCE_URL.into(),
        ),
    ];
}

impl BreakdownPart {
    /// The fields, in their order.
    pub const FIELDS: [RecordField<Self>; 4] = [
        nullable(
            "category_en",
            Text,
            Own(OwnField::Breakdown),
            Doc::new(
                "how it left the facility, in English",
                "façon dont le rejet a quitté l’installation, en anglais",
            ),
            |part| text(&part.category.name_en),
        ),
        nullable(
            "category_fr",
            Text,
            Own(OwnField::Breakdown),
            Doc::new(
                "how it left the facility, in French",
                "façon dont le rejet a quitté l’installation, en français",
            ),
            |part| text(&part.category.name_fr),
        ),
        field(
            "quantity",
            QUANTITY,
            Own(OwnField::Breakdown),
            Doc::new(
                "how much, in the record's `units`",
                "quantité, dans l’unité `units` de l’enregistrement",
            ),
            |part| part.quantity.into(),
        ),
        nullable(
            "estimation_method",
            Text,
            Own(OwnField::Breakdown),
            Doc::new(
                "how it was estimated, as the source writes it",
                "méthode d’estimation, telle que la source l’écrit",
            ),
            |part| part.estimation_method.as_deref().into(),
        ),
    ];
}
