//! The parts of an answer besides its records (units, terms), and searches that run out of time.

use std::time::{Duration, Instant};

use outfall_records::{Province, RecordKind, Unit};
use outfall_request::{
    Bound, Filters, GivenFilter, SearchError, SearchRequest, Sort, SortKey, SortOrder, ValueRange,
    ValueUnit,
};

use crate::backends::{BACKENDS, matching};

tests! {
    units_are_counted_when_published_quantities_are_compared,
    terms_tell_which_unit_of_q_kept_everything_out,
    filters_tell_which_of_them_kept_everything_out,
    a_search_past_its_deadline_has_no_answer,
}

fn by_value(request: SearchRequest) -> SearchRequest {
    SearchRequest { sort: Sort { by: SortKey::Value, order: SortOrder::Desc }, ..request }
}

fn bounded(mut request: SearchRequest) -> SearchRequest {
    request.filters.values.min = Some(Bound::parse("1").unwrap());
    request
}

fn units_are_counted_when_published_quantities_are_compared() {
    let all = || SearchRequest::all(RecordKind::Release);
    let in_tonnes =
        |request| SearchRequest { value_unit: ValueUnit::Mass(Unit::Tonnes), ..request };
    for (request, expected, is_mixed) in [
        (all(), None, false),
        (by_value(all()), Some("grams 2 kg 5 tonnes 6 g TEQ 2"), true),
        (bounded(all()), Some("grams 2 kg 4 tonnes 4 g TEQ 1"), true),
        (by_value(matching(RecordKind::Release, "dioxins")), Some("g TEQ 2"), false),
        (by_value(matching(RecordKind::Release, "zzz")), Some(""), false),
        (in_tonnes(by_value(bounded(all()))), None, false),
        (by_value(bounded(SearchRequest::all(RecordKind::Emission))), None, false),
    ] {
        let units = BACKENDS.search(&request).units;
        let shown = units.map(|units| {
            let counts: Vec<String> =
                units.iter().map(|(unit, count)| format!("{} {count}", unit.name())).collect();
            counts.join(" ")
        });
        assert_eq!(shown.as_deref(), expected, "{request:?}");
        assert_eq!(units.is_some_and(|counts| counts.is_mixed()), is_mixed, "{request:?}");
    }
}

fn terms_tell_which_unit_of_q_kept_everything_out() {
    for (q, province, expected) in [
        ("benzene zzz", None, Some("benzene 2/2 zzz 0/0")),
        ("zzz OR \"no such\" -mercury", None, Some("zzz 0/0 \"no such\" 0/0 -mercury 12/12")),
        ("NOT mercury mercury", None, Some("NOT mercury 12/12 mercury 3/3")),
        // The first count is that under the other filters.
        ("mercury benzene", Some(Province::Qc), Some("mercury 1/3 benzene 1/2")),
        ("benzene", Some(Province::Nb), Some("benzene 0/2")),
        ("benzene", None, None),
        ("", Some(Province::Yt), Some("")),
    ] {
        let mut request = matching(RecordKind::Release, q);
        request.filters.provinces.extend(province);
        assert_eq!(BACKENDS.search(&request).explanation, None, "{q}");
        request.explain = Some(Vec::new());
        let terms = BACKENDS.search(&request).explanation.map(|explanation| {
            let counts = explanation
                .terms
                .iter()
                .map(|term| format!("{} {}/{}", term.text, term.count, term.count_alone));
            counts.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(terms.as_deref(), expected, "{q}");
    }
}

fn filters_tell_which_of_them_kept_everything_out() {
    let given = |parameter: &str, value: &str, filters: Filters| {
        let (parameter, value) = (parameter.to_owned(), value.to_owned());
        GivenFilter { parameter, value, filters }
    };
    let provinces =
        |provinces: &[Province]| Filters { provinces: provinces.to_vec(), ..Filters::default() };
    let at_least = |min: &str| Filters {
        values: ValueRange { min: Some(Bound::parse(min).unwrap()), max: None },
        ..Filters::default()
    };
    let mut request = matching(RecordKind::Release, "mercury");
    request.filters = provinces(&[Province::Yt, Province::Nb]);
    request.value_unit = ValueUnit::Mass(Unit::Kilograms);
    request.sort.by = SortKey::Relevance;
    request.explain = Some(vec![
        given("province", "yt", provinces(&[Province::Yt])),
        given("province", "New Brunswick", provinces(&[Province::Nb])),
        given("value_min", "1e3", at_least("1e3")),
        given("anything", "", Filters::default()),
    ]);
    let explanation = BACKENDS.search(&request).explanation.unwrap();
    let counts: Vec<String> = explanation
        .filters
        .iter()
        .map(|filter| format!("{}={} {}", filter.parameter, filter.value, filter.count))
        .collect();
    // The bound is in kilograms.
    let expected = ["province=yt 0", "province=New Brunswick 2", "value_min=1e3 6", "anything= 15"];
    assert_eq!(counts, expected);
    assert_eq!((explanation.terms[0].count, explanation.terms[0].count_alone), (0, 3));
    request.filters = Filters::default();
    assert_eq!(BACKENDS.search(&request).explanation, None, "something matches");
}

fn a_search_past_its_deadline_has_no_answer() {
    let text = |q| matching(RecordKind::Release, q);
    let relevance = Sort { by: SortKey::Relevance, order: SortOrder::Desc };
    let mut of_province = SearchRequest::all(RecordKind::Release);
    of_province.filters.provinces = vec![Province::On];
    for mut request in [
        SearchRequest::all(RecordKind::Release),
        SearchRequest::all(RecordKind::Emission),
        text("mercury"),
        text("\"and its compounds\" OR air -lead"),
        of_province,
        bounded(SearchRequest::all(RecordKind::Release)),
        by_value(text("air")),
        SearchRequest { sort: relevance, ..text("mercury OR air") },
    ] {
        for backend in BACKENDS.iter() {
            request.deadline = Instant::now().checked_sub(Duration::from_millis(1));
            let found = backend.search(&request);
            assert!(matches!(found, Err(SearchError::TimedOut)), "{request:?}");
            request.deadline = Some(Instant::now() + Duration::from_secs(60));
            assert!(backend.search(&request).is_ok(), "{request:?}");
        }
    }
}
