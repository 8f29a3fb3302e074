//! The facility of a record, as it was in the record's year.

use rust_decimal::Decimal;

use crate::{FacilityId, FacilityKey, NaicsCode, Province, SearchField, SearchText};

/// A facility with the names, the place and the industry that a record shows.
///
/// Records of several years share one site as long as nothing in it changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The id in the record's own inventory.
    pub facility_id: FacilityId,
    /// The id in the other inventory that the record shows.
    pub cross_reference: Option<FacilityId>,
    /// Every id in the other inventory that the record is found by.
    pub linked_ids: Vec<FacilityId>,
    /// The facility's name in the record's year, or its latest known one.
    pub facility_name: Option<String>,
    /// Every name that the facility has had, including `facility_name`.
    pub every_name: Vec<String>,
    /// The company's legal name.
    pub company_name: Option<String>,
    /// The company's trade name, searched but not shown.
    pub trade_name: Option<String>,
    /// The city.
    pub city: Option<String>,
    /// The province; `None` offshore.
    pub province: Option<Province>,
    /// The industry's code.
    pub naics_code: Option<NaicsCode>,
    /// The industry's English title.
    pub naics_en: Option<String>,
    /// The industry's French title.
    pub naics_fr: Option<String>,
    /// Degrees north.
    pub latitude: Option<Decimal>,
    /// Degrees east, negative in Canada.
    pub longitude: Option<Decimal>,
}

impl Site {
    /// The texts that a record of this site is found by.
    pub fn texts(&self) -> impl Iterator<Item = SearchText<'_>> {
        use SearchField as Field;
        fn named(field: Field, text: &str) -> SearchText<'_> {
            SearchText::new(field, text)
        }
        let titles = self.naics_en.iter().chain(&self.naics_fr);
        let provinces = self
            .province
            .into_iter()
            .flat_map(|province| [province.code(), province.name_en(), province.name_fr()]);
        let ids = std::iter::once(&self.facility_id).chain(&self.linked_ids);
        (self.every_name.iter().map(|name| named(Field::FacilityName, name)))
            .chain(self.company_names().map(|name| named(Field::CompanyName, name)))
            .chain(self.city.iter().map(|city| named(Field::City, city)))
            .chain(provinces.map(|name| SearchText::new(Field::Province, name)))
            .chain(self.naics_code.iter().map(|code| SearchText::new(Field::Naics, code.as_str())))
            .chain(titles.map(|title| named(Field::Naics, title)))
            .chain(ids.map(|id| SearchText::new(Field::FacilityId, id.to_string())))
    }

    /// The legal and the trade name of the company.
    pub fn company_names(&self) -> impl Iterator<Item = &str> {
        self.company_name.iter().chain(&self.trade_name).map(String::as_str)
    }

    /// The keys that `facility_id=` finds the site by.
    pub fn facility_keys(&self) -> impl Iterator<Item = FacilityKey> {
        std::iter::once(self.facility_id)
            .chain(self.linked_ids.iter().copied())
            .map(FacilityId::key)
    }
}
