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

use outfall_records::{FacilityKey, NaicsBranch, Province};

use crate::WordList;
use crate::reference::FilteredRecord;

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

/// A filter that a request may have several of: a record passes if it passes any of them.
pub(crate) trait Filter {
    /// The name of its parameter.
    const NAME: &'static str;

    /// The value that parses to this filter again, the same for all filters of one meaning.
    fn canonical(&self) -> String;

    /// The text that a cursor is bound to. It is part of the wire format: a change refuses every
    /// cursor that was bound to the filter.
    fn bound(&self) -> String {
        self.canonical()
    }

    /// The list that the words of the filter are looked for in, if it consists of words.
    fn word_list(&self) -> Option<WordList> {
        None
    }

    /// Whether the record passes: the meaning that every engine must agree with.
    fn passes(&self, record: &FilteredRecord<'_>) -> bool;
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

/// The result of `$of` for each list of filters, in the order in which cursors are bound to them.
macro_rules! of_each_list {
    ($filters:expr, $of:path, $argument:expr) => {{
        let Filters {
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
            years: _,
            values: _,
        } = $filters;
        [
            $of(provinces, $argument),
            $of(cities, $argument),
            $of(companies, $argument),
            $of(facilities, $argument),
            $of(naics, $argument),
            $of(substances, $argument),
            $of(media, $argument),
            $of(record_ids, $argument),
            $of(reporting_years, $argument),
            $of(near.as_slice(), $argument),
            $of(bbox.as_slice(), $argument),
        ]
    }};
}

impl Filters {
    /// Every filter by its name; one that is not given has no values.
    #[must_use]
    pub fn spelled(&self, spelling: Spelling) -> Vec<SpelledFilter> {
        let mut spelled = of_each_list!(self, SpelledFilter::of, spelling).to_vec();
        // A radius comes right after its centre, as in the cursors already given out.
        spelled.insert(spelled.len() - 1, NearFilter::spelled_radius(self.near.as_ref()));
        spelled
            .into_iter()
            .chain(self.years.spelled(spelling))
            .chain(self.values.spelled())
            .collect()
    }

    /// The list that the words of these filters are looked for in, if one of them has words.
    #[must_use]
    pub(crate) fn word_list(&self) -> Option<WordList> {
        of_each_list!(self, words_of, ()).into_iter().flatten().next()
    }

    /// Whether the record passes every filter but the bounds on values, which compare it in the
    /// unit of the request.
    pub(crate) fn pass(&self, record: &FilteredRecord<'_>) -> bool {
        self.years.contains(record.record().year().get())
            && of_each_list!(self, passes_any, record).into_iter().all(|passes| passes)
    }
}

fn words_of<F: Filter>(filters: &[F], (): ()) -> Option<WordList> {
    filters.iter().find_map(Filter::word_list)
}

fn passes_any<F: Filter>(filters: &[F], record: &FilteredRecord<'_>) -> bool {
    filters.is_empty() || filters.iter().any(|filter| filter.passes(record))
}
