//! Records as a build hands them to an engine.

use std::sync::Arc;

use outfall_records::{
    EmissionEntry, NO_METHOD, PartEntry, PerKind, Record, RecordKind, RecordTable, ReleaseEntry,
    Tables,
};

/// Some records in any order as the tables of a build.
#[must_use]
pub fn tables(records: &[Record]) -> PerKind<Tables> {
    let of = |record_kind| tables_of(records, record_kind);
    PerKind { releases: of(RecordKind::Release), emissions: of(RecordKind::Emission) }
}

/// The records of a kind in canonical order, with the values that they share stored once.
fn tables_of(records: &[Record], record_kind: RecordKind) -> Tables {
    let mut records: Vec<&Record> =
        records.iter().filter(|record| record.record_kind() == record_kind).collect();
    records.sort_by(|a, b| b.year().cmp(&a.year()).then_with(|| a.record_id().cmp(&b.record_id())));
    let mut sites = Vec::new();
    let mut emissions = Vec::new();
    let (mut substances, mut categories, mut methods) = (Vec::new(), Vec::new(), Vec::new());
    let (mut releases, mut parts) = (Vec::new(), Vec::new());
    for record in records {
        match record {
            Record::Release(release) => {
                releases.push(ReleaseEntry {
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
                    parts.push(PartEntry {
                        category: number_of(&mut categories, &part.category) as u16,
                        method: method
                            .map_or(NO_METHOD, |method| number_of(&mut methods, method) as u16),
                        quantity: part.quantity,
                    });
                }
            }
            Record::Emission(emission) => emissions.push(EmissionEntry {
                site: number_of(&mut sites, &emission.site) as u32,
                year: emission.year,
                total_co2e: emission.total_co2e,
                gases: emission.gases,
            }),
        }
    }
    let rows = match record_kind {
        RecordKind::Release => {
            RecordTable::Release { substances, categories, methods, records: releases, parts }
        }
        RecordKind::Emission => RecordTable::Emission { records: emissions },
    };
    Tables { sites, rows }
}

/// The place of a value among the distinct ones, to which it is added if it is new.
fn number_of<T: PartialEq + ?Sized>(distinct: &mut Vec<Arc<T>>, value: &Arc<T>) -> usize {
    match distinct.iter().position(|known| known == value) {
        Some(place) => place,
        None => {
            distinct.push(Arc::clone(value));
            distinct.len() - 1
        }
    }
}
