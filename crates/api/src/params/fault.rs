//! The faults that one parameter can have.

use outfall_records::Entity;
use outfall_request::BoundError;
use outfall_request::text::ParseError;

/// Every code of an entry of `errors`.
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
    /// Where the parameter stands among the pairs, whose order the problems have.
    pub(crate) position: usize,
    /// The name as the caller spelled it.
    pub(crate) parameter: String,
    /// The value as given, when there is one to show.
    pub(crate) value: Option<String>,
    /// The fault.
    pub(crate) fault: ParameterFault,
}

/// A fault of a parameter, with everything that its text needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ParameterFault {
    /// The escapes do not make UTF-8.
    NotUtf8,
    /// More Unicode scalar values than allowed.
    TooLong { limit: usize },
    /// No province.
    NotAProvince,
    /// No code, nor a sector, of NAICS.
    NotANaicsCode,
    /// A substance without a letter or digit.
    WithoutWord,
    /// No finite number.
    NotANumber(BoundError),
    /// No whole number.
    NotAnInteger { max: u32 },
    /// A whole number outside 0 to `max`.
    IntegerOutOfRange { max: u32 },
    /// No whole number, where none is too large.
    NotACount,
    /// A whole number below 0, where none is too large.
    NegativeCount,
    /// An offset that only a cursor reaches.
    OffsetTooDeep { max: u32 },
    /// No date, or none that the calendar has.
    NotADate,
    /// None of the words that are allowed.
    NotAChoice(&'static [&'static str]),
    /// A name that is no facet of the kind.
    NotAFacet { entity: Entity, name: String },
    /// No parameter of any operation.
    Unknown { nearest: Option<&'static str> },
    /// A parameter of the other operation.
    NotApplicable { operation: &'static str },
    /// Given more than once.
    Repeated,
    /// Another spelling of the parameter has another year.
    SpellingsDiffer { other: String },
    /// A cursor has a position of its own.
    CursorWithOffset,
    /// An export is every match, from its own start.
    CursorWithExport,
    /// An export has records alone.
    FacetsWithExport,
    /// There is nothing to be relevant to.
    RelevanceWithoutText,
    /// Nothing lies between this bound and the other.
    EmptyRange { other: String, other_value: String },
    /// More than a search is ready to do.
    TooComplex(ParseError),
    /// A cursor that was never given out.
    DamagedCursor,
    /// A cursor of another query, and what differs.
    CursorMismatch(Vec<&'static str>),
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
            | Self::NotADate
            | Self::NotAChoice(_)
            | Self::NotAFacet { .. } => "invalid-value",
            Self::TooLong { .. }
            | Self::IntegerOutOfRange { .. }
            | Self::NegativeCount
            | Self::OffsetTooDeep { .. } => "out-of-range",
            Self::Unknown { .. } => "unknown-parameter",
            Self::NotApplicable { .. } => "parameter-not-applicable",
            Self::Repeated => "repeated-parameter",
            Self::SpellingsDiffer { .. }
            | Self::CursorWithOffset
            | Self::CursorWithExport
            | Self::FacetsWithExport
            | Self::RelevanceWithoutText => "conflicting-parameters",
            Self::EmptyRange { .. } => "empty-range",
            Self::TooComplex(_) => "query-too-complex",
            Self::DamagedCursor => "invalid-cursor",
            Self::CursorMismatch(_) => "cursor-mismatch",
        }
    }
}
