//! The laws of the contract, for any records and any request.

use std::sync::LazyLock;

use outfall_records::{Province, Record, RecordKind};
use outfall_request::text::parse;
use outfall_request::{Page, SearchRequest, Start, ValueRange};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::backends::{Backends, asking, comparing, ids, opening};
use crate::paging::{list, walk};
use crate::requests::{bounded_by_value, records, request, unit};

tests! {
    backends_agree_on_many_records,
    either_matches_no_less_than_each_and_both_no_more,
    a_unit_and_its_exclusion_are_all,
    the_order_of_clauses_and_of_alternatives_never_matters,
    what_was_read_gives_the_same_set,
    a_further_filter_never_adds_and_a_repeat_never_removes,
    a_walk_by_cursor_is_the_list,
    bounds_leave_neighbours_of_the_order_by_value,
    backends_agree_on_few_records,
    a_rebuild_neither_repeats_nor_skips_what_did_not_change,
}

/// Enough records for every form of a set of documents to occur.
static MANY: LazyLock<Backends> = LazyLock::new(|| Backends::over(&many()));

fn many() -> Vec<Record> {
    let mut runner = TestRunner::deterministic();
    let sizes = std::iter::repeat_with(|| records(3_000).new_tree(&mut runner).unwrap().current());
    sizes.take(4).max_by_key(Vec::len).unwrap_or_default()
}

fn count(request: &SearchRequest, q: &str) -> u64 {
    let text = parse(q).unwrap();
    MANY.count(&SearchRequest { text, ..request.clone() })
}

proptest! {
    #![proptest_config(comparing())]

        fn backends_agree_on_many_records(request in request()) {
        let page = MANY.search(&request);
        if let Some(next) = page.next {
            let after = Page { start: Start::After(next), limit: 25 };
            MANY.search(&SearchRequest { page: after, ..request });
        }
    }
}

proptest! {
    #![proptest_config(asking(256))]

        fn either_matches_no_less_than_each_and_both_no_more(request in request(), a in unit(), b in unit()) {
        let each = [count(&request, &a), count(&request, &b)];
        let [least, most] = [each[0].min(each[1]), each[0].max(each[1])];
        let either = count(&request, &format!("{a} OR {b}"));
        let both = count(&request, &format!("{a} {b}"));
        prop_assert!(either >= most && both <= least);
        prop_assert_eq!(either + both, each[0] + each[1]);
    }

        fn a_unit_and_its_exclusion_are_all(request in request(), a in unit()) {
        let excluded = count(&request, &format!("-{a}"));
        prop_assert_eq!(count(&request, &a) + excluded, count(&request, ""));
        prop_assert_eq!(excluded, count(&request, &format!("NOT {a}")));
        prop_assert_eq!(0, count(&request, &format!("{a} -{a}")));
    }

        fn the_order_of_clauses_and_of_alternatives_never_matters(
        request in request(), a in unit(), b in unit(), c in unit(),
    ) {
        let found = |q: String| {
            let text = parse(&q).unwrap();
            ids(&MANY.search(&SearchRequest { text, ..request.clone() }))
        };
        prop_assert_eq!(found(format!("{a} {b} OR -{c}")), found(format!("-{c} OR {b} {a}")));
    }

        fn what_was_read_gives_the_same_set(request in request()) {
        if let Some(reading) = request.text.read_as() {
            let again = SearchRequest { text: parse(&reading).unwrap(), ..request.clone() };
            let page = MANY.search(&request);
            prop_assert_eq!(ids(&MANY.search(&again)), ids(&page), "{}", reading);
        }
    }

        fn a_further_filter_never_adds_and_a_repeat_never_removes(request in request()) {
        let with = |provinces: &[Province]| {
            let mut request = request.clone();
            request.filters.provinces = provinces.to_vec();
            MANY.count(&request)
        };
        let (on, qc) = (with(&[Province::On]), with(&[Province::Qc]));
        prop_assert_eq!(with(&[Province::On, Province::Qc, Province::On]), on + qc);
        prop_assert!(on + qc <= with(&[]));
    }
}

proptest! {
    #![proptest_config(asking(40))]

        fn a_walk_by_cursor_is_the_list(request in request(), limit in prop::sample::select(vec![1, 7, 100, 1000])) {
        let listed = list(&MANY, &request, 1000);
        // Walking a long list in tiny pages shows nothing that larger ones do not.
        let limit = if listed.len() > 60 * limit as usize { 100 } else { limit };
        prop_assert_eq!(walk(&MANY, &request, limit), listed);
    }

        fn bounds_leave_neighbours_of_the_order_by_value(request in bounded_by_value(), limit in prop::sample::select(vec![7, 100])) {
        // Backends agree on the page itself too, which may lie far inside.
        MANY.search(&request);
        let listed = list(&MANY, &request, 1000);
        prop_assert_eq!(&walk(&MANY, &request, limit), &listed);
        let mut unbounded = request;
        unbounded.filters.values = ValueRange::default();
        let all = list(&MANY, &unbounded, 1000);
        if let Some(first) = listed.first() {
            let start = all.iter().position(|id| id == first).unwrap();
            prop_assert_eq!(&all[start..start + listed.len()], &listed);
        }
    }
}

proptest! {
    #![proptest_config(opening(40))]

        fn backends_agree_on_few_records(records in records(12), requests in prop::collection::vec(prop_oneof![request(), bounded_by_value()], 8)) {
        let backends = Backends::over(&records);
        for request in &requests {
            backends.search(request);
        }
        for record_kind in RecordKind::ALL {
            let all = SearchRequest::all(record_kind);
            let expected = records.iter().filter(|record| record.record_kind() == record_kind).count();
            prop_assert_eq!(backends.count(&all), expected as u64);
        }
    }

        fn a_rebuild_neither_repeats_nor_skips_what_did_not_change(
        records in records(40), request in request(), split in any::<prop::sample::Index>(), limit in 1_u32..12,
    ) {
        let before = Backends::over(&records);
        let (gone, kept) = records.split_at(split.index(records.len() + 1));
        let after = Backends::over(kept);
        let page = Page { start: Start::Offset(0), limit };
        let first = before.search(&SearchRequest { page, ..request.clone() });
        let mut walked = ids(&first);
        let mut next = first.next;
        while let Some(cursor) = next {
            let page = Page { start: Start::After(cursor), limit };
            let page = after.search(&SearchRequest { page, ..request.clone() });
            walked.extend(ids(&page));
            next = page.next;
        }
        let is_gone = |id: &String| gone.iter().any(|record| record.record_id() == *id);
        walked.retain(|id| !is_gone(id));
        prop_assert_eq!(walked, list(&after, &request, 1000));
    }
}
