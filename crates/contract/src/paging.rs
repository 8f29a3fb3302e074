//! Pages by offset and by cursor: the same records, each once.

use outfall_records::{Province, Record, RecordKind, Unit};
use outfall_request::{Cursor, Page, SearchRequest, Sort, SortKey, SortOrder, Start, ValueUnit};

use crate::backends::{BACKENDS, Backends, found, ids, matching};
use crate::records::{all, id, labels};

tests! {
    a_page_is_cut_out_of_the_list,
    a_walk_by_cursor_is_the_list_in_every_order,
    a_cursor_goes_on_after_a_rebuild_without_its_record,
    a_cursor_of_another_request_tells_what_differs,
}

/// Every match of a request, page after page of `limit` by cursor.
pub(crate) fn walk(backends: &Backends, request: &SearchRequest, limit: u32) -> Vec<String> {
    let mut request = request.clone();
    request.page = Page { start: Start::Offset(0), limit };
    let mut walked = Vec::new();
    loop {
        let page = backends.search(&request);
        assert_eq!(page.offset, walked.len() as u64, "{request:?}");
        walked.extend(ids(&page));
        let Some(next) = page.next else {
            assert_eq!(page.total, walked.len() as u64, "{request:?}");
            return walked;
        };
        assert_eq!(page.records.len(), limit as usize, "{request:?}");
        let cursor = Cursor::decode(&next.encode()).unwrap();
        assert!(cursor.differences(&request).is_empty(), "{request:?}");
        request.page.start = Start::After(cursor);
    }
}

/// As [`walk`], but by offset.
pub(crate) fn list(backends: &Backends, request: &SearchRequest, limit: u32) -> Vec<String> {
    let mut request = request.clone();
    let mut listed: Vec<String> = Vec::new();
    loop {
        let start = Start::Offset(listed.len() as u32);
        request.page = Page { start, limit };
        let page = backends.search(&request);
        listed.extend(ids(&page));
        assert_eq!(page.next.is_some(), (listed.len() as u64) < page.total, "{request:?}");
        if page.next.is_none() {
            return listed;
        }
    }
}

/// Every order.
pub(crate) fn orders() -> impl Iterator<Item = (Sort, ValueUnit)> {
    use ValueUnit::{GramsTeq, Mass, Reported};
    let keys = [
        (SortKey::Year, Reported),
        (SortKey::Value, Reported),
        (SortKey::Value, Mass(Unit::Tonnes)),
        (SortKey::Value, Mass(Unit::Kilograms)),
        (SortKey::Value, Mass(Unit::Grams)),
        (SortKey::Value, GramsTeq),
        (SortKey::Relevance, Reported),
    ];
    keys.into_iter().flat_map(|(by, unit)| {
        [SortOrder::Asc, SortOrder::Desc].map(|order| (Sort { by, order }, unit))
    })
}

fn a_page_is_cut_out_of_the_list() {
    let all = found(&SearchRequest::all(RecordKind::Release));
    for (offset, limit, expected, has_next) in [
        (0, 0, "", false),
        (3, 0, "", false),
        (0, 1, &all[..1], true),
        (14, 1, &all[14..], false),
        (3, 7, &all[3..10], true),
        (8, 7, &all[8..], false),
        (0, 15, &all[..], false),
        (0, 1000, &all[..], false),
        (15, 25, "", false),
        (100_000, 25, "", false),
    ] {
        let mut request = SearchRequest::all(RecordKind::Release);
        let start = Start::Offset(offset);
        request.page = Page { start, limit };
        let page = BACKENDS.search(&request);
        let found = labels(ids(&page).iter().map(String::as_str));
        assert_eq!((page.total, page.offset), (15, u64::from(offset)));
        assert_eq!((found.as_str(), page.next.is_some()), (expected, has_next), "{offset} {limit}");
    }
}

fn a_walk_by_cursor_is_the_list_in_every_order() {
    for q in ["", "mercury OR quebec OR 2023", "-benzene", "zzz"] {
        for (sort, value_unit) in orders() {
            let request = SearchRequest { sort, value_unit, ..matching(RecordKind::Release, q) };
            let listed = list(&BACKENDS, &request, 1000);
            for limit in [1, 2, 7, 100] {
                assert_eq!(list(&BACKENDS, &request, limit), listed, "{request:?}");
                assert_eq!(walk(&BACKENDS, &request, limit), listed, "{request:?}");
            }
        }
    }
}

fn a_cursor_goes_on_after_a_rebuild_without_its_record() {
    for gone in "abcdefghijklmno".chars().map(id) {
        let keeps = |record: &Record| record.record_id() != gone;
        let rebuilt = Backends::over(&Vec::from_iter(all().into_iter().filter(keeps)));
        for (sort, value_unit) in orders() {
            let mut request = SearchRequest {
                sort,
                value_unit,
                ..matching(RecordKind::Release, "benzene OR mercury OR -zzz")
            };
            let listed = list(&BACKENDS, &request, 1000);
            let end = 1 + listed.iter().position(|id| *id == gone).unwrap();
            request.page = Page { start: Start::Offset(0), limit: end as u32 };
            let Some(cursor) = BACKENDS.search(&request).next else {
                assert_eq!(end, listed.len(), "{request:?}");
                continue;
            };
            request.page.start = Start::After(cursor);
            let page = rebuilt.search(&request);
            let expected = &listed[end..listed.len().min(2 * end)];
            assert_eq!(ids(&page), expected, "{request:?}");
            assert_eq!((page.offset, page.total), (end as u64, 14));
        }
    }
}

fn a_cursor_of_another_request_tells_what_differs() {
    let mut request = SearchRequest::all(RecordKind::Release);
    request.page.limit = 3;
    let cursor = BACKENDS.search(&request).next.unwrap();
    request.page.limit = 7;
    assert!(cursor.differences(&request).is_empty());
    request.filters.provinces = vec![Province::On];
    request.sort.order = SortOrder::Asc;
    assert_eq!(cursor.differences(&request), ["province", "sort_order"]);
}
