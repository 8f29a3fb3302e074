//! A facet counted inside each entry of another.

use outfall_records::{Province, RecordKind};
use outfall_request::{
    CrossedFacet, CrossedTable, Facet, FacetInfo, FacetSort, FacetTable, Facets, SearchRequest,
    YearRange,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::backends::{BACKENDS, Backends, matching, opening};
use crate::facets::shown;
use crate::requests::{records, request};

tests! {
    the_inner_facet_is_counted_inside_each_entry,
    limit_and_order_hold_inside,
    a_crossed_facet_of_no_match_is_empty,
    the_first_is_short_and_the_two_differ,
    outer_entries_are_those_of_the_plain_facet,
    an_inner_list_is_the_facet_of_the_matches_of_its_entry,
}

fn crossed(request: &SearchRequest, facets: Facets) -> CrossedTable {
    crossed_by(&BACKENDS, request, facets)
}

fn crossed_by(backends: &Backends, request: &SearchRequest, facets: Facets) -> CrossedTable {
    backends.search(&SearchRequest { facets, ..request.clone() }).facets.crossed.unwrap()
}

/// Each outer entry, and its inner ones.
fn lines(table: &CrossedTable) -> Vec<String> {
    let line = |entry: &outfall_request::CrossedEntry| {
        let outer = shown(std::slice::from_ref(&entry.outer));
        format!("{} [{}]", outer[0], shown(&entry.inner).join(", "))
    };
    table.entries.iter().map(line).collect()
}

fn of(outer: Facet, inner: Facet) -> Facets {
    Facets { crossed: CrossedFacet::new(outer, inner), ..Facets::default() }
}

fn the_inner_facet_is_counted_inside_each_entry() {
    let releases = SearchRequest::all(RecordKind::Release);
    for (facets, expected, pairs) in [
        (
            of(Facet::Year, Facet::Medium),
            &[
                "2020 2 kg 0.004 g_teq 7 [air 1 kg 0.004, water 1 g_teq 7]",
                "2021 2 kg 100000500 [air 1 kg 100000000, all-media 1 kg 500]",
                "2022 1 kg 1500 [water 1 kg 1500]",
                "2023 10 kg 17257.0000001 g_teq 0.5 \
                 [air 8 kg 17254 g_teq 0.5, land 1 kg 0.0000001, water 1 kg 3]",
            ][..],
            8,
        ),
        (
            of(Facet::Province, Facet::Year),
            &[
                "QC 6 kg 100002254.0040001 \
                 [2020 1 kg 0.004, 2021 1 kg 100000000, 2023 4 kg 2254.0000001]",
                "ON 4 kg 4500 [2022 1 kg 1500, 2023 3 kg 3000]",
                "null 3 kg 12000 g_teq 7.5 [2020 1 g_teq 7, 2023 2 kg 12000 g_teq 0.5]",
                "NB 2 kg 503 [2021 1 kg 500, 2023 1 kg 3]",
            ],
            9,
        ),
        (
            of(Facet::Units, Facet::Company),
            &[
                "tonnes 6 kg 100016250 [Imperial Oil Limited 2 kg 1500, \
                 Smith & Sons Ltée 2 kg 100002250, Smith and Sons Limited 1 kg 500, null 1 kg 12000]",
                "kg 5 kg 1507.0000001 [Gold Corporation 2 kg 4, Imperial Oil Limited 1 kg 1500, \
                 Smith & Sons Ltée 1 kg 0.0000001, Smith and Sons Limited 1 kg 3]",
                "g TEQ 2 g_teq 7.5 [null 2 g_teq 7.5]",
                "grams 2 kg 1500.004 [Gold Corporation 1 kg 0.004, Imperial Oil Limited 1 kg 1500]",
            ],
            11,
        ),
    ] {
        let table = crossed(&releases, facets);
        assert_eq!(lines(&table), expected);
        assert_eq!(table.info, FacetInfo { values: pairs, left_out: 0, left_out_count: 0 });
    }
    let table =
        crossed(&SearchRequest::all(RecordKind::Emission), of(Facet::Year, Facet::Province));
    let expected = [
        "2021 1 tonnes 999999999999.123456789 [QC 1 tonnes 999999999999.123456789]",
        "2022 1 tonnes 1047.65 [ON 1 tonnes 1047.65]",
        "2023 2 tonnes 1047.65 [ON 1 tonnes 1047.65, QC 1 tonnes 0]",
    ];
    assert_eq!(lines(&table), expected);
}

fn limit_and_order_hold_inside() {
    let releases = matching(RecordKind::Release, "-2020");
    let facets = Facets { limit: 1, ..of(Facet::Province, Facet::Facility) };
    let table = crossed(&releases, facets);
    let expected = [
        "QC 5 kg 100002254.0000001 [211 3 kg 100002250.0000001]",
        "ON 4 kg 4500 [983 4 kg 4500]",
        "NB 2 kg 503 [5000 2 kg 503]",
        "null 2 kg 12000 g_teq 0.5 [500366 2 kg 12000 g_teq 0.5]",
    ];
    assert_eq!(lines(&table), expected);
    assert_eq!(table.info, FacetInfo { values: 5, left_out: 1, left_out_count: 2 });
    let facets = Facets { limit: 0, ..of(Facet::Province, Facet::Facility) };
    let table = crossed(&releases, facets);
    assert!(table.entries.len() == 4 && table.entries.iter().all(|entry| entry.inner.is_empty()));
    assert_eq!(table.info, FacetInfo { values: 5, left_out: 5, left_out_count: 13 });
    let facets =
        Facets { limit: 2, sort: Some(FacetSort::Sum), ..of(Facet::Year, Facet::Facility) };
    let expected = [
        "2021 2 kg 100000500 [211 1 kg 100000000, 5000 1 kg 500]",
        "2023 10 kg 17257.0000001 g_teq 0.5 [500366 2 kg 12000 g_teq 0.5, 983 3 kg 3000]",
        "2022 1 kg 1500 [983 1 kg 1500]",
    ];
    assert_eq!(lines(&crossed(&releases, facets)), expected);
}

fn a_crossed_facet_of_no_match_is_empty() {
    let table = crossed(&matching(RecordKind::Release, "zzz"), of(Facet::Year, Facet::Facility));
    assert_eq!((table.entries, table.info), (Vec::new(), FacetInfo::default()));
}

fn the_first_is_short_and_the_two_differ() {
    let names = |record_kind| {
        CrossedFacet::of(record_kind).map(CrossedFacet::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        names(RecordKind::Emission),
        "province*year province*naics_code province*facility province*company year*province \
         year*naics_code year*facility year*company"
    );
    assert_eq!(CrossedFacet::of(RecordKind::Release).count(), 4 * 7);
    assert_eq!(CrossedFacet::new(Facet::Facility, Facet::Year), None);
    assert_eq!(CrossedFacet::new(Facet::Year, Facet::Year), None);
}

/// A crossed facet of a kind, and a request for it.
fn crossing() -> impl Strategy<Value = (SearchRequest, CrossedFacet)> {
    request().prop_flat_map(|request| {
        let all: Vec<CrossedFacet> = CrossedFacet::of(request.record_kind).collect();
        (Just(request), select(all))
    })
}

proptest! {
    #![proptest_config(opening(64))]

        fn outer_entries_are_those_of_the_plain_facet(
        records in records(60), (request, crossed) in crossing(),
    ) {
        let backends = Backends::over(&records);
        let wanted = vec![crossed.outer()];
        let facets = Facets { wanted, crossed: Some(crossed), ..request.facets.clone() };
        let page = backends.search(&SearchRequest { facets, ..request });
        let table = page.facets.crossed.unwrap();
        let outer: Vec<_> = table.entries.iter().map(|entry| entry.outer.clone()).collect();
        prop_assert_eq!(&outer, &page.facets.tables[0].entries);
        let listed: u64 =
            table.entries.iter().flat_map(|entry| &entry.inner).map(|entry| entry.count).sum();
        prop_assert_eq!(listed + table.info.left_out_count, page.total);
    }

        fn an_inner_list_is_the_facet_of_the_matches_of_its_entry(
        records in records(60), (mut request, crossed) in crossing(),
    ) {
        let backends = Backends::over(&records);
        request.filters.years = YearRange::default();
        request.filters.provinces = Vec::new();
        let facets = Facets { crossed: Some(crossed), ..request.facets.clone() };
        let table = crossed_by(&backends, &request, facets);
        let mut info = FacetInfo::default();
        for entry in &table.entries {
            let mut narrowed = request.clone();
            // Other facets have no filter of the same meaning.
            match (crossed.outer(), &entry.outer.value) {
                (Facet::Year, Some(value)) => {
                    let year = value.value.parse().ok();
                    narrowed.filters.years = YearRange { from: year, to: year };
                }
                (Facet::Province, Some(value)) => {
                    narrowed.filters.provinces =
                        Province::of_code(&value.value).into_iter().collect();
                }
                _ => return Ok(()),
            }
            let wanted = vec![crossed.inner()];
            narrowed.facets = Facets { wanted, crossed: None, ..request.facets.clone() };
            let tables: Vec<FacetTable> = backends.search(&narrowed).facets.tables;
            prop_assert_eq!(&tables[0].entries, &entry.inner);
            info.add(tables[0].info);
        }
        prop_assert_eq!(table.info, info);
    }
}
