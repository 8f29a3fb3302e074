//! The table of parameters: their names, operations and types.
//!
//! It drives parsing, the problems of a request, and the test that the documentation is complete.

use outfall_records::RecordKind;
use outfall_request::{Facet, Facets, Page, SortKey, SortOrder, ValueUnit};

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
    FacetLimit,
    Format,
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
    pub doc: &'static str,
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
pub(crate) const FORMATS: [(&str, Format); 3] =
    [("json", Format::Json), ("ndjson", Format::Ndjson), ("csv", Format::Csv)];

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
        doc: "",
        example: "",
    }
}

/// Every parameter, in the order of the documentation and of canonical queries.
pub static PARAMETERS: [Parameter; 26] = [
    Parameter {
        doc: "words, phrases, `OR` and exclusions that a record must match",
        example: "mercury OR lead -Ontario",
        ..parameter(Name::Text, "q", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: "province or territory: its code, or its name in English or French",
        example: "QC",
        ..parameter(Name::Province, "province", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: "city by its whole name",
        example: "Sarnia",
        ..parameter(Name::City, "city", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: "words in a row from the legal or trade name of the company",
        example: "Imperial Oil",
        ..parameter(Name::Company, "company", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: "facility by its NPRI or GHGRP id",
        example: "983",
        ..parameter(Name::FacilityId, "facility_id", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: "industry: two to six digits of NAICS, and all that hangs below them",
        example: "31-33",
        ..parameter(Name::NaicsCode, "naics_code", ParameterKind::Text)
    },
    Parameter {
        operations: RELEASE,
        is_repeatable: true,
        doc: "substance by its CAS RN or NPRI code, or by words of its name",
        example: "7439-97-6",
        ..parameter(Name::Substance, "substance", ParameterKind::Text)
    },
    Parameter {
        operations: RELEASE,
        is_repeatable: true,
        doc: "medium: `air`, `water`, `land` or `all-media`, or its name in English or French",
        example: "air",
        ..parameter(Name::Medium, "medium", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: "the permanent address of a record",
        example: "983:2019:7446-09-5:air",
        ..parameter(Name::RecordId, "record_id", ParameterKind::Text)
    },
    Parameter {
        is_repeatable: true,
        doc: "reporting year, or a range of years with both ends included",
        example: "2010-2019",
        ..parameter(Name::Year, "year", ParameterKind::Text)
    },
    Parameter {
        doc: "centre of a circle: latitude and longitude in degrees",
        example: "43.68,-79.77",
        ..parameter(Name::Near, "near", ParameterKind::Text)
    },
    Parameter {
        doc: "radius of the circle in kilometres, over 0 and at most 500; 10 if not given",
        example: "25",
        ..parameter(Name::WithinKm, "within_km", ParameterKind::Number)
    },
    Parameter {
        doc: "box in degrees: west, south, east, north",
        example: "-83,42,-79,44",
        ..parameter(Name::Bbox, "bbox", ParameterKind::Text)
    },
    Parameter {
        doc: "smallest value, included",
        example: "0.5",
        ..parameter(Name::ValueMin, "value_min", ParameterKind::Number)
    },
    Parameter {
        doc: "largest value, included",
        example: "1e6",
        ..parameter(Name::ValueMax, "value_max", ParameterKind::Number)
    },
    Parameter {
        operations: RELEASE,
        doc: "what `value_min`, `value_max` and `sort_by=value` compare",
        example: "kg",
        ..parameter(Name::ValueUnit, "value_unit", ParameterKind::Choice(&words(&ValueUnit::WORDS)))
    },
    Parameter {
        aliases: &["date_from", "date_after"],
        doc: "first date; keeps reporting years from its year on",
        example: "2014-01-01",
        ..parameter(Name::IssuedAfter, "issued_after", ParameterKind::Date)
    },
    Parameter {
        aliases: &["date_to", "date_before"],
        doc: "last date; keeps reporting years up to its year",
        example: "2020",
        ..parameter(Name::IssuedBefore, "issued_before", ParameterKind::Date)
    },
    Parameter {
        doc: "what records are ordered by",
        example: "value",
        ..parameter(Name::SortBy, "sort_by", ParameterKind::Choice(&words(&SortKey::WORDS)))
    },
    Parameter {
        doc: "the direction of the order",
        example: "asc",
        ..parameter(Name::SortOrder, "sort_order", ParameterKind::Choice(&words(&SortOrder::WORDS)))
    },
    Parameter {
        doc: "how many records to answer with",
        example: "5",
        ..parameter(
            Name::Limit,
            "limit",
            ParameterKind::Integer { max: Page::MAX_LIMIT, default: Page::DEFAULT_LIMIT },
        )
    },
    Parameter {
        doc: "how many matches to skip",
        example: "50",
        ..parameter(
            Name::Offset,
            "offset",
            ParameterKind::Integer { max: Page::MAX_OFFSET, default: 0 },
        )
    },
    Parameter {
        doc: "where an earlier page ended: its `next_cursor`",
        ..parameter(Name::Cursor, "cursor", ParameterKind::Text)
    },
    Parameter {
        doc: "what to count and sum all matches by, with commas between",
        example: "province,year",
        ..parameter(Name::Facets, "facets", ParameterKind::Choices(&FACETS))
    },
    Parameter {
        doc: "how many values of each facet to answer with, the largest counts first",
        example: "5",
        ..parameter(
            Name::FacetLimit,
            "facet_limit",
            ParameterKind::Integer { max: Facets::MAX_LIMIT, default: Facets::DEFAULT_LIMIT },
        )
    },
    Parameter {
        doc: "a page as JSON, or every match as a file",
        example: "json",
        ..parameter(Name::Format, "format", ParameterKind::Choice(&words(&FORMATS)))
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_its_names() {
        for (index, parameter) in PARAMETERS.iter().enumerate() {
            assert_eq!(parameter.id as usize, index, "{}", parameter.name);
            assert!(!parameter.doc.is_empty(), "{}", parameter.name);
        }
    }
}
