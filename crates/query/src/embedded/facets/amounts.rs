//! What each document adds to a sum, and by which of its parts it is tallied.

use outfall_layout::{Kind, StoredEmission, StoredRelease};
use outfall_records::{Decimal, Entity, Medium, Unit};

use super::tallies::{Sum, Tallies};
use crate::embedded::deadline::Deadline;
use crate::embedded::rows::RowSet;
use crate::facet::places_to_sum;
use crate::{Facet, SearchError};

/// What every document of a kind has one of, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Site,
    Year,
    Substance,
    Medium,
    Unit,
}

impl Part {
    pub(super) const fn of_kind(entity: Entity) -> &'static [Self] {
        match entity {
            Entity::Release => &[Self::Site, Self::Year, Self::Substance, Self::Medium, Self::Unit],
            Entity::Emission => &[Self::Site, Self::Year],
        }
    }

    /// How many numbers there are.
    fn len(self, kind: &Kind) -> usize {
        match self {
            Self::Site => kind.site_ids.len(),
            Self::Year => kind.years.len(),
            Self::Substance => kind.substance_ids.len(),
            Self::Medium => Medium::ALL.len(),
            Self::Unit => Unit::ALL.len(),
        }
    }

    /// The part that tells the value of a facet.
    pub(super) const fn of(facet: Facet) -> Self {
        match facet {
            Facet::Province | Facet::NaicsCode | Facet::Facility | Facet::Company => Self::Site,
            Facet::Year => Self::Year,
            Facet::Substance => Self::Substance,
            Facet::Medium => Self::Medium,
            Facet::Units => Self::Unit,
        }
    }
}

/// The published numbers of all documents.
#[derive(Debug)]
pub(super) struct Amounts {
    /// In 10^-[`Sum::PLACES`] of what the sum is in; 0 for those that are wide.
    fixed: Vec<i128>,
    /// The very few that such an integer does not hold, by document.
    wide: Vec<Wide>,
    /// The unit of each release; empty for emissions.
    units: Vec<Unit>,
    /// The place of each document's year among those of the kind.
    years: Vec<u16>,
}

/// The published number of one document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide {
    pub(super) document: u32,
    pub(super) value: Decimal,
    pub(super) unit: Option<Unit>,
}

impl Amounts {
    pub(super) fn of(kind: &Kind) -> Self {
        let mut amounts = Self {
            fixed: Vec::with_capacity(kind.len()),
            wide: Vec::new(),
            units: Vec::new(),
            years: Vec::with_capacity(kind.len()),
        };
        for (place, block) in kind.years.iter().enumerate() {
            // Years are distinct numbers of 16 bits.
            amounts.years.extend(block.documents.clone().map(|_| place as u16));
        }
        for document in 0..kind.len() as u32 {
            let row = kind.row(document);
            // The files were verified when they were read, so nothing is ever missing.
            let (value, unit) = match kind.entity {
                Entity::Release => StoredRelease::decode(row)
                    .map_or((Decimal::ZERO, Some(Unit::Kilograms)), |it| {
                        (it.quantity, Some(it.unit))
                    }),
                Entity::Emission => {
                    (StoredEmission::decode(row).map_or(Decimal::ZERO, |it| it.total_co2e), None)
                }
            };
            amounts.units.extend(unit);
            let fixed = fixed(value, unit);
            amounts.fixed.push(fixed.unwrap_or(0));
            if fixed.is_none() {
                amounts.wide.push(Wide { document, value, unit });
            }
        }
        amounts
    }

    /// The tallies of `rows` by each of `parts`, which the kind has.
    pub(super) fn tally(
        &self,
        kind: &Kind,
        parts: &[Part],
        rows: &RowSet,
        deadline: &Deadline,
    ) -> Result<Vec<(Part, Tallies)>, SearchError> {
        let count = rows.count();
        deadline.expect(count.saturating_mul(parts.len()))?;
        let empty = |part: &Part| (*part, Tallies::new(part.len(kind), count));
        let mut tallies: Vec<(Part, Tallies)> = parts.iter().map(empty).collect();
        let add = |documents: &[u32]| {
            for (part, tallies) in &mut tallies {
                deadline.spend(documents.len())?;
                self.add(kind, *part, documents, tallies);
            }
            Ok(())
        };
        match rows {
            RowSet::Range(range) => in_batches(range.clone(), add)?,
            RowSet::List(list) => list.chunks(BATCH).try_for_each(add)?,
            RowSet::Bits(bits) => in_batches(bits.iter_in(0..kind.len() as u32), add)?,
        }
        Ok(tallies)
    }

    /// Adds some documents to the tallies by one part.
    fn add(&self, kind: &Kind, part: Part, documents: &[u32], tallies: &mut Tallies) {
        let Self { years, units, .. } = self;
        match part {
            Part::Site => self.add_by(|it| kind.site_of[it] as usize, documents, tallies),
            Part::Year => self.add_by(|it| usize::from(years[it]), documents, tallies),
            Part::Substance => self.add_by(|it| kind.substance_of[it] as usize, documents, tallies),
            Part::Medium => self.add_by(|it| kind.medium_of[it] as usize, documents, tallies),
            Part::Unit => self.add_by(|it| units[it] as usize, documents, tallies),
        }
    }

    fn add_by(&self, number: impl Fn(usize) -> usize, documents: &[u32], tallies: &mut Tallies) {
        // Neighbours in canonical order are mostly of one site, so they are added together.
        let mut run = (0, Sum::default());
        for document in documents {
            let document = *document as usize;
            let (number, amount) = (number(document), self.fixed[document]);
            if self.units.get(document) == Some(&Unit::GramsTeq) {
                tallies.add_teq(number, amount);
                continue;
            }
            if number != run.0 {
                tallies.add_plain(run.0, run.1);
                run = (number, Sum::default());
            }
            run.1.add_amount(amount);
        }
        tallies.add_plain(run.0, run.1);
    }

    /// The number of a document's part.
    pub(super) fn number(&self, kind: &Kind, part: Part, document: u32) -> usize {
        let document = document as usize;
        match part {
            Part::Site => kind.site_of[document] as usize,
            Part::Year => usize::from(self.years[document]),
            Part::Substance => kind.substance_of[document] as usize,
            Part::Medium => kind.medium_of[document] as usize,
            Part::Unit => self.units[document] as usize,
        }
    }

    /// The wide ones among `rows`.
    pub(super) fn wide_among(&self, rows: &RowSet) -> impl Iterator<Item = &Wide> {
        self.wide.iter().filter(|wide| rows.contains(wide.document))
    }
}

/// How many documents are tallied by one part after the other, while what they add is at hand.
const BATCH: usize = 2048;

fn in_batches(
    documents: impl Iterator<Item = u32>,
    mut take: impl FnMut(&[u32]) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    let mut batch = Vec::with_capacity(BATCH);
    for document in documents {
        batch.push(document);
        if batch.len() == BATCH {
            take(&batch)?;
            batch.clear();
        }
    }
    if batch.is_empty() { Ok(()) } else { take(&batch) }
}

/// A published number as an integer of what its sum is in, if one holds it exactly.
fn fixed(value: Decimal, unit: Option<Unit>) -> Option<i128> {
    // Trailing zeros are rare and dropping them is slow, so it is tried without that first.
    fixed_as_written(value, unit).or_else(|| fixed_as_written(value.normalize(), unit))
}

fn fixed_as_written(digits: Decimal, unit: Option<Unit>) -> Option<i128> {
    let places = digits.scale() as i32 + places_to_sum(unit);
    let zeros = u32::try_from(Sum::PLACES as i32 - places).ok()?;
    let fixed = digits.mantissa().checked_mul(10_i128.checked_pow(zeros)?)?;
    (fixed.abs() < Sum::AMOUNTS_END).then_some(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILOGRAM: i128 = 10_i128.pow(Sum::PLACES);

    #[test]
    fn numbers_that_an_integer_holds_are_held_exactly() {
        for (value, unit, expected) in [
            ("1.5", Some(Unit::Tonnes), Some(1_500 * KILOGRAM)),
            ("1.50", Some(Unit::Kilograms), Some(1_500_000_000_000_000_000)),
            ("0.000000000000001", Some(Unit::Grams), Some(1)),
            ("-0.000000000000000001", Some(Unit::GramsTeq), Some(-1)),
            ("1047.65", None, Some(104_765 * KILOGRAM / 100)),
            ("0", Some(Unit::Grams), Some(0)),
            ("0.0000000000000001", Some(Unit::Grams), None),
            ("39614081.257132168796771975167", Some(Unit::Tonnes), Some((1 << 95) - 1)),
            ("39614081257.132168796771975168", Some(Unit::Kilograms), None),
            ("-39614081257.132168796771975168", None, None),
            ("999999999999", Some(Unit::Tonnes), None),
        ] {
            assert_eq!(fixed(value.parse().unwrap(), unit), expected, "{value} {unit:?}");
        }
    }
}
