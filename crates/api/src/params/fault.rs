//! The faults that one parameter can have.

use outfall_records::RecordKind;
use outfall_request::text::ParseError;
use outfall_request::{BoundError, Facet};
use time::Month;

/// All codes of entries of `errors`.
pub const PARAMETER_CODES: [&str; 10] = [
    "invalid-value",
    "out-of-range",
    "unknown-parameter",
    "parameter-not-applicable",
    "repeated-parameter",
    "conflicting-parameters",
    "empty-range",
    "query-too-complex",
    "invalid-cursor",
    "cursor-mismatch",
];

/// One entry of `errors`.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterProblem {
    /// The index of the parameter among the pairs; problems are sorted by it.
    pub(crate) position: usize,
    /// The name as the caller spelled it.
    pub(crate) parameter: String,
    /// The value as given, when there is one to show.
    pub(crate) value: Option<String>,
    pub(crate) fault: ParameterFault,
}

/// A fault of a parameter, with everything that its message needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ParameterFault {
    /// The decoded value is not UTF-8.
    NotUtf8,
    /// More Unicode scalar values than allowed.
    TooLong { limit: usize },
    /// Not a province.
    NotAProvince,
    /// Not a NAICS code or sector.
    NotANaicsCode,
    /// A substance without a letter or digit.
    WithoutWord,
    /// Not a finite number.
    NotANumber(BoundError),
    /// Not a whole number.
    NotAnInteger { max: u32 },
    /// A whole number outside 0 to `max`.
    IntegerOutOfRange { max: u32 },
    /// Not a whole number, for a parameter without a maximum.
    NotACount,
    /// A negative number, for a parameter without a maximum.
    NegativeCount,
    /// An offset above `max`, where only a cursor reaches.
    OffsetTooDeep { max: u32 },
    /// A circle or a box that cannot be read.
    Place(PlaceFault),
    /// A name without letters and digits.
    WithoutLetters,
    /// Not a year of four digits, or two of them with a dash between.
    NotYears,
    /// A range of years that ends before it begins.
    BackwardYears { first: u16, last: u16 },
    /// Several provinces in one value.
    SeveralProvinces { first: String, second: String },
    /// Not a date.
    NotADate,
    /// A date in a month that no year has.
    NoSuchMonth,
    /// A date on a day that its month does not have.
    NoSuchDay { year: u16, month: Month },
    /// Not one of the allowed words.
    NotAChoice(&'static [&'static str]),
    /// A name that is not a facet of this kind of record.
    NotAFacet { record_kind: RecordKind, name: String },
    /// Not a valid crossed facet.
    NotACross(CrossFault),
    /// Neither a text nor a number, nor a list of these.
    NotPlain,
    /// A parameter that the tool does not take.
    NotOfTool { tool: &'static str },
    /// A parameter that a tool cannot do without.
    Required,
    /// Not a parameter of any operation.
    Unknown { nearest: Option<&'static str> },
    /// Not a parameter of any operation, but a name under which others look for a facility.
    UnknownFacility,
    /// A parameter of the other operation.
    NotApplicable { operation: &'static str },
    /// A parameter that only a search for records has, in a search for places.
    OfRecords { operation: &'static str },
    /// A parameter that only a search for places has, in a search for records.
    OfPlaces { operation: &'static str },
    /// Given more than once.
    Repeated,
    /// Two spellings of the parameter give different years.
    SpellingsDiffer { other: String },
    /// An offset together with a cursor, which has its own position.
    CursorWithOffset,
    /// A cursor in an export, which is a single answer.
    CursorWithExport,
    /// Facets in an export, which holds records alone.
    FacetsWithExport,
    /// Sorting by relevance without any text.
    RelevanceWithoutText,
    /// The lower bound is above the upper one.
    EmptyRange { other: String, other_value: String },
    /// `q` exceeds a limit on its length, words or phrases.
    TooComplex(ParseError),
    /// A cursor that is damaged or was never issued.
    DamagedCursor,
    /// A cursor of another query, and the parameters that differ.
    CursorMismatch(Vec<&'static str>),
}

/// Why facets with `*` between are not a crossed facet that a request may have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CrossFault {
    /// Not two names with one `*` between.
    NotTwo { record_kind: RecordKind, given: String },
    /// A facet crossed with itself.
    Same { record_kind: RecordKind, facet: Facet },
    /// The outer facet may have thousands of values.
    OuterNotShort { record_kind: RecordKind, outer: Facet, inner: Facet },
    /// A second crossed facet in one request.
    Two { first: String, second: String },
}

impl ParameterFault {
    /// The code of the entry, one of [`PARAMETER_CODES`].
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::NotUtf8
            | Self::NotAProvince
            | Self::NotANaicsCode
            | Self::WithoutWord
            | Self::NotANumber(_)
            | Self::NotAnInteger { .. }
            | Self::NotACount
            | Self::SeveralProvinces { .. }
            | Self::NotADate
            | Self::WithoutLetters
            | Self::NotYears
            | Self::NoSuchMonth
            | Self::NoSuchDay { .. }
            | Self::NotAChoice(_)
            | Self::NotAFacet { .. }
            | Self::NotACross(_)
            | Self::NotPlain
            | Self::Required => "invalid-value",
            Self::TooLong { .. }
            | Self::IntegerOutOfRange { .. }
            | Self::NegativeCount
            | Self::OffsetTooDeep { .. } => "out-of-range",
            Self::Unknown { .. } | Self::UnknownFacility => "unknown-parameter",
            Self::NotApplicable { .. }
            | Self::OfRecords { .. }
            | Self::OfPlaces { .. }
            | Self::NotOfTool { .. } => "parameter-not-applicable",
            Self::Repeated => "repeated-parameter",
            Self::SpellingsDiffer { .. }
            | Self::CursorWithOffset
            | Self::CursorWithExport
            | Self::FacetsWithExport
            | Self::RelevanceWithoutText => "conflicting-parameters",
            Self::EmptyRange { .. } | Self::BackwardYears { .. } => "empty-range",
            Self::Place(fault) => fault.code(),
            Self::TooComplex(_) => "query-too-complex",
            Self::DamagedCursor => "invalid-cursor",
            Self::CursorMismatch(_) => "cursor-mismatch",
        }
    }
}

/// What is wrong with a circle or a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceFault {
    /// Not a latitude and a longitude.
    NotAPoint,
    /// Not four numbers.
    NotABox,
    /// The box ends west of where it begins.
    WestOfEast,
    /// The box ends south of where it begins.
    SouthOfNorth,
    /// Degrees that are not on the globe.
    OffTheGlobe,
    /// A radius that is not above zero, or too large.
    RadiusOutOfRange,
    /// A radius without its centre.
    RadiusWithoutCentre,
}

impl PlaceFault {
    const fn code(self) -> &'static str {
        match self {
            Self::NotAPoint | Self::NotABox | Self::WestOfEast => "invalid-value",
            Self::OffTheGlobe | Self::RadiusOutOfRange => "out-of-range",
            Self::SouthOfNorth => "empty-range",
            Self::RadiusWithoutCentre => "conflicting-parameters",
        }
    }
}

impl From<PlaceFault> for ParameterFault {
    fn from(fault: PlaceFault) -> Self {
        Self::Place(fault)
    }
}
