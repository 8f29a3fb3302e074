//! Compares the embedded backend with the reference, over an index built from files: counts, ids,
//! order and bytes, for requests made from the contents of the files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::sync::LazyLock;

use outfall_records::{RecordKind, Unit};
use outfall_request::{Page, SearchRequest, Sort, SortKey, SortOrder, Start, ValueUnit};
use proptest::prelude::*;
use support::Corpus;

static CORPUS: LazyLock<Corpus> = LazyLock::new(Corpus::open);

fn requests() -> impl Strategy<Value = SearchRequest> {
    prop_oneof![
        4 => CORPUS.releases.request(),
        2 => CORPUS.emissions.request(),
        2 => CORPUS.releases.bounded_by_value(),
        1 => CORPUS.emissions.bounded_by_value(),
    ]
}

/// All records of a request, by cursor, `limit` at a time.
fn walk(request: &SearchRequest, limit: u32) -> Vec<Vec<u8>> {
    let mut request = request.clone();
    request.page = Page { start: Start::Offset(0), limit };
    let mut records: Vec<Vec<u8>> = Vec::new();
    loop {
        let page = CORPUS.agreed(&request);
        assert_eq!(page.offset, records.len() as u64, "{request:?}");
        records.extend(page.records.iter().map(<[u8]>::to_vec));
        match page.next {
            Some(cursor) => request.page.start = Start::After(cursor),
            None => return records,
        }
    }
}

/// All records of a request, by offset.
fn list(request: &SearchRequest) -> Vec<Vec<u8>> {
    let mut request = request.clone();
    let mut records: Vec<Vec<u8>> = Vec::new();
    loop {
        request.page = Page { start: Start::Offset(records.len() as u32), limit: 1000 };
        let page = CORPUS.agreed(&request);
        if page.records.is_empty() {
            return records;
        }
        records.extend(page.records.iter().map(<[u8]>::to_vec));
    }
}

#[test]
fn deep_pages_between_bounds_begin_where_their_offset_says() {
    let mut deepest = 0;
    for order in [SortOrder::Asc, SortOrder::Desc] {
        for unit in [ValueUnit::Reported, ValueUnit::Mass(Unit::Kilograms)] {
            for from in [None, Some(1995)] {
                for share in [50, 8] {
                    let mut request = SearchRequest::all(RecordKind::Release);
                    request.sort = Sort { by: SortKey::Value, order };
                    request.value_unit = unit;
                    request.filters.years.from = from;
                    request.filters.values = CORPUS.releases.values_without_ends(share);
                    let total = CORPUS.agreed(&request).total as u32;
                    deepest = deepest.max(total);
                    for offset in [2_049, 2_500, total.saturating_sub(7), total, total + 1] {
                        request.page = Page { start: Start::Offset(offset), limit: 25 };
                        CORPUS.agreed(&request);
                    }
                }
            }
        }
    }
    assert!(deepest > 2_500, "no page is deep");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn both_backends_give_the_same_answer(request in requests()) {
        CORPUS.agreed(&request);
    }

    #[test]
    fn circles_and_boxes_of_every_size_hold_the_same(
        releases in CORPUS.releases.in_a_region(),
        emissions in CORPUS.emissions.in_a_region(),
    ) {
        CORPUS.agreed(&releases);
        CORPUS.agreed(&emissions);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_cursor_walk_is_the_list(request in requests(), limit in prop::sample::select(vec![7, 100, 1000])) {
        let listed = list(&request);
        // Small pages of a long list show nothing that larger ones do not.
        if listed.len() / limit as usize <= 60 {
            prop_assert_eq!(walk(&request, limit), listed.clone());
        }
        if listed.len() <= 40 {
            prop_assert_eq!(walk(&request, 1), listed);
        }
    }

    #[test]
    fn a_cursor_goes_on_without_its_record(request in requests(), skipped in 0_usize..30) {
        let mut first = request.clone();
        first.page = Page { start: Start::Offset(skipped as u32), limit: 1 };
        if let Some(cursor) = CORPUS.agreed(&first).next {
            // The cursor of another request may point where this one has no record.
            let mut other = request;
            other.filters.provinces = vec![outfall_records::Province::On];
            other.page = Page { start: Start::After(cursor), limit: 25 };
            CORPUS.agreed(&other);
        }
    }
}
