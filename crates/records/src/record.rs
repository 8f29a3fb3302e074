//! A record of either kind, for code that handles both.

use crate::{
    BreakdownPart, Decimal, Emission, Field, FieldValue, RecordField, RecordKind, Release,
    ReportingYear, SearchField, SearchText, Site, Substance, Unit, media_texts,
};

/// A record of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A pollutant release.
    Release(Release),
    /// A facility's greenhouse-gas emissions.
    Emission(Emission),
}

impl Record {
    /// The kind.
    #[must_use]
    pub const fn record_kind(&self) -> RecordKind {
        match self {
            Self::Release(_) => RecordKind::Release,
            Self::Emission(_) => RecordKind::Emission,
        }
    }

    /// The permanent address of the record within its kind.
    #[must_use]
    pub fn record_id(&self) -> String {
        match self {
            Self::Release(release) => release.record_id(),
            Self::Emission(emission) => emission.record_id(),
        }
    }

    /// The facility.
    #[must_use]
    pub fn site(&self) -> &Site {
        match self {
            Self::Release(release) => &release.site,
            Self::Emission(emission) => &emission.site,
        }
    }

    /// The reporting year.
    #[must_use]
    pub const fn year(&self) -> ReportingYear {
        match self {
            Self::Release(release) => release.year,
            Self::Emission(emission) => emission.year,
        }
    }

    /// The substance of a release.
    #[must_use]
    pub fn substance(&self) -> Option<&Substance> {
        match self {
            Self::Release(release) => Some(&release.substance),
            Self::Emission(_) => None,
        }
    }

    /// The published number that `value_min` and `sort_by=value` compare by default: the
    /// `quantity` of a release, the `total_co2e` of an emission.
    #[must_use]
    pub const fn value(&self) -> Decimal {
        match self {
            Self::Release(release) => release.quantity,
            Self::Emission(emission) => emission.total_co2e,
        }
    }

    /// The unit of a release's quantity.
    #[must_use]
    pub const fn unit(&self) -> Option<Unit> {
        match self {
            Self::Release(release) => Some(release.unit),
            Self::Emission(_) => None,
        }
    }

    /// Every text that `q` searches.
    #[must_use]
    pub fn texts(&self) -> Vec<SearchText<'_>> {
        let year = SearchText::new(SearchField::Year, self.year().to_string());
        let mut texts: Vec<_> = self.site().texts().chain([year]).collect();
        if let Self::Release(release) = self {
            let categories = release.breakdown.iter().map(BreakdownPart::category);
            texts.extend(release.substance.texts());
            texts.extend(media_texts(release.medium, categories));
        }
        texts
    }

    /// Each field and its value, in the order of the fields.
    #[must_use]
    pub fn field_values(&self) -> Vec<(&'static Field, FieldValue<'_>)> {
        match self {
            Self::Release(release) => values_of(release, &Release::FIELDS),
            Self::Emission(emission) => values_of(emission, &Emission::FIELDS),
        }
    }
}

fn values_of<'r, R>(
    record: &'r R,
    fields: &'static [RecordField<R>],
) -> Vec<(&'static Field, FieldValue<'r>)> {
    fields.iter().map(|RecordField { field, value }| (field, value(record))).collect()
}
