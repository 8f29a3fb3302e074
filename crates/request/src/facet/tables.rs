//! The entries of facets, as a backend counts them.

use outfall_records::{Decimal, Province, Unit};

use super::{CrossedFacet, Facet, FacetSum};

/// Everything that is counted for the facets of one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FacetTables {
    /// A table for each facet asked for, in that order.
    pub tables: Vec<FacetTable>,
    /// The table of the crossed facet, if one is asked for.
    pub crossed: Option<CrossedTable>,
    /// How many different substances the matches have, when
    /// [`counts_substances`](super::Facets::counts_substances) asks for it.
    pub substances: Option<u64>,
}

impl FacetTables {
    /// Whether there is no table.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.crossed.is_none()
    }

    /// Each table by its name, with how much of it is listed.
    pub fn infos(&self) -> impl Iterator<Item = (String, FacetInfo)> {
        let plain = self.tables.iter().map(|table| (table.facet.name().to_owned(), table.info));
        plain.chain(self.crossed.iter().map(|table| (table.crossed.name(), table.info)))
    }
}

/// The entries of one facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetTable {
    /// The facet.
    pub facet: Facet,
    /// In the order of [`Facets::sort_of`](super::Facets::sort_of), at most
    /// [`Facets::limit_of`](super::Facets::limit_of) of them.
    pub entries: Vec<FacetEntry>,
    /// How much of the facet the entries are.
    pub info: FacetInfo,
}

/// The entries of a facet inside each entry of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossedTable {
    /// The two facets.
    pub crossed: CrossedFacet,
    /// An entry for each value of the outer facet.
    pub entries: Vec<CrossedEntry>,
    /// How many pairs of values there are, and how many of these are listed.
    pub info: FacetInfo,
}

/// An entry of the outer facet, and the inner facet counted over its records alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossedEntry {
    /// The entry.
    pub outer: FacetEntry,
    /// The inner entries, ordered and limited as those of a table.
    pub inner: Vec<FacetEntry>,
}

/// How many entries a facet has, and what the listed ones leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FacetInfo {
    /// How many entries there are; the one without a value counts.
    pub values: u64,
    /// How many of them are not listed.
    pub left_out: u64,
    /// How many matches those have.
    pub left_out_count: u64,
}

impl FacetInfo {
    /// Adds the counts of `other`.
    pub const fn add(&mut self, other: Self) {
        self.values += other.values;
        self.left_out += other.left_out;
        self.left_out_count += other.left_out_count;
    }
}

/// The matches that have one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetEntry {
    /// The value with its names; `None` for the records without one.
    pub value: Option<FacetValue>,
    /// How many matches have it.
    pub count: u64,
    /// Their sum.
    pub sum: FacetSum,
}

/// A value of a facet. Its names are those of the first record in default order that has the
/// value, whether it matches or not, so that no filter changes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue {
    /// The value, in the form that the parameter takes, if there is one.
    pub value: String,
    /// The English name, or the only one.
    pub label_en: Option<String>,
    /// The French name, or the only one.
    pub label_fr: Option<String>,
    /// Further details that an entry of its facet shows.
    pub details: FacetDetails,
}

/// The details that entries of some facets show besides value and names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FacetDetails {
    /// Nothing.
    #[default]
    None,
    /// Of a facility: where it is.
    Facility(FacetPlace),
    /// Of a substance.
    Substance {
        /// The CAS RN, for a substance that has one.
        cas_number: Option<String>,
    },
}

/// Where a facility is, as the first record in default order among those counted shows it: of the
/// newest year, and of these the one with the lowest id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FacetPlace {
    /// The province; `None` offshore.
    pub province: Option<Province>,
    /// The city.
    pub city: Option<String>,
    /// Degrees north, as published.
    pub latitude: Option<Decimal>,
    /// Degrees east, as published.
    pub longitude: Option<Decimal>,
}

impl FacetValue {
    /// A value with its own names.
    #[must_use]
    pub fn named(value: impl Into<String>, label_en: Option<&str>, label_fr: Option<&str>) -> Self {
        let owned = |label: Option<&str>| label.map(str::to_owned);
        let (label_en, label_fr) = (owned(label_en), owned(label_fr));
        Self { value: value.into(), label_en, label_fr, details: FacetDetails::None }
    }

    /// A value that is its own name in both languages.
    #[must_use]
    pub fn plain(value: impl Into<String>) -> Self {
        let value = value.into();
        Self::named(value.as_str(), Some(&value), Some(&value))
    }

    /// The value with the further details of its entry.
    #[must_use]
    pub fn with(self, details: FacetDetails) -> Self {
        Self { details, ..self }
    }
}

/// The name of a unit in French.
#[must_use]
pub const fn unit_name_fr(unit: Unit) -> &'static str {
    match unit {
        Unit::Grams => "grammes",
        Unit::Kilograms => "kg",
        Unit::Tonnes => "tonnes",
        Unit::GramsTeq => "g ET",
    }
}
