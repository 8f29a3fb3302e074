//! A pollutant release: one facility, year, substance and medium.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::{Medium, ReportingYear, SearchField, SearchText, Site, Substance, Unit};

/// The official dataset that every release comes from.
pub const RELEASE_SOURCE_URL: &str =
    "https://open.canada.ca/data/en/dataset/40e01423-7728-429c-ac9d-2954385ccdfb";

/// A release record, folded from the rows of its categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The facility as it was in that year.
    pub site: Arc<Site>,
    /// The reporting year.
    pub year: ReportingYear,
    /// The substance under its names of that year.
    pub substance: Arc<Substance>,
    /// The medium that it went to.
    pub medium: Medium,
    /// The exact sum of the breakdown, in `unit`.
    pub quantity: Decimal,
    /// The unit of `quantity` and of the breakdown.
    pub unit: Unit,
    /// The rows of the record, in file order.
    pub breakdown: Vec<BreakdownPart>,
}

/// One row of a release: a way in which the substance left the facility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakdownPart {
    /// Stack, fugitive, spills, …
    pub category: Arc<Category>,
    /// The quantity in the record's unit.
    pub quantity: Decimal,
    /// How it was estimated, as the source writes it: `C - Mass Balance`.
    pub estimation_method: Option<Arc<str>>,
}

/// The name of a category in both languages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Category {
    /// The English name.
    pub name_en: Option<String>,
    /// The French name.
    pub name_fr: Option<String>,
}

impl BreakdownPart {
    pub(crate) fn category(&self) -> &Category {
        &self.category
    }
}

impl Release {
    /// The permanent address of the record: `<facility_id>:<year>:<substance_id>:<medium>`.
    #[must_use]
    pub fn record_id(&self) -> String {
        let (facility, substance) = (self.site.facility_id, &self.substance.id);
        format!("{facility}:{}:{substance}:{}", self.year, self.medium.slug())
    }

    /// The quantity in kilograms; `None` for `g TEQ`, which is not a mass.
    #[must_use]
    pub fn quantity_kg(&self) -> Option<Decimal> {
        self.unit.kilograms(self.quantity)
    }
}

/// The texts that a record is found by through its medium and the categories of its breakdown.
pub fn media_texts<'a>(
    medium: Medium,
    categories: impl Iterator<Item = &'a Category>,
) -> impl Iterator<Item = SearchText<'a>> {
    let names = [medium.name_en(), medium.name_fr()];
    let media = names.into_iter().map(|name| SearchText::new(SearchField::Medium, name));
    media.chain(categories.flat_map(|category| {
        let names = category.name_en.iter().chain(&category.name_fr);
        names.map(|name| SearchText::new(SearchField::Category, name.as_str()))
    }))
}
