//! Joins two editions, record by record.

use std::cmp::Ordering;
use std::mem;

use outfall_records::RecordKind;

use super::{Change, EditionRecord};

/// Hands over every change from the `old` to the `new` records of a kind, in canonical order. Both
/// must be in that order; two records are in memory at a time.
///
/// # Errors
/// The first of either list or of `on_change`.
pub fn compare<E>(
    record_kind: RecordKind,
    mut old: impl Iterator<Item = Result<EditionRecord, E>>,
    mut new: impl Iterator<Item = Result<EditionRecord, E>>,
    mut on_change: impl FnMut(Change) -> Result<(), E>,
) -> Result<(), E> {
    let (mut before, mut after) = (old.next().transpose()?, new.next().transpose()?);
    loop {
        let order = match (&before, &after) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(before), Some(after)) => before.place(after),
        };
        let was = if order.is_le() { take_head(&mut before, &mut old)? } else { None };
        let is = if order.is_ge() { take_head(&mut after, &mut new)? } else { None };
        if let Some(change) = Change::between(record_kind, was, is) {
            on_change(change)?;
        }
    }
}

/// Takes the head of a list, and puts the next record in its place.
fn take_head<E>(
    head: &mut Option<EditionRecord>,
    rest: &mut impl Iterator<Item = Result<EditionRecord, E>>,
) -> Result<Option<EditionRecord>, E> {
    let next = rest.next().transpose()?;
    Ok(mem::replace(head, next))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::convert::Infallible;

    use outfall_records::{Decimal, ReportingYear, Unit};
    use proptest::prelude::*;

    use super::super::{Quantity, RecordNames};
    use super::*;

    /// Records by year and facility; a record's id is not in the order of its facility's number.
    type Records = BTreeMap<(u16, u8), (i64, usize)>;

    fn records() -> impl Strategy<Value = Records> {
        proptest::collection::btree_map((2019_u16..2022, 0_u8..20), (0_i64..3, 0_usize..2), 0..30)
    }

    fn edition(records: &Records) -> Vec<EditionRecord> {
        let record =
            |(&(year, facility), &(value, unit)): (&(u16, u8), &(i64, usize))| EditionRecord {
                record_id: format!("{facility}:{year}"),
                year: ReportingYear::new(year).unwrap(),
                names: RecordNames::default(),
                medium: None,
                quantity: Quantity { value: Decimal::from(value), unit: Some(Unit::ALL[unit]) },
            };
        let mut edition: Vec<_> = records.iter().map(record).collect();
        edition.sort_by(EditionRecord::place);
        edition
    }

    proptest! {
        #[test]
        fn a_joined_list_is_what_two_maps_say(old in records(), new in records()) {
            let of = |records: &Records| edition(records).into_iter().map(Ok::<_, Infallible>);
            let mut found = Vec::new();
            compare(RecordKind::Release, of(&old), of(&new), |change| {
                found.push(change);
                Ok(())
            }).unwrap();
            let mut expected: Vec<(u16, String, &str)> = Vec::new();
            let keys: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
            for key in keys {
                let what = match (old.get(&key), new.get(&key)) {
                    (Some(a), Some(b)) if a == b => continue,
                    (Some(_), Some(_)) => "changed",
                    (Some(_), None) => "removed",
                    (None, _) => "added",
                };
                expected.push((key.0, format!("{}:{}", key.1, key.0), what));
            }
            expected.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            let told = found.iter().map(|change| {
                (change.year.get(), change.record_id.clone(), change.edit.name())
            });
            prop_assert_eq!(told.collect::<Vec<_>>(), expected);
            for change in &found {
                let (facility, _) = change.record_id.split_once(':').unwrap();
                let key = (change.year.get(), facility.parse().unwrap());
                let quantity = |records: &Records| records.get(&key).map(|(value, unit)| {
                    Quantity { value: Decimal::from(*value), unit: Some(Unit::ALL[*unit]) }
                });
                prop_assert_eq!((change.edit.before(), change.edit.after()), (quantity(&old), quantity(&new)));
            }
        }
    }

    #[test]
    fn a_list_that_breaks_off_is_not_taken_for_its_end() {
        let whole = edition(&BTreeMap::from([((2020, 1), (1, 0)), ((2020, 2), (1, 0))]));
        let broken = || [Ok(whole[0].clone()), Err("gone")].into_iter();
        let all = || whole.iter().cloned().map(Ok);
        let mut changes = 0;
        let mut compare = |old: &mut dyn Iterator<Item = _>, new: &mut dyn Iterator<Item = _>| {
            compare(RecordKind::Release, old, new, |_| {
                changes += 1;
                Ok(())
            })
        };
        assert_eq!(compare(&mut broken(), &mut all()), Err("gone"));
        assert_eq!(compare(&mut all(), &mut broken()), Err("gone"));
        assert_eq!(changes, 0);
    }
}
