//! Which entries of a facet are listed, in what order, and how the others are counted.

use outfall_records::{RecordKind, Unit};
use outfall_request::{Facet, FacetInfo, FacetSort, FacetTable, Facets, SearchRequest, ValueUnit};
use proptest::prelude::*;

use crate::backends::{BACKENDS, Backends, matching, opening};
use crate::facets::shown;
use crate::requests::{records, request};

tests! {
    years_ascend_and_the_largest_counts_come_first_elsewhere,
    the_order_asked_for_holds_for_every_facet,
    sums_are_compared_in_the_unit_of_the_values,
    only_long_lists_are_limited,
    substances_are_counted_where_sums_are_over_several,
    a_longer_list_begins_with_the_shorter_and_leaves_out_the_rest,
}

/// The tables of some facets over every record of a kind.
fn tables(record_kind: RecordKind, facets: Facets) -> Vec<FacetTable> {
    let request = SearchRequest { facets, ..SearchRequest::all(record_kind) };
    BACKENDS.search(&request).facets.tables
}

/// The values of a table, in order.
fn values(table: &FacetTable) -> Vec<&str> {
    let values = table.entries.iter().map(|entry| entry.value.as_ref());
    values.map(|value| value.map_or("null", |value| value.value.as_str())).collect()
}

fn years_ascend_and_the_largest_counts_come_first_elsewhere() {
    let wanted = vec![Facet::Year, Facet::Province];
    let tables = tables(RecordKind::Release, Facets { wanted, ..Facets::default() });
    assert_eq!(values(&tables[0]), ["2020", "2021", "2022", "2023"]);
    assert_eq!(values(&tables[1]), ["QC", "ON", "null", "NB"]);
}

fn the_order_asked_for_holds_for_every_facet() {
    use FacetSort::{Count, Sum, Value};
    for (facet, sort, expected) in [
        (Facet::Year, Count, &["2023", "2020", "2021", "2022"][..]),
        (Facet::Year, Sum, &["2021", "2023", "2022", "2020"]),
        (Facet::Province, Sum, &["QC", "null", "ON", "NB"]),
        (Facet::Province, Value, &["NB", "ON", "QC", "null"]),
        (Facet::Facility, Value, &["211", "42", "5000", "500366", "983"]),
        (Facet::Medium, Value, &["air", "all-media", "land", "water"]),
        // A sum of 0 comes before a missing sum, and equal sums are ordered by value.
        (Facet::Units, Sum, &["tonnes", "kg", "grams", "g TEQ"]),
        (
            Facet::Substance,
            Sum,
            &[
                "7446-09-5",
                "NA-M10",
                "71-43-2",
                "NA-10",
                "NA-08",
                "71-55-6",
                "79-00-5",
                "7439-97-6",
                "1330-20-7",
                "108-88-3",
                "NA-DF",
            ],
        ),
        (
            Facet::Company,
            Count,
            &[
                "Imperial Oil Limited",
                "Gold Corporation",
                "Smith & Sons Ltée",
                "null",
                "Smith and Sons Limited",
            ],
        ),
    ] {
        // The order of one facet does not depend on others.
        let wanted = vec![facet, Facet::NaicsCode];
        let facets = Facets { wanted, sort: Some(sort), ..Facets::default() };
        assert_eq!(values(&tables(RecordKind::Release, facets)[0]), expected, "{facet:?} {sort:?}");
    }
    let facets = Facets { wanted: vec![Facet::Facility], sort: Some(Sum), ..Facets::default() };
    assert_eq!(values(&tables(RecordKind::Emission, facets)[0]), ["G10003", "G10001"]);
}

fn sums_are_compared_in_the_unit_of_the_values() {
    let wanted = vec![Facet::Province];
    let facets = Facets { wanted, sort: Some(FacetSort::Sum), ..Facets::default() };
    for (value_unit, expected) in [
        (ValueUnit::Reported, ["QC", "null", "ON", "NB"]),
        (ValueUnit::Mass(Unit::Grams), ["QC", "null", "ON", "NB"]),
        (ValueUnit::GramsTeq, ["null", "NB", "ON", "QC"]),
    ] {
        let request = SearchRequest { value_unit, facets: facets.clone(), ..all() };
        let page = BACKENDS.search(&request);
        assert_eq!(values(&page.facets.tables[0]), expected, "{value_unit:?}");
    }
}

fn all() -> SearchRequest {
    SearchRequest::all(RecordKind::Release)
}

fn only_long_lists_are_limited() {
    let info = |values, left_out, left_out_count| FacetInfo { values, left_out, left_out_count };
    for (limit, listed, expected) in [
        (0, &[][..], info(5, 5, 15)),
        (1, &["983 4 kg 4500"], info(5, 4, 11)),
        (3, &["983 4 kg 4500", "211 3 kg 100002250.0000001", "42 3 kg 4.004"], info(5, 2, 5)),
    ] {
        let facets = Facets { wanted: vec![Facet::Facility], limit, ..Facets::default() };
        let table = tables(RecordKind::Release, facets).remove(0);
        assert_eq!(shown(&table.entries), listed, "{limit}");
        assert_eq!(table.info, expected, "{limit}");
    }
    let wanted = vec![Facet::Province, Facet::Year, Facet::Medium, Facet::Units];
    for limit in [0, 1] {
        let facets = Facets { wanted: wanted.clone(), limit, ..Facets::default() };
        for table in tables(RecordKind::Release, facets) {
            assert_eq!(table.entries.len(), 4, "{:?}", table.facet);
            assert_eq!(table.info, info(4, 0, 0), "{:?}", table.facet);
        }
    }
}

fn substances_are_counted_where_sums_are_over_several() {
    for (wanted, q, expected) in [
        (&[Facet::Year][..], "", Some(11)),
        (&[Facet::Year, Facet::Substance], "", Some(11)),
        (&[Facet::Year], "mercury", Some(2)),
        (&[Facet::Facility], "benzene", Some(1)),
        (&[Facet::Facility], "-benzene", Some(10)),
        (&[Facet::Facility], "zzz", Some(0)),
        (&[Facet::Substance], "", None),
        (&[], "", None),
    ] {
        let facets = Facets { wanted: wanted.to_vec(), ..Facets::default() };
        let request = SearchRequest { facets, ..matching(RecordKind::Release, q) };
        assert_eq!(BACKENDS.search(&request).facets.substances, expected, "{wanted:?} {q}");
    }
    let facets = Facets { wanted: vec![Facet::Year], ..Facets::default() };
    let emissions = SearchRequest { facets, ..SearchRequest::all(RecordKind::Emission) };
    assert_eq!(BACKENDS.search(&emissions).facets.substances, None);
}

proptest! {
    #![proptest_config(opening(48))]

        fn a_longer_list_begins_with_the_shorter_and_leaves_out_the_rest(
        records in records(60), request in request(), limit in 0_u32..8,
    ) {
        let backends = Backends::over(&records);
        let with = |limit| {
            let wanted = Facet::of(request.record_kind).collect();
            let facets = Facets { wanted, limit, ..request.facets.clone() };
            backends.search(&SearchRequest { facets, ..request.clone() })
        };
        let (short, whole) = (with(limit), with(Facets::MAX_LIMIT));
        for (short, whole) in short.facets.tables.iter().zip(&whole.facets.tables) {
            let listed = short.entries.len();
            prop_assert_eq!(&short.entries[..], &whole.entries[..listed]);
            let left_out = &whole.entries[listed..];
            let expected = FacetInfo {
                values: whole.entries.len() as u64,
                left_out: left_out.len() as u64,
                left_out_count: left_out.iter().map(|entry| entry.count).sum(),
            };
            prop_assert_eq!(short.info, expected);
            prop_assert!(left_out.is_empty() || listed as u32 == limit && !short.facet.is_short());
        }
    }
}
