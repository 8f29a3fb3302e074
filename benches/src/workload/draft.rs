//! A request under construction, both as the service's query string and as the backends' request.

use anyhow::ensure;
use outfall_records::{
    Decimal, FacilityKey, Medium, NaicsBranch, Province, RecordKind, SubstanceId, Unit,
};
use outfall_request::text::parse;
use outfall_request::{
    Bound, BoxFilter, CityFilter, CompanyFilter, CrossedFacet, Facet, FacetSort, MediumFilter,
    NearFilter, Page, RecordIdFilter, ReportingYears, SearchBackend, SearchRequest, Sort, SortKey,
    SortOrder, Start, SubstanceFilter, ValueUnit,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::Question;

/// A request under construction.
#[derive(Debug)]
pub(super) struct Draft {
    parameters: Vec<(&'static str, String)>,
    request: SearchRequest,
    /// How many records a crawl has seen before, if the request continues it by cursor.
    seen: Option<u32>,
}

impl Draft {
    pub(super) fn new(record_kind: RecordKind) -> Self {
        Self { parameters: Vec::new(), request: SearchRequest::all(record_kind), seen: None }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.parameters.push((name, value.into()));
        self
    }

    pub(super) fn q(mut self, q: &str) -> Self {
        // Words of the corpus never make a text that is too complex.
        self.request.text = parse(q).unwrap_or_default();
        self.with("q", q)
    }

    pub(super) fn province(mut self, province: Province) -> Self {
        self.request.filters.provinces.push(province);
        self.with("province", province.code())
    }

    pub(super) fn facility(mut self, key: &FacilityKey) -> Self {
        self.request.filters.facilities.push(key.clone());
        self.with("facility_id", key.as_str())
    }

    pub(super) fn naics(mut self, code: &str) -> Self {
        self.request.filters.naics.extend(NaicsBranch::parse(code));
        self.with("naics_code", code)
    }

    pub(super) fn substance_id(mut self, id: &SubstanceId) -> Self {
        self.request.filters.substances.push(SubstanceFilter::Id(id.clone()));
        self.with("substance", id.as_str())
    }

    pub(super) fn substance_words(mut self, words: &[String]) -> Self {
        let words = words.join(" ");
        self.request.filters.substances.extend(SubstanceFilter::words(&words));
        self.with("substance", words)
    }

    pub(super) fn medium(mut self, medium: Medium) -> Self {
        self.request.filters.media.push(MediumFilter(medium));
        self.with("medium", medium.slug())
    }

    pub(super) fn city(mut self, name: &str) -> Self {
        self.request.filters.cities.extend(CityFilter::new(name));
        self.with("city", name)
    }

    pub(super) fn company(mut self, name: &str) -> Self {
        self.request.filters.companies.extend(CompanyFilter::new(name));
        self.with("company", name)
    }

    pub(super) fn year(mut self, year: u16) -> Self {
        self.request.filters.reporting_years.push(ReportingYears(year..=year));
        self.with("year", year.to_string())
    }

    pub(super) fn near(
        mut self,
        (latitude, longitude): (Decimal, Decimal),
        kilometres: u32,
    ) -> Self {
        let within_km = Decimal::from(kilometres).into();
        self.request.filters.near =
            Some(NearFilter { latitude: latitude.into(), longitude: longitude.into(), within_km });
        let draft = self.with("near", format!("{latitude},{longitude}"));
        draft.with("within_km", kilometres.to_string())
    }

    /// The box that extends this many degrees from its south-western corner, up to the limits of
    /// latitude and longitude.
    pub(super) fn bbox(mut self, (south, west): (Decimal, Decimal), degrees: u32) -> Self {
        let degrees = Decimal::from(degrees);
        let north = (south + degrees).min(Decimal::from(90));
        let east = (west + degrees).min(Decimal::from(180));
        let [w, s, e, n] = [west, south, east, north].map(Bound::from);
        self.request.filters.bbox = Some(BoxFilter { west: w, south: s, east: e, north: n });
        self.with("bbox", format!("{west},{south},{east},{north}"))
    }

    pub(super) fn record_id(mut self, id: &str) -> Self {
        self.request.filters.record_ids.push(RecordIdFilter(id.to_owned()));
        self.with("record_id", id)
    }

    pub(super) fn since(mut self, year: u16) -> Self {
        self.request.filters.years.from = Some(year);
        self.with("issued_after", year.to_string())
    }

    pub(super) fn until(mut self, year: u16) -> Self {
        self.request.filters.years.to = Some(year);
        self.with("issued_before", year.to_string())
    }

    pub(super) fn min(mut self, bound: &str) -> Self {
        self.request.filters.values.min = Bound::parse(bound).ok();
        self.with("value_min", bound)
    }

    pub(super) fn max(mut self, bound: &str) -> Self {
        self.request.filters.values.max = Bound::parse(bound).ok();
        self.with("value_max", bound)
    }

    pub(super) fn tonnes(mut self) -> Self {
        self.request.value_unit = ValueUnit::Mass(Unit::Tonnes);
        self.with("value_unit", "tonnes")
    }

    pub(super) fn kilograms(mut self) -> Self {
        self.request.value_unit = ValueUnit::Mass(Unit::Kilograms);
        self.with("value_unit", "kg")
    }

    pub(super) fn grams_teq(mut self) -> Self {
        self.request.value_unit = ValueUnit::GramsTeq;
        self.with("value_unit", "g_teq")
    }

    pub(super) fn by_value(mut self) -> Self {
        self.request.sort = Sort { by: SortKey::Value, ..self.request.sort };
        self.with("sort_by", "value")
    }

    pub(super) fn ascending(mut self) -> Self {
        self.request.sort = Sort { order: SortOrder::Asc, ..self.request.sort };
        self.with("sort_order", "asc")
    }

    /// Asks for the four facets of a dashboard: charts by province, year and substance, and a list
    /// of facilities.
    pub(super) fn facets(mut self) -> Self {
        let wanted = [Facet::Province, Facet::Year, Facet::Substance, Facet::Facility];
        self.request.facets.wanted = wanted.to_vec();
        self.with("facets", wanted.map(Facet::name).join(","))
    }

    /// Asks for seven facets, which is nearly everything that a page about a set can show.
    pub(super) fn seven_facets(mut self) -> Self {
        let wanted = Facet::of(RecordKind::Release).filter(|facet| *facet != Facet::Units);
        self.request.facets.wanted = wanted.collect();
        let names: Vec<&str> =
            self.request.facets.wanted.iter().map(|facet| facet.name()).collect();
        self.with("facets", names.join(","))
    }

    /// Asks for the facilities with the largest sums.
    pub(super) fn largest_facilities(mut self) -> Self {
        self.request.facets.wanted = vec![Facet::Facility];
        self.request.facets.sort = Some(FacetSort::Sum);
        self.with("facets", Facet::Facility.name()).with("facet_sort", "sum")
    }

    /// Asks for a facet inside each year.
    pub(super) fn by_year(mut self, inner: Facet) -> Self {
        self.request.facets.crossed = CrossedFacet::new(Facet::Year, inner);
        self.with("facets", format!("{}*{}", Facet::Year.name(), inner.name()))
    }

    pub(super) fn offset(mut self, offset: u32) -> Self {
        self.request.page.start = Start::Offset(offset);
        self.with("offset", offset.to_string())
    }

    /// Continues after `seen` records, with the cursor of the page before.
    pub(super) const fn after(mut self, seen: u32) -> Self {
        self.seen = Some(seen);
        self
    }

    /// Finishes the request, which asks for the first page if the matches end before the cursor.
    pub(super) fn finish(
        mut self,
        class: &'static str,
        backend: &dyn SearchBackend,
    ) -> anyhow::Result<Question> {
        // Without words, the request would match everything.
        let has_q = self.parameters.iter().any(|(name, _)| *name == "q");
        ensure!(!has_q || !self.request.text.is_empty(), "no words for `{class}`");
        if let Some(seen) = self.seen {
            let mut before = self.request.clone();
            before.page = Page { start: Start::Offset(seen.saturating_sub(1)), limit: 1 };
            if let Some(cursor) = backend.search(&before)?.next {
                self.parameters.push(("cursor", cursor.encode()));
                self.request.page.start = Start::After(cursor);
            }
        }
        let encoded = self.parameters.iter().map(|(name, value)| {
            format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))
        });
        let query = encoded.collect::<Vec<_>>().join("&");
        let target = format!("/{}?{query}", self.request.record_kind.name());
        Ok(Question { class, target, request: self.request })
    }
}
