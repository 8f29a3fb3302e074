//! The filters of a request; a record is returned only if it passes all of them.
//!
//! A filter is defined in a file of its own: the name of its parameter, how a query spells it, what
//! a cursor is bound to, and which records pass. [`Filters`] lists them.

mod bbox;
mod city;
mod company;
mod coordinates;
mod facility;
mod medium;
mod naics;
mod near;
mod province;
mod record_id;
mod reporting_years;
mod spelled;
mod substance;
mod values;
mod years;

use std::borrow::Cow;

use outfall_records::{FacilityKey, NaicsBranch, Province, Record};

use crate::WordList;
use crate::text::Pattern;

pub use bbox::BoxFilter;
pub use city::CityFilter;
pub use company::CompanyFilter;
pub use coordinates::{Coordinates, Degrees};
pub use medium::MediumFilter;
pub use near::NearFilter;
pub use record_id::RecordIdFilter;
pub use reporting_years::ReportingYears;
pub use spelled::{SpelledFilter, Spelling};
pub use substance::SubstanceFilter;
pub use values::{ValueRange, ValueUnit};
pub use years::YearRange;

/// A filter of which a request has a list: a record passes when it passes any of the list.
pub(crate) trait Filter {
    /// The name of its parameter.
    const NAME: &'static str;

    /// The value that is read as this filter again, the same for all of one meaning.
    fn canonical(&self) -> String;

    /// The text that a cursor is bound to. It is part of the wire format: a change refuses every cursor that
    /// was bound to the filter.
    fn bound(&self) -> String {
        self.canonical()
    }

    /// The list that the words of the filter are looked for in, if it consists of words.
    fn word_list(&self) -> Option<WordList> {
        None
    }

    /// Whether the record passes: the meaning that every engine must agree with.
    fn passes(&self, record: &dyn FilteredRecord) -> bool;
}

/// The parts of a record that filters read.
pub(crate) trait FilteredRecord {
    /// The record itself.
    fn record(&self) -> &Record;

    /// Its id.
    fn record_id(&self) -> &str;

    /// The tokens of one of its texts.
    fn tokens_of(&self, text: &str) -> Cow<'_, [String]>;

    /// Whether some name that its substance ever had holds the pattern.
    fn has_substance_name(&self, pattern: &Pattern) -> bool;
}

/// Every filter of a request but its text. A list that is empty keeps everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// `province=`.
    pub provinces: Vec<Province>,
    /// `city=`.
    pub cities: Vec<CityFilter>,
    /// `company=`.
    pub companies: Vec<CompanyFilter>,
    /// `facility_id=`.
    pub facilities: Vec<FacilityKey>,
    /// `naics_code=`.
    pub naics: Vec<NaicsBranch>,
    /// `substance=`, only on releases.
    pub substances: Vec<SubstanceFilter>,
    /// `medium=`, only on releases.
    pub media: Vec<MediumFilter>,
    /// `record_id=`.
    pub record_ids: Vec<RecordIdFilter>,
    /// `year=`.
    pub reporting_years: Vec<ReportingYears>,
    /// `near=` and `within_km=`.
    pub near: Option<NearFilter>,
    /// `bbox=`.
    pub bbox: Option<BoxFilter>,
    /// `issued_after=` and `issued_before=`.
    pub years: YearRange,
    /// `value_min=` and `value_max=`.
    pub values: ValueRange,
}

impl Filters {
    /// Every filter by its name, those that are not given without values.
    #[must_use]
    pub fn spelled(&self, spelling: Spelling) -> Vec<SpelledFilter> {
        let Self {
            provinces,
            cities,
            companies,
            facilities,
            naics,
            substances,
            media,
            record_ids,
            reporting_years,
            near,
            bbox,
            years,
            values,
        } = self;
        let lists = [
            SpelledFilter::of(provinces, spelling),
            SpelledFilter::of(cities, spelling),
            SpelledFilter::of(companies, spelling),
            SpelledFilter::of(facilities, spelling),
            SpelledFilter::of(naics, spelling),
            SpelledFilter::of(substances, spelling),
            SpelledFilter::of(media, spelling),
            SpelledFilter::of(record_ids, spelling),
            SpelledFilter::of(reporting_years, spelling),
            SpelledFilter::of(near.as_slice(), spelling),
            NearFilter::spelled_radius(near.as_ref()),
            SpelledFilter::of(bbox.as_slice(), spelling),
        ];
        lists.into_iter().chain(years.spelled(spelling)).chain(values.spelled()).collect()
    }

    /// The list that the words of these filters are looked for in, if one of them has words.
    #[must_use]
    pub(crate) fn word_list(&self) -> Option<WordList> {
        let cities = self.cities.iter().find_map(Filter::word_list);
        let companies = self.companies.iter().find_map(Filter::word_list);
        let substances = self.substances.iter().find_map(Filter::word_list);
        cities.or(companies).or(substances)
    }

    /// Whether the record passes every filter but the bounds on values, which compare it in the unit
    /// of the request.
    pub(crate) fn pass(&self, record: &dyn FilteredRecord) -> bool {
        let Self {
            provinces,
            cities,
            companies,
            facilities,
            naics,
            substances,
            media,
            record_ids,
            reporting_years,
            near,
            bbox,
            years,
            values: _,
        } = self;
        passes_any(provinces, record)
            && passes_any(cities, record)
            && passes_any(companies, record)
            && passes_any(facilities, record)
            && passes_any(naics, record)
            && passes_any(substances, record)
            && passes_any(media, record)
            && passes_any(record_ids, record)
            && passes_any(reporting_years, record)
            && passes_any(near.as_slice(), record)
            && passes_any(bbox.as_slice(), record)
            && years.contains(record.record().year().get())
    }
}

fn passes_any<F: Filter>(filters: &[F], record: &dyn FilteredRecord) -> bool {
    filters.is_empty() || filters.iter().any(|filter| filter.passes(record))
}
