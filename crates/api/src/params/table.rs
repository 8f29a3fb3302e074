//! The table of parameters: their names, operations and types.
//!
//! It drives parsing, the problems of a request, and the test that the documentation is complete.

use outfall_records::{Doc, RecordKind};
use outfall_request::{Facet, FacetSort, Facets, Page, SortKey, SortOrder, ValueUnit};

use super::format::Format;

/// Identifies a parameter; as a `usize`, it is the index in [`PARAMETERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Text,
    Province,
    City,
    Company,
    FacilityId,
    NaicsCode,
    Substance,
    Medium,
    RecordId,
    Year,
    Near,
    WithinKm,
    Bbox,
    ValueMin,
    ValueMax,
    ValueUnit,
    IssuedAfter,
    IssuedBefore,
    SortBy,
    SortOrder,
    Limit,
    Offset,
    Cursor,
    Facets,
    FacetSort,
    FacetLimit,
    Format,
    Digits,
}

/// A parameter of one operation or of both.
#[derive(Debug)]
pub struct Parameter {
    pub(crate) id: Name,
    /// The name in a query string.
    pub name: &'static str,
    /// Other names of the same parameter.
    pub aliases: &'static [&'static str],
    /// The operations that accept it.
    pub operations: &'static [RecordKind],
    /// Whether it may be given several times; records that match any of the values pass.
    pub is_repeatable: bool,
    /// The type of its value.
    pub kind: ParameterKind,
    /// Its purpose, in one line.
    pub doc: Doc,
    /// An example value; empty if no fixed value stays valid (cursors).
    pub example: &'static str,
}

/// The type of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any text.
    Text,
    /// A decimal number, as in JSON but a little more lenient.
    Number,
    /// A whole number from 0 to `max`.
    Integer {
        /// The largest valid value.
        max: u32,
        /// The value when the parameter is not given.
        default: u32,
    },
    /// `YYYY-MM-DD` or `YYYY`.
    Date,
    /// One of a few words, in any case.
    Choice(&'static [&'static str]),
    /// Any of a few words, in any case, separated by commas.
    Choices(&'static [&'static str]),
}

/// The values of `format`.
pub(crate) const FORMATS: [(&str, Format); 5] = [
    ("json", Format::Json),
    ("ndjson", Format::Ndjson),
    ("csv", Format::Csv),
    ("geojson", Format::GeoJson),
    ("parquet", Format::Parquet),
];

/// The values of `facets`; emissions have only some of them.
pub(crate) const FACETS: [&str; Facet::ALL.len()] = {
    let mut names = [""; Facet::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Facet::ALL[index].name();
        index += 1;
    }
    names
};

const fn words<T: Copy, const N: usize>(pairs: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut index = 0;
    while index < N {
        words[index] = pairs[index].0;
        index += 1;
    }
    words
}

const BOTH: &[RecordKind] = &RecordKind::ALL;
const RELEASE: &[RecordKind] = &[RecordKind::Release];

const fn parameter(id: Name, name: &'static str, kind: ParameterKind) -> Parameter {
    Parameter {
        id,
        name,
        aliases: &[],
        operations: BOTH,
        is_repeatable: false,
        kind,
        doc: Doc::new("", ""),
        example: "",
    }
}

/// The parameters that say which records to answer with, in what order and form; places have no use
/// for them.
pub(crate) const OF_RECORDS: [Name; 9] = [
    Name::SortBy,
    Name::SortOrder,
    Name::Limit,
    Name::Offset,
    Name::Cursor,
    Name::Facets,
    Name::FacetSort,
    Name::FacetLimit,
    Name::Format,
];

/// The parameters that say how to answer with places; records have no use for them.
pub(crate) const OF_PLACES: [Name; 1] = [Name::Digits];

/// The names of the parameters that say what to answer with, in what order and form; all others
/// choose what matches.
pub fn names_of_answers() -> impl Iterator<Item = &'static str> {
    OF_RECORDS.into_iter().chain(OF_PLACES).map(|name| PARAMETERS[name as usize].name)
}

/// Every parameter, in the order of the documentation and of canonical queries.
pub static PARAMETERS: [Parameter; 28] = [
    Parameter {
        doc: Doc::new(
            "words, phrases, `OR` and exclusions that a record must match",
            "mots, expressions, `OR` et exclusions auxquels un enregistrement doit répondre",
        ),
        example: "mercury OR lead -Ontario",
        ..parameter(Name::Text, "q", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: Doc::new(
            "province or territory: its code, or its name in English or French",
            "province ou territoire\u{a0}: son code, ou son nom en anglais ou en français",
        ),
        example: "QC",
        ..parameter(Name::Province, "province", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: Doc::new("city by its whole name", "ville, par son nom entier"),
        example: "Sarnia",
        ..parameter(Name::City, "city", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: Doc::new(
            "words in a row from the legal or trade name of the company",
            "mots consécutifs de la dénomination sociale ou du nom commercial de l’entreprise",
        ),
        example: "Imperial Oil",
        ..parameter(Name::Company, "company", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: Doc::new(
            "facility by its NPRI or GHGRP id",
            "installation, par son identifiant de l’INRP ou du PDGES",
        ),
        example: "983",
        ..parameter(Name::FacilityId, "facility_id", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: Doc::new(
            "industry: two to six digits of NAICS, and all that hangs below them",
            "industrie\u{a0}: de deux à six chiffres du SCIAN, et tout ce qui en relève",
        ),
        example: "31-33",
        ..parameter(Name::NaicsCode, "naics_code", ParameterKind::Text)
    },
    Parameter {
        operations: RELEASE,
        is_repeatable: true,
        doc: Doc::new(
            "substance by its CAS RN or NPRI code, or by words of its name",
            "substance, par son numéro CAS ou son code de l’INRP, ou par des mots de son nom",
        ),
        example: "7439-97-6",
        ..parameter(Name::Substance, "substance", ParameterKind::Text)
    },
    Parameter {
        operations: RELEASE,
        is_repeatable: true,
        doc: Doc::new(
            "medium: `air`, `water`, `land` or `all-media`, or its name in English or French",
            "milieu\u{a0}: `air`, `water`, `land` ou `all-media`, ou son nom en anglais ou en français",
        ),
        example: "air",
        ..parameter(Name::Medium, "medium", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: Doc::new(
            "the permanent address of a record",
            "adresse permanente d’un enregistrement",
        ),
        example: "983:2019:7446-09-5:air",
        ..parameter(Name::RecordId, "record_id", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: Doc::new(
            "reporting year, or a range of years with both ends included",
            "année de déclaration, ou période dont les deux bornes sont comprises",
        ),
        example: "2010-2019",
        ..parameter(Name::Year, "year", ParameterKind::Text)
    },
    Parameter {
        doc: Doc::new(
            "centre of a circle: latitude and longitude in degrees",
            "centre d’un cercle\u{a0}: latitude et longitude en degrés",
        ),
        example: "43.68,-79.77",
        ..parameter(Name::Near, "near", ParameterKind::Text)
    },
    Parameter {
        doc: Doc::new(
            "radius of the circle in kilometres, over 0 and at most 500; 10 if not given",
            "rayon du cercle en kilomètres, plus de 0 et au plus 500; 10 s’il n’est pas donné",
        ),
        example: "25",
        ..parameter(Name::WithinKm, "within_km", ParameterKind::Number)
    },
    Parameter {
        doc: Doc::new(
            "box in degrees: west, south, east, north",
            "rectangle en degrés\u{a0}: ouest, sud, est, nord",
        ),
        example: "-83,42,-79,44",
        ..parameter(Name::Bbox, "bbox", ParameterKind::Text)
    },
    Parameter {
        doc: Doc::new("smallest value, included", "plus petite valeur, comprise"),
        example: "0.5",
        ..parameter(Name::ValueMin, "value_min", ParameterKind::Number)
    },
    Parameter {
        doc: Doc::new("largest value, included", "plus grande valeur, comprise"),
        example: "1e6",
        ..parameter(Name::ValueMax, "value_max", ParameterKind::Number)
    },
    Parameter {
        operations: RELEASE,
        doc: Doc::new(
            "what `value_min`, `value_max` and `sort_by=value` compare",
            "ce que comparent `value_min`, `value_max` et `sort_by=value`",
        ),
        example: "kg",
        ..parameter(Name::ValueUnit, "value_unit", ParameterKind::Choice(&words(&ValueUnit::WORDS)))
    },
    Parameter {
        aliases: &["date_from", "date_after"],
        doc: Doc::new(
            "first date; keeps reporting years from its year on",
            "première date; retient les années de déclaration à partir de la sienne",
        ),
        example: "2014-01-01",
        ..parameter(Name::IssuedAfter, "issued_after", ParameterKind::Date)
    },
    Parameter {
        aliases: &["date_to", "date_before"],
        doc: Doc::new(
            "last date; keeps reporting years up to its year",
            "dernière date; retient les années de déclaration jusqu’à la sienne",
        ),
        example: "2020",
        ..parameter(Name::IssuedBefore, "issued_before", ParameterKind::Date)
    },
    Parameter {
        doc: Doc::new("what records are ordered by", "critère de tri des enregistrements"),
        example: "value",
        ..parameter(Name::SortBy, "sort_by", ParameterKind::Choice(&words(&SortKey::WORDS)))
    },
    Parameter {
        doc: Doc::new("the direction of the order", "sens du tri"),
        example: "asc",
        ..parameter(Name::SortOrder, "sort_order", ParameterKind::Choice(&words(&SortOrder::WORDS)))
    },
    Parameter {
        doc: Doc::new(
            "how many records to answer with",
            "nombre d’enregistrements dans la réponse",
        ),
        example: "5",
        ..parameter(
            Name::Limit,
            "limit",
            ParameterKind::Integer { max: Page::MAX_LIMIT, default: Page::DEFAULT_LIMIT },
        )
    },
    Parameter {
        doc: Doc::new("how many matches to skip", "nombre de résultats à sauter"),
        example: "50",
        ..parameter(
            Name::Offset,
            "offset",
            ParameterKind::Integer { max: Page::MAX_OFFSET, default: 0 },
        )
    },
    Parameter {
        doc: Doc::new(
            "where an earlier page ended: its `next_cursor`",
            "endroit où une page précédente s’est terminée\u{a0}: son `next_cursor`",
        ),
        ..parameter(Name::Cursor, "cursor", ParameterKind::Text)
    },
    Parameter {
        doc: Doc::new(
            "what to count and sum all matches by, with commas between; at most one of them a facet \
             inside another, such as `year*medium`",
            "critères selon lesquels compter et additionner tous les résultats, séparés par des \
             virgules; au plus un d’entre eux est une facette dans une autre, comme `year*medium`",
        ),
        example: "province,year",
        ..parameter(Name::Facets, "facets", ParameterKind::Choices(&FACETS))
    },
    Parameter {
        doc: Doc::new(
            "the order of the values of every facet",
            "ordre des valeurs de chaque facette",
        ),
        example: "sum",
        ..parameter(Name::FacetSort, "facet_sort", ParameterKind::Choice(&words(&FacetSort::WORDS)))
    },
    Parameter {
        doc: Doc::new(
            "how many values of each facet to answer with; years, provinces, media and units are \
             always all there",
            "nombre de valeurs de chaque facette dans la réponse; les années, les provinces, les \
             milieux et les unités y sont toujours tous",
        ),
        example: "5",
        ..parameter(
            Name::FacetLimit,
            "facet_limit",
            ParameterKind::Integer { max: Facets::MAX_LIMIT, default: Facets::DEFAULT_LIMIT },
        )
    },
    Parameter {
        doc: Doc::new(
            "a page as JSON, or every match as a file",
            "une page en JSON, ou tous les résultats dans un fichier",
        ),
        example: "json",
        ..parameter(Name::Format, "format", ParameterKind::Choice(&words(&FORMATS)))
    },
    Parameter {
        doc: Doc::new(
            "how many significant digits the sums are rounded to; 0 for the exact sums",
            "nombre de chiffres significatifs auquel les sommes sont arrondies; 0 pour les sommes \
             exactes",
        ),
        example: "3",
        ..parameter(Name::Digits, "digits", ParameterKind::Integer { max: 15, default: 0 })
    },
];

impl Parameter {
    /// The parameter with this name or alias.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PARAMETERS.iter().find(|parameter| parameter.names().any(|known| known == name))
    }

    /// Its name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Whether the operation accepts it.
    pub(crate) fn is_on(&self, record_kind: RecordKind) -> bool {
        self.operations.contains(&record_kind)
    }

    /// Whether a search for records accepts it.
    #[must_use]
    pub fn is_of_records(&self) -> bool {
        !OF_PLACES.contains(&self.id)
    }

    /// Whether a search for places accepts it.
    pub(crate) fn is_of_places(&self) -> bool {
        !OF_RECORDS.contains(&self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_its_names() {
        for (index, parameter) in PARAMETERS.iter().enumerate() {
            assert_eq!(parameter.id as usize, index, "{}", parameter.name);
            let Doc { en, fr } = parameter.doc;
            assert!(!en.is_empty() && !fr.is_empty(), "{}", parameter.name);
        }
    }
}
