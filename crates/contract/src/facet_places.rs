//! What entries show besides value, names, count and sum: where a facility is, and the CAS RN of a
//! substance.

use std::sync::Arc;

use outfall_records::{Medium, Province, Record, RecordKind, Site, Unit};
use outfall_request::{
    CrossedFacet, Facet, FacetDetails, FacetEntry, FacetPlace, Facets, SearchRequest, YearRange,
};
use proptest::prelude::*;

use crate::backends::{BACKENDS, Backends, matching, opening};
use crate::records::{decimal, release, site_of, substance_of};
use crate::requests::{records, request};

tests! {
    a_facility_is_where_its_newest_matching_record_shows_it,
    a_substance_tells_its_cas_number,
    other_entries_tell_no_more,
    backends_agree_on_facilities_that_move,
}

/// A release of a facility that shows this place; each `None` is a part that it does not show.
fn shown_at(
    (facility, year, medium): (&str, u16, Medium),
    (province, city, degrees): (Option<Province>, Option<&str>, Option<[&str; 2]>),
) -> Record {
    let degrees = degrees.map(|[latitude, longitude]| [latitude, longitude].map(decimal_of));
    let site = Site {
        province,
        city: city.map(str::to_owned),
        latitude: degrees.map(|[latitude, _]| latitude),
        longitude: degrees.map(|[_, longitude]| longitude),
        ..(*site_of(facility)).clone()
    };
    release(
        Arc::new(site),
        year,
        substance_of("71-43-2", year),
        medium,
        (decimal("1"), Unit::Kilograms),
    )
}

/// Degrees, which may be negative.
fn decimal_of(text: &str) -> outfall_records::Decimal {
    text.parse().unwrap()
}

/// Each facility with its province, city and coordinates.
fn places(entries: &[FacetEntry]) -> Vec<String> {
    let line = |entry: &FacetEntry| {
        let value = entry.value.as_ref().unwrap();
        let FacetDetails::Facility(place) = &value.details else { panic!("{value:?}") };
        let FacetPlace { province, city, latitude, longitude } = place;
        let (province, city) = (province.map_or("-", Province::code), city.as_deref());
        let degrees = |degrees: &Option<outfall_records::Decimal>| {
            degrees.map_or_else(|| "-".to_owned(), |degrees| degrees.to_string())
        };
        let city = city.unwrap_or("-");
        format!("{} {province} {city} {} {}", value.value, degrees(latitude), degrees(longitude))
    };
    entries.iter().map(line).collect()
}

fn a_facility_is_where_its_newest_matching_record_shows_it() {
    use Medium::{Air, Land, Water};
    const SARNIA: (Option<Province>, Option<&str>, Option<[&str; 2]>) =
        (Some(Province::On), Some("Sarnia"), Some(["42.9740", "-82.39850"]));
    let backends = Backends::over(&[
        shown_at(("983", 2023, Water), (None, None, None)),
        shown_at(("983", 2022, Air), SARNIA),
        // Within one year, the lowest id counts: air comes before land.
        shown_at(("983", 2021, Land), (Some(Province::Qc), Some("Lévis"), None)),
        shown_at(
            ("983", 2021, Air),
            (Some(Province::On), Some("Corunna \"Ont.\""), Some(["0", "-0.5"])),
        ),
        shown_at(("211", 2020, Air), (Some(Province::Qc), None, Some(["46.8", "-71"]))),
    ]);
    let years = |from, to| YearRange { from, to };
    for (years, q, expected) in [
        // The newest record has no place, so neither has the entry.
        (years(None, None), "", &["983 - - - -", "211 QC - 46.8 -71"][..]),
        (years(None, Some(2022)), "", &["983 ON Sarnia 42.9740 -82.39850", "211 QC - 46.8 -71"]),
        (years(None, None), "air", &["983 ON Sarnia 42.9740 -82.39850", "211 QC - 46.8 -71"]),
        (years(Some(2021), Some(2021)), "", &["983 ON Corunna \"Ont.\" 0 -0.5"]),
        (years(Some(2021), Some(2021)), "-air", &["983 QC Lévis - -"]),
    ] {
        let mut request = matching(RecordKind::Release, q);
        request.filters.years = years;
        request.facets.wanted = vec![Facet::Facility];
        let page = backends.search(&request);
        assert_eq!(places(&page.facets.tables[0].entries), expected, "{q} {years:?}");
    }
    // Inside a crossed facet, the records of the outer entry alone are counted.
    let crossed = CrossedFacet::new(Facet::Medium, Facet::Facility);
    let facets = Facets { crossed, ..Facets::default() };
    let page =
        backends.search(&SearchRequest { facets, ..SearchRequest::all(RecordKind::Release) });
    let entries = page.facets.crossed.unwrap().entries;
    let found: Vec<_> = entries.iter().map(|entry| places(&entry.inner).join(", ")).collect();
    let expected =
        ["983 ON Sarnia 42.9740 -82.39850, 211 QC - 46.8 -71", "983 QC Lévis - -", "983 - - - -"];
    assert_eq!(found, expected);
}

fn a_substance_tells_its_cas_number() {
    let mut request = SearchRequest::all(RecordKind::Release);
    request.facets.wanted = vec![Facet::Substance];
    let page = BACKENDS.search(&request);
    for entry in &page.facets.tables[0].entries {
        let value = entry.value.as_ref().unwrap();
        let expected = (!value.value.starts_with("NA-")).then(|| value.value.clone());
        assert_eq!(value.details, FacetDetails::Substance { cas_number: expected });
    }
}

fn other_entries_tell_no_more() {
    for record_kind in RecordKind::ALL {
        let mut request = SearchRequest::all(record_kind);
        request.facets.wanted = Facet::of(record_kind).collect();
        for table in BACKENDS.search(&request).facets.tables {
            let tells_more = matches!(table.facet, Facet::Facility | Facet::Substance);
            for value in table.entries.iter().filter_map(|entry| entry.value.as_ref()) {
                assert_eq!(value.details != FacetDetails::None, tells_more, "{value:?}");
            }
        }
    }
}

/// The record with a changed city, latitude or longitude, or without its province, depending on the
/// year.
fn moved(record: &Record) -> Record {
    let year = record.year().get();
    let mut site = record.site().clone();
    match year % 4 {
        0 => site.city = Some(format!("Ville-{}", year % 8)),
        1 => site.latitude = Some(decimal_of("49.250")),
        2 => site.longitude = Some(decimal_of("-100")),
        _ => site.province = None,
    }
    let mut moved = record.clone();
    match &mut moved {
        Record::Release(release) => release.site = Arc::new(site),
        Record::Emission(emission) => emission.site = Arc::new(site),
    }
    moved
}

proptest! {
    #![proptest_config(opening(48))]

        fn backends_agree_on_facilities_that_move(records in records(80), request in request()) {
        let records: Vec<Record> = records.iter().map(moved).collect();
        let backends = Backends::over(&records);
        let mut request = request;
        request.facets.wanted = Facet::of(request.record_kind).collect();
        request.facets.crossed = CrossedFacet::new(Facet::Province, Facet::Facility);
        let page = backends.search(&request);
        prop_assert_eq!(page.facets.tables.len(), request.facets.wanted.len());
        request.facets.crossed = CrossedFacet::new(Facet::Year, Facet::Facility);
        backends.search(&request);
    }
}
