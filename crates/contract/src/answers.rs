//! The parts of an answer beside its records (units, terms), and searches that run out of time.

use std::time::{Duration, Instant};

use outfall_records::{Province, RecordKind, Unit};
use outfall_request::{Bound, SearchError, SearchRequest, Sort, SortKey, SortOrder, ValueUnit};

use crate::backends::{BACKENDS, matching};

tests! {
    units_are_counted_when_published_quantities_are_compared,
    terms_tell_which_unit_of_q_kept_everything_out,
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
        ("benzene zzz", None, Some("benzene 2 zzz 0")),
        ("zzz OR \"no such\" -mercury", None, Some("zzz 0 \"no such\" 0 -mercury 12")),
        ("NOT mercury mercury", None, Some("NOT mercury 12 mercury 3")),
        // Counts are those under the other filters.
        ("mercury benzene", Some(Province::Qc), Some("mercury 1 benzene 1")),
        ("benzene", Some(Province::Nb), Some("benzene 0")),
        ("benzene", None, None),
        ("", Some(Province::Yt), None),
    ] {
        let mut request = matching(RecordKind::Release, q);
        request.filters.provinces.extend(province);
        let terms = BACKENDS.search(&request).terms.map(|terms| {
            let counts: Vec<String> =
                terms.iter().map(|term| format!("{} {}", term.text, term.count)).collect();
            counts.join(" ")
        });
        assert_eq!(terms.as_deref(), expected, "{q}");
    }
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
