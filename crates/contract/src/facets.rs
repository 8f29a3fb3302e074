//! Counts and exact sums of all matches by value.

use outfall_records::{RecordKind, Unit};
use outfall_request::{
    Bound, Facet, FacetEntry, FacetInfo, FacetTable, FacetTables, Facets, Page, SearchRequest,
    Sort, SortKey, SortOrder, Start, ValueUnit,
};
use proptest::prelude::*;

use crate::backends::{BACKENDS, Backends, matching, opening};
use crate::requests::{records, request};

tests! {
    every_facet_counts_and_sums_the_matches,
    values_have_their_names_in_both_languages,
    tables_come_in_the_order_asked_for_and_without_matches_are_empty,
    neither_page_nor_order_nor_compared_unit_changes_a_table,
    every_table_counts_every_match_once,
}

/// The tables of every facet of the kind.
fn tables(backends: &Backends, request: &SearchRequest) -> Vec<FacetTable> {
    let wanted = Facet::of(request.record_kind).collect();
    let facets = Facets { wanted, limit: Facets::MAX_LIMIT, ..Facets::default() };
    backends.search(&SearchRequest { facets, ..request.clone() }).facets.tables
}

fn entries(request: &SearchRequest, facet: Facet) -> Vec<FacetEntry> {
    let tables = tables(&BACKENDS, request);
    tables.into_iter().find(|table| table.facet == facet).unwrap().entries
}

/// Each entry as `value count sum`, with the name of each sum that is present.
pub(crate) fn shown(entries: &[FacetEntry]) -> Vec<String> {
    let entry = |entry: &FacetEntry| {
        let value = entry.value.as_ref().map_or("null", |value| value.value.as_str());
        let parts = entry.sum.parts().into_iter();
        let parts = parts.filter_map(|(name, sum)| Some(format!(" {name} {}", sum?)));
        format!("{value} {}{}", entry.count, parts.collect::<String>())
    };
    entries.iter().map(entry).collect()
}

fn every_facet_counts_and_sums_the_matches() {
    for (facet, expected) in [
        (
            Facet::Province,
            &[
                "QC 6 kg 100002254.0040001",
                "ON 4 kg 4500",
                "null 3 kg 12000 g_teq 7.5",
                "NB 2 kg 503",
            ][..],
        ),
        (
            Facet::Year,
            &[
                "2020 2 kg 0.004 g_teq 7",
                "2021 2 kg 100000500",
                "2022 1 kg 1500",
                "2023 10 kg 17257.0000001 g_teq 0.5",
            ],
        ),
        (
            Facet::NaicsCode,
            &[
                "324110 4 kg 4500",
                "212220 3 kg 4.004",
                "331410 3 kg 100002250.0000001",
                "null 3 kg 12000 g_teq 7.5",
                "331529 2 kg 503",
            ],
        ),
        (
            Facet::Medium,
            &[
                "air 10 kg 100017254.004 g_teq 0.5",
                "water 3 kg 1503 g_teq 7",
                "all-media 1 kg 500",
                "land 1 kg 0.0000001",
            ],
        ),
        (
            Facet::Facility,
            &[
                "983 4 kg 4500",
                "211 3 kg 100002250.0000001",
                "42 3 kg 4.004",
                "500366 3 kg 12000 g_teq 7.5",
                "5000 2 kg 503",
            ],
        ),
        (
            Facet::Company,
            &[
                "Imperial Oil Limited 4 kg 4500",
                "Gold Corporation 3 kg 4.004",
                "Smith & Sons Ltée 3 kg 100002250.0000001",
                "null 3 kg 12000 g_teq 7.5",
                "Smith and Sons Limited 2 kg 503",
            ],
        ),
        (
            Facet::Units,
            &[
                "tonnes 6 kg 100016250",
                "kg 5 kg 1507.0000001",
                "g TEQ 2 g_teq 7.5",
                "grams 2 kg 1500.004",
            ],
        ),
    ] {
        let entries = entries(&SearchRequest::all(RecordKind::Release), facet);
        assert_eq!(shown(&entries), expected, "{facet:?}");
    }
    let substances = entries(&matching(RecordKind::Release, "-benzene"), Facet::Substance);
    let expected = [
        "7446-09-5 2 kg 100000500",
        "NA-10 2 kg 3000",
        "NA-DF 2 g_teq 7.5",
        "108-88-3 1 kg 0",
        "1330-20-7 1 kg 0.0000001",
        "71-55-6 1 kg 2",
        "7439-97-6 1 kg 0.004",
        "79-00-5 1 kg 2",
        "NA-08 1 kg 3",
        "NA-M10 1 kg 12000",
    ];
    assert_eq!(shown(&substances), expected);
    let provinces = entries(&SearchRequest::all(RecordKind::Emission), Facet::Province);
    let expected = ["ON 2 tonnes 2095.3", "QC 2 tonnes 999999999999.123456789"];
    assert_eq!(shown(&provinces), expected);
}

fn values_have_their_names_in_both_languages() {
    let all = SearchRequest::all(RecordKind::Release);
    for (facet, value, label_en, label_fr) in [
        (Facet::Province, "QC", Some("Quebec"), Some("Québec")),
        (Facet::Year, "2023", Some("2023"), Some("2023")),
        (Facet::NaicsCode, "324110", None, None),
        // The name of its newest record.
        (Facet::Substance, "7446-09-5", Some("Sulphur dioxide"), Some("Dioxyde de soufre")),
        (Facet::Medium, "land", Some("Land"), Some("Sol")),
        (Facet::Facility, "983", Some("Sarnia Refinery"), Some("Sarnia Refinery")),
        (Facet::Company, "Gold Corporation", Some("Gold Corporation"), Some("Gold Corporation")),
        (Facet::Units, "grams", Some("grams"), Some("grammes")),
    ] {
        let entries = entries(&all, facet);
        let values = entries.iter().filter_map(|entry| entry.value.as_ref());
        let found: Vec<_> = values.filter(|other| other.value == value).collect();
        assert_eq!(found.len(), 1, "{value}");
        let found = (found[0].label_en.as_deref(), found[0].label_fr.as_deref());
        assert_eq!(found, (label_en, label_fr), "{value}");
    }
}

fn tables_come_in_the_order_asked_for_and_without_matches_are_empty() {
    let wanted = vec![Facet::Year, Facet::Company, Facet::Province];
    let facets = Facets { wanted: wanted.clone(), ..Facets::default() };
    let request = SearchRequest { facets, ..matching(RecordKind::Emission, "zzz") };
    let empty = |facet| FacetTable { facet, entries: Vec::new(), info: FacetInfo::default() };
    let expected: Vec<FacetTable> = wanted.into_iter().map(empty).collect();
    assert_eq!(BACKENDS.search(&request).facets.tables, expected);
    let without = BACKENDS.search(&matching(RecordKind::Emission, "")).facets;
    assert_eq!(without, FacetTables::default());
}

fn neither_page_nor_order_nor_compared_unit_changes_a_table() {
    let plain = matching(RecordKind::Release, "benzene OR dioxins OR 2023");
    let expected = tables(&BACKENDS, &plain);
    for (start, limit, by, value_unit) in [
        (0, 0, SortKey::Year, ValueUnit::Reported),
        (3, 1, SortKey::Value, ValueUnit::Reported),
        (100_000, 25, SortKey::Relevance, ValueUnit::Mass(Unit::Grams)),
        (1, 1000, SortKey::Value, ValueUnit::GramsTeq),
    ] {
        let page = Page { start: Start::Offset(start), limit };
        let sort = Sort { by, order: SortOrder::Asc };
        let request = SearchRequest { page, sort, value_unit, ..plain.clone() };
        assert_eq!(tables(&BACKENDS, &request), expected, "{request:?}");
    }
    let mut bounded = plain;
    bounded.filters.values.min = Bound::parse("0").ok();
    bounded.value_unit = ValueUnit::GramsTeq;
    let [units] = &entries(&bounded, Facet::Units)[..] else { panic!("one unit") };
    assert_eq!(shown(std::slice::from_ref(units)), ["g TEQ 2 g_teq 7.5"]);
}

proptest! {
    #![proptest_config(opening(48))]

        fn every_table_counts_every_match_once(records in records(40), request in request()) {
        let backends = Backends::over(&records);
        let total = backends.count(&request);
        for table in tables(&backends, &request) {
            let counts = table.entries.iter().map(|entry| entry.count);
            prop_assert_eq!(counts.sum::<u64>(), total, "{:?}", table.facet);
        }
    }
}
