//! Refuses builds that would take much away from the served index: a truncated download has every
//! column and no bad row, and still must not be published.

use std::collections::BTreeMap;
use std::fmt;

use outfall_records::KindInfo;
use outfall_request::ServedRecords;

use crate::BuildError;

/// The percentage of a kind's records that a build may lose without `--allow-shrink`: restated
/// histories and corrected rows lose a few.
const MAX_LOSS: u64 = 5;

/// A kind of which a build holds less than the served generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrinkage {
    /// The name of the kind.
    pub kind: String,
    /// Its records in the served generation.
    pub served: u64,
    /// Its records in the build.
    pub built: u64,
    /// The reporting years that the build has no record of.
    pub missing_years: Vec<u16>,
}

impl Shrinkage {
    /// `None` if the build holds nearly as much.
    fn of(kind: &str, served: &KindInfo, built: &KindInfo) -> Option<Self> {
        let has = |info: &KindInfo, year| info.years.get(year).is_some_and(|count| *count > 0);
        let missing = served.years.keys().filter(|year| has(served, year) && !has(built, year));
        let missing_years: Vec<u16> = missing.copied().collect();
        let least = u128::from(served.records) * u128::from(100 - MAX_LOSS);
        let is_smaller = u128::from(built.records) * 100 < least;
        (is_smaller || !missing_years.is_empty()).then(|| Self {
            kind: kind.to_owned(),
            served: served.records,
            built: built.records,
            missing_years,
        })
    }
}

/// As an error shows it: `release: 81 records instead of 100, none of 2019, 2020`.
impl fmt::Display for Shrinkage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, served, built, missing_years } = self;
        write!(formatter, "{kind}: {built} records instead of {served}")?;
        for (place, year) in missing_years.iter().enumerate() {
            write!(formatter, "{} {year}", if place == 0 { ", none of" } else { "," })?;
        }
        Ok(())
    }
}

/// Refuses a build that holds much less than `served`, the edition it would replace.
pub(crate) fn refuse_shrinking<E>(
    served: Option<ServedRecords>,
    built: &BTreeMap<String, KindInfo>,
) -> Result<(), BuildError<E>> {
    let Some(ServedRecords { name: generation, kinds, .. }) = served else {
        return Ok(());
    };
    let nothing = KindInfo::default();
    let kinds = kinds.iter();
    let losses: Vec<Shrinkage> = kinds
        .filter_map(|(kind, info)| Shrinkage::of(kind, info, built.get(kind).unwrap_or(&nothing)))
        .collect();
    if losses.is_empty() { Ok(()) } else { Err(BuildError::Shrinks { generation, losses }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(records: u64, years: &[(u16, u64)]) -> KindInfo {
        KindInfo { records, years: years.iter().copied().collect(), ..KindInfo::default() }
    }

    #[test]
    fn five_percent_may_go_and_no_year() {
        let served = info(100, &[(2019, 40), (2020, 60)]);
        for (built, expected) in [
            (info(95, &[(2019, 1), (2020, 94)]), None),
            (info(300, &[(2019, 100), (2020, 100), (2021, 100)]), None),
            (info(94, &[(2019, 40), (2020, 54)]), Some("release: 94 records instead of 100")),
            (info(100, &[(2020, 100)]), Some("release: 100 records instead of 100, none of 2019")),
            (info(0, &[]), Some("release: 0 records instead of 100, none of 2019, 2020")),
        ] {
            let found = Shrinkage::of("release", &served, &built).map(|loss| loss.to_string());
            assert_eq!(found.as_deref(), expected);
        }
        assert_eq!(Shrinkage::of("release", &info(0, &[]), &info(0, &[])), None);
    }
}
