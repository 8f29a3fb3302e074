//! The exact sums of the records of a bucket, from the sums of their limbs.

use outfall_records::Amount;
use outfall_request::FacetSum;
use serde_json::{Map, Value, json};

use crate::ClusterError;
use crate::answer::Bucket;
use crate::limbs::{UNITS_LIMB, add_limb};
use crate::mapping::{Measure, measures};
use crate::opened::OpenedKind;

/// Asks for the sum of every limb that some record of the kind has.
pub(super) fn amounts(kind: &OpenedKind) -> Map<String, Value> {
    let mut amounts = Map::new();
    for measure in measures(kind.record_kind) {
        for limb in kind.limbs(*measure) {
            let field = measure.limb(*limb);
            // Every amount has this limb, so it counts the records that have an amount.
            let how = if *limb == UNITS_LIMB { "stats" } else { "sum" };
            amounts.insert(name(*measure, *limb), json!({how: {"field": field}}));
        }
    }
    amounts
}

fn name(measure: Measure, limb: usize) -> String {
    format!("{}{limb}", measure.name())
}

/// The sum of a bucket. Each of its records must have one amount.
pub(super) fn sum_of(kind: &OpenedKind, bucket: &Bucket) -> Result<FacetSum, ClusterError> {
    let mut count = 0;
    let mut part = |measure: Measure| {
        let (of_measure, sum) = part_of(kind, measure, bucket)?;
        count += of_measure;
        Ok::<_, ClusterError>((of_measure > 0).then_some(sum))
    };
    let sum = match FacetSum::zero(kind.record_kind) {
        FacetSum::Emission { .. } => {
            FacetSum::Emission { tonnes: part(Measure::Mass)?.unwrap_or(Amount::ZERO) }
        }
        FacetSum::Release { .. } => {
            FacetSum::Release { kilograms: part(Measure::Mass)?, grams_teq: part(Measure::Teq)? }
        }
    };
    match count == bucket.count {
        true => Ok(sum),
        false => Err(ClusterError::unexpected("some records of a sum have no amount")),
    }
}

/// How many records of a bucket have an amount of a measure, and their sum.
fn part_of(
    kind: &OpenedKind,
    measure: Measure,
    bucket: &Bucket,
) -> Result<(u64, Amount), ClusterError> {
    let missing = || ClusterError::unexpected("the sum of a limb is missing");
    let (mut count, mut sum) = (0, Amount::ZERO);
    for limb in kind.limbs(measure) {
        let of_limb = bucket.inside.get(&name(measure, *limb)).ok_or_else(missing)?;
        if *limb == UNITS_LIMB {
            count = of_limb.get("count").and_then(Value::as_u64).ok_or_else(missing)?;
        }
        let field = if *limb == UNITS_LIMB { "sum" } else { "value" };
        let of_cluster = of_limb.get(field).and_then(Value::as_f64).ok_or_else(missing)?;
        add_limb(&mut sum, *limb, of_cluster)
            .ok_or_else(|| ClusterError::unexpected("a sum may have been rounded"))?;
    }
    Ok((count, sum))
}
