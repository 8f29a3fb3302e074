//! The fields that `q` searches.

use std::borrow::Cow;

/// A field of a record that `q` searches; a phrase never crosses from one text to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchField {
    /// The facility's names, in the record's year and in every other.
    FacilityName,
    /// The company's legal or trade name.
    CompanyName,
    /// The city.
    City,
    /// The province's code and names.
    Province,
    /// The industry's code and titles.
    Naics,
    /// The facility's id and those linked to it.
    FacilityId,
    /// The substance's names.
    SubstanceName,
    /// The substance's id in every spelling.
    SubstanceId,
    /// The medium.
    Medium,
    /// The categories of the breakdown.
    Category,
    /// The reporting year.
    Year,
}

impl SearchField {
    /// Whether a match in the field counts for `sort_by=relevance`: the names that people know
    /// a record by.
    #[must_use]
    pub const fn is_name(self) -> bool {
        matches!(self, Self::FacilityName | Self::CompanyName | Self::SubstanceName)
    }
}

/// One text of a record, and its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchText<'a> {
    /// The field.
    pub field: SearchField,
    /// The text, not yet split into tokens.
    pub text: Cow<'a, str>,
}

impl<'a> SearchText<'a> {
    pub(crate) fn new(field: SearchField, text: impl Into<Cow<'a, str>>) -> Self {
        Self { field, text: text.into() }
    }
}
