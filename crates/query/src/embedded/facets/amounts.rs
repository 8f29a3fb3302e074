//! What each document adds to a sum, and by which of its parts it is tallied.

use outfall_layout::{Kind, StoredEmission, StoredRelease};
use outfall_records::{Decimal, Entity, Medium, Unit};

use super::tallies::{Tallies, Tally};
use crate::Facet;
use crate::embedded::rows::RowSet;
use crate::facet::places_to_sum;

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
    /// In 10^-[`Tally::PLACES`] of what the sum is in; 0 for those that are wide.
    fixed: Vec<i64>,
    /// The few that such an integer does not hold, by document.
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

    /// The tallies of `rows` by a part that the kind has.
    pub(super) fn tally(&self, kind: &Kind, part: Part, rows: &RowSet) -> Tallies {
        let len = match part {
            Part::Site => kind.site_ids.len(),
            Part::Year => kind.years.len(),
            Part::Substance => kind.substance_ids.len(),
            Part::Medium => Medium::ALL.len(),
            Part::Unit => Unit::ALL.len(),
        };
        let mut tallies = Tallies::new(len, rows.count());
        // Neighbours in canonical order are mostly of one site, so they are added together.
        let mut run = (0, Tally::default());
        let add = |document: u32| {
            let number = self.number(kind, part, document);
            if number != run.0 {
                tallies.add(run.0, &run.1);
                run = (number, Tally::default());
            }
            run.1.add_amount(self.is_teq(document), self.fixed[document as usize]);
        };
        match rows {
            RowSet::Range(range) => range.clone().for_each(add),
            RowSet::List(list) => list.iter().copied().for_each(add),
            RowSet::Bits(bits) => bits.iter_in(0..kind.len() as u32).for_each(add),
        }
        if run.1.count() > 0 {
            tallies.add(run.0, &run.1);
        }
        tallies
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

    fn is_teq(&self, document: u32) -> bool {
        self.units.get(document as usize) == Some(&Unit::GramsTeq)
    }

    /// The wide ones among `rows`.
    pub(super) fn wide_among(&self, rows: &RowSet) -> impl Iterator<Item = &Wide> {
        self.wide.iter().filter(|wide| rows.contains(wide.document))
    }
}

/// A published number as an integer of what its sum is in, if one holds it exactly.
fn fixed(value: Decimal, unit: Option<Unit>) -> Option<i64> {
    let digits = value.normalize();
    let places = digits.scale() as i32 + places_to_sum(unit);
    let zeros = u32::try_from(Tally::PLACES as i32 - places).ok()?;
    let fixed = digits.mantissa().checked_mul(10_i128.pow(zeros))?;
    i64::try_from(fixed).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_an_integer_holds_are_held_exactly() {
        for (value, unit, expected) in [
            ("1.5", Some(Unit::Tonnes), Some(1_500_000_000_000)),
            ("1.50", Some(Unit::Kilograms), Some(1_500_000_000)),
            ("0.000001", Some(Unit::Grams), Some(1)),
            ("-0.000000001", Some(Unit::GramsTeq), Some(-1)),
            ("1047.65", None, Some(1_047_650_000_000)),
            ("0", Some(Unit::Grams), Some(0)),
            ("0.0000001", Some(Unit::Grams), None),
            ("0.0000000001", Some(Unit::GramsTeq), None),
            ("9223372036.854775807", None, Some(i64::MAX)),
            ("9223372036.854775808", None, None),
            ("999999999999", Some(Unit::Tonnes), None),
        ] {
            assert_eq!(fixed(value.parse().unwrap(), unit), expected, "{value} {unit:?}");
        }
    }
}
