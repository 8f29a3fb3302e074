//! The check before every measurement: only correct answers are timed.

use anyhow::{Context, ensure};
use outfall_request::{SearchBackend, SearchPage};
use serde_json::Value;

use crate::workload::Question;

/// Fails when any backend's page differs from the first one's: in the count, the ids, their order,
/// the bytes, or anything else.
///
/// # Errors
/// The first difference, with the request.
pub fn check(backends: &[(&str, &dyn SearchBackend)], question: &Question) -> anyhow::Result<()> {
    let mut expected: Option<(&str, SearchPage)> = None;
    for (name, backend) in backends {
        let asked = || format!("{name}: {}", question.target);
        let mut page = backend.search(&question.request).with_context(asked)?;
        // Pages of the plain backends name no build.
        page.build_id.clear();
        let Some((first, expected)) = &expected else {
            expected = Some((name, page));
            continue;
        };
        let differ = |what| format!("{name} and {first} differ in {what}: {}", question.target);
        ensure!(page.total == expected.total, differ("counts"));
        ensure!(ids(&page)? == ids(expected)?, differ("ids"));
        ensure!(page.records == expected.records, differ("bytes"));
        ensure!(page == *expected, differ("what stands around the records"));
    }
    Ok(())
}

fn ids(page: &SearchPage) -> anyhow::Result<Vec<String>> {
    let id = |json| {
        let record: Value = serde_json::from_slice(json)?;
        Ok(record["record_id"].to_string())
    };
    page.records.iter().map(id).collect()
}
