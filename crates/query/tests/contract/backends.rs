//! The backends that the tests ask, all over the same records.

use std::sync::LazyLock;

use outfall_query::text::parse;
use outfall_query::{ReferenceBackend, SearchBackend, SearchPage, SearchRequest};
use outfall_records::{DatasetInfo, Entity, Record};

use crate::records::{all, labels};

/// Every backend over some records; each answers as the reference, the first, does.
pub(crate) struct Backends {
    backends: Vec<Box<dyn SearchBackend>>,
}

/// Over the records made by hand.
pub(crate) static BACKENDS: LazyLock<Backends> = LazyLock::new(|| Backends::over(&all()));

impl Backends {
    pub(crate) fn over(records: &[Record]) -> Self {
        let reference = ReferenceBackend::new(records.to_vec(), DatasetInfo::default());
        let backends: [Box<dyn SearchBackend>; _] = [
            Box::new(reference),
            #[cfg(feature = "embedded")]
            Box::new(embedded::open(records)),
        ];
        let backends = backends.into();
        Self { backends }
    }

    /// The answer that all backends agree on.
    pub(crate) fn search(&self, request: &SearchRequest) -> SearchPage {
        let mut backends = self.backends.iter();
        let reference = backends.next().unwrap().search(request).unwrap();
        for other in backends {
            agree(request, &reference, &other.search(request).unwrap());
        }
        reference
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn SearchBackend> {
        self.backends.iter().map(AsRef::as_ref)
    }

    pub(crate) fn count(&self, request: &SearchRequest) -> u64 {
        self.search(request).total
    }
}

/// Fails on any difference, the most telling first.
fn agree(request: &SearchRequest, expected: &SearchPage, found: &SearchPage) {
    assert_eq!(found.total, expected.total, "total of {request:?}");
    assert_eq!(ids(found), ids(expected), "ids of {request:?}");
    for (found, expected) in found.records.iter().zip(expected.records.iter()) {
        let text = String::from_utf8_lossy;
        assert_eq!(text(found), text(expected), "bytes of {request:?}");
    }
    assert_eq!(found, expected, "page of {request:?}");
}

/// The ids of a page, in its order.
pub(crate) fn ids(page: &SearchPage) -> Vec<String> {
    let id = |json: &[u8]| {
        let record: serde_json::Value = serde_json::from_slice(json).unwrap();
        record["record_id"].as_str().unwrap().to_owned()
    };
    page.records.iter().map(id).collect()
}

/// A request for every record of a kind that `q` matches.
pub(crate) fn matching(entity: Entity, q: &str) -> SearchRequest {
    SearchRequest { text: parse(q).unwrap(), ..SearchRequest::all(entity) }
}

/// The labels of what a request returns, in order.
pub(crate) fn found(request: &SearchRequest) -> String {
    let page = BACKENDS.search(request);
    assert_eq!(page.total, page.records.len() as u64, "{request:?}");
    labels(ids(&page).iter().map(String::as_str))
}

/// The same in the order of the labels.
pub(crate) fn found_set(request: &SearchRequest) -> String {
    let mut found: Vec<char> = found(request).chars().collect();
    found.sort_unstable();
    found.into_iter().collect()
}

#[cfg(feature = "embedded")]
mod embedded {
    use std::sync::Arc;

    use outfall_layout::{
        EmissionRow, NO_METHOD, PartRow, ReleaseRow, Rows, Staging, Tables, encode,
    };
    use outfall_query::embedded::EmbeddedBackend;
    use outfall_records::{Entity, Record};

    /// Publishes the records and opens what was published.
    pub(crate) fn open(records: &[Record]) -> EmbeddedBackend {
        let data = tempfile::tempdir().unwrap();
        let mut staging = Staging::begin(data.path()).unwrap();
        for entity in Entity::ALL {
            let tables = tables(records, entity);
            staging.write(&tables, encode(&tables).unwrap()).unwrap();
        }
        staging.publish(Vec::new()).unwrap();
        EmbeddedBackend::open(data.path()).unwrap()
    }

    /// The records of a kind in canonical order, what they share once.
    fn tables(records: &[Record], entity: Entity) -> Tables {
        let mut records: Vec<&Record> = records.iter().filter(|it| it.entity() == entity).collect();
        records.sort_by(|a, b| {
            b.year().cmp(&a.year()).then_with(|| a.record_id().cmp(&b.record_id()))
        });
        let mut sites = Vec::new();
        let mut emissions = Vec::new();
        let (mut substances, mut categories, mut methods) = (Vec::new(), Vec::new(), Vec::new());
        let (mut releases, mut parts) = (Vec::new(), Vec::new());
        for record in records {
            match record {
                Record::Release(release) => {
                    releases.push(ReleaseRow {
                        site: number_of(&mut sites, &release.site) as u32,
                        substance: number_of(&mut substances, &release.substance) as u16,
                        year: release.year,
                        medium: release.medium,
                        unit: release.unit,
                        quantity: release.quantity,
                        first_part: parts.len() as u32,
                    });
                    for part in &release.breakdown {
                        let method = part.estimation_method.as_ref();
                        parts.push(PartRow {
                            category: number_of(&mut categories, &part.category) as u16,
                            method: method
                                .map_or(NO_METHOD, |it| number_of(&mut methods, it) as u16),
                            quantity: part.quantity,
                        });
                    }
                }
                Record::Emission(emission) => emissions.push(EmissionRow {
                    site: number_of(&mut sites, &emission.site) as u32,
                    year: emission.year,
                    total_co2e: emission.total_co2e,
                    gases: emission.gases,
                }),
            }
        }
        let rows = match entity {
            Entity::Release => {
                Rows::Release { substances, categories, methods, records: releases, parts }
            }
            Entity::Emission => Rows::Emission { records: emissions },
        };
        Tables { sites, rows }
    }

    /// The place of a value among the distinct ones, where it is added when it is new.
    fn number_of<T: PartialEq + ?Sized>(distinct: &mut Vec<Arc<T>>, value: &Arc<T>) -> usize {
        match distinct.iter().position(|it| it == value) {
            Some(place) => place,
            None => {
                distinct.push(Arc::clone(value));
                distinct.len() - 1
            }
        }
    }
}
