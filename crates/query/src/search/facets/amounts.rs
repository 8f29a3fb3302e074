//! The amount that each document adds to a sum.

use outfall_records::{Decimal, Unit};
use outfall_request::{SearchError, places_to_sum};

use super::parts::Part;
use super::tallies::{Tallies, TallySum};
use crate::index::{Kind, Numbers, Quantities, Quantity, WideQuantity};
use crate::search::deadline::Deadline;
use crate::search::sets::{DocSet, Members};

/// The published numbers of all documents.
#[derive(Debug)]
pub(super) struct Amounts {
    /// A [`Quantity`] per document; without digits for the wide ones.
    words: Numbers<u64>,
    /// The very few whose amounts are outside the range of a sum, by document.
    wide: Vec<WideQuantity>,
}

impl Amounts {
    pub(super) fn of(kind: &Kind) -> Self {
        let Quantities { words, wide } = kind.quantities.clone();
        let mut amounts = Self { words, wide };
        let is_out_of_range =
            |(_, word): &(u32, &u64)| amount(Quantity::from_word(**word)).is_none();
        let large = (0..).zip(amounts.words.iter()).filter(is_out_of_range);
        let large: Vec<u32> = large.map(|(document, _)| document).collect();
        if !large.is_empty() {
            amounts.set_aside(kind, &large);
        }
        amounts
    }

    /// Moves the quantities of some documents to the wide ones.
    fn set_aside(&mut self, kind: &Kind, documents: &[u32]) {
        let mut words = Numbers::zeroed(self.words.len());
        words.copy_from_slice(&self.words);
        for document in documents {
            let word = &mut words[*document as usize];
            let quantity = Quantity::from_word(*word);
            let value = Decimal::from_i128_with_scale(quantity.digits().into(), quantity.places());
            let unit = kind.record_kind.has_units().then_some(quantity.unit());
            self.wide.push(WideQuantity { document: *document, value, unit });
            *word = quantity.without_digits().word();
        }
        self.words = words.shared();
    }

    /// Tallies `rows` by each of `parts`, all of which the kind has.
    pub(super) fn tally(
        &self,
        kind: &Kind,
        parts: &[Part],
        rows: &DocSet,
        deadline: &Deadline,
    ) -> Result<Vec<(Part, Tallies)>, SearchError> {
        let count = rows.count();
        deadline.expect(count.saturating_mul(parts.len()))?;
        let empty = |part: &Part| (*part, Tallies::new(part.len(kind), count));
        let mut tallies: Vec<(Part, Tallies)> = parts.iter().map(empty).collect();
        let mut numbers = Vec::with_capacity(BATCH);
        for year in 0..kind.years.len() {
            self.batches(kind, rows, year, |batches| {
                for (part, tallies) in &mut tallies {
                    deadline.spend(batches.len())?;
                    part.numbers_of(kind, &batches.plain, &mut numbers);
                    tallies.add_plain(&numbers, &batches.plain.amounts);
                    if !batches.teq.documents.is_empty() {
                        part.numbers_of(kind, &batches.teq, &mut numbers);
                        tallies.add_teq(&numbers, &batches.teq.amounts);
                    }
                }
                Ok(())
            })?;
        }
        Ok(tallies)
    }

    /// Calls `take` with the members of `rows` in one year, by its place, some at a time and in
    /// order.
    pub(super) fn batches(
        &self,
        kind: &Kind,
        rows: &DocSet,
        year: usize,
        mut take: impl FnMut(&Batches) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        let mut batches = Batches::of_year(year as u32);
        let mut members = rows.iter_in(kind.years[year].documents.clone());
        loop {
            batches.fill(&self.words, &mut members);
            if batches.len() == 0 {
                return Ok(());
            }
            take(&batches)?;
        }
    }

    /// The number that a document has of a part.
    pub(super) fn number_of(&self, kind: &Kind, part: Part, document: u32) -> u32 {
        let unit = Quantity::from_word(self.words[document as usize]).unit();
        part.number_of(kind, document, unit)
    }

    /// The wide quantities among `rows`.
    pub(super) fn wide_among(&self, rows: &DocSet) -> impl Iterator<Item = &WideQuantity> {
        self.wide.iter().filter(|wide| rows.contains(wide.document))
    }
}

/// Some documents of one year, in increasing order.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The place of the year among those of the kind.
    pub(super) year: u32,
    pub(super) documents: Vec<u32>,
    /// The unit of each; kilograms for emissions.
    pub(super) units: Vec<Unit>,
    /// What each adds to its sum.
    pub(super) amounts: Vec<u128>,
}

impl Batch {
    fn clear(&mut self) {
        self.documents.clear();
        self.units.clear();
        self.amounts.clear();
    }
}

/// Some documents of one year, those in `g TEQ` apart.
#[derive(Debug)]
pub(super) struct Batches {
    pub(super) plain: Batch,
    pub(super) teq: Batch,
}

/// Documents tallied by one part after the other, while their amounts are in the cache.
const BATCH: usize = 1024;

impl Batches {
    fn of_year(year: u32) -> Self {
        let empty = || Batch { year, ..Batch::default() };
        Self { plain: empty(), teq: empty() }
    }

    pub(super) fn len(&self) -> usize {
        self.plain.documents.len() + self.teq.documents.len()
    }

    /// Replaces the documents with the next ones.
    fn fill(&mut self, words: &[u64], members: &mut Members<'_>) {
        self.plain.clear();
        self.teq.clear();
        for document in members.by_ref().take(BATCH) {
            let quantity = Quantity::from_word(words[document as usize]);
            let unit = quantity.unit();
            let batch = if unit == Unit::GramsTeq { &mut self.teq } else { &mut self.plain };
            batch.documents.push(document);
            batch.units.push(unit);
            batch.amounts.push(u128::from(quantity.digits()) * FACTORS[quantity.form()]);
        }
    }
}

/// What a digit of each form of quantity is worth, in 10^-[`TallySum::PLACES`] of the unit of its
/// sum; 0 if that is not a whole number.
const FACTORS: [u128; Quantity::FORMS] = factors();

const fn factors() -> [u128; Quantity::FORMS] {
    let mut factors = [0; Quantity::FORMS];
    let mut form = 0;
    while form < factors.len() {
        let quantity = Quantity::from_word(form as u64);
        let places = quantity.places() as i32 + places_to_sum(Some(quantity.unit()));
        if places <= TallySum::PLACES as i32 {
            factors[form] = 10_u128.pow((TallySum::PLACES as i32 - places) as u32);
        }
        form += 1;
    }
    factors
}

/// A quantity as an integer in 10^-[`TallySum::PLACES`] of the unit of its sum, if it is in the
/// range of a sum.
fn amount(quantity: Quantity) -> Option<u128> {
    let (digits, factor) = (u128::from(quantity.digits()), FACTORS[quantity.form()]);
    let amount = digits * factor;
    (amount < TallySum::AMOUNTS_END && (factor > 0 || digits == 0)).then_some(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILOGRAM: u128 = 10_u128.pow(TallySum::PLACES);

    #[test]
    fn amounts_in_the_range_of_a_sum_are_exact() {
        for (digits, places, unit, expected) in [
            (15, 1, Unit::Tonnes, Some(1_500 * KILOGRAM)),
            (150, 2, Unit::Kilograms, Some(1_500_000_000_000_000_000)),
            (1, 15, Unit::Grams, Some(1)),
            (1, 18, Unit::GramsTeq, Some(1)),
            (0, 28, Unit::Grams, Some(0)),
            (1, 16, Unit::Grams, None),
            (39_614_081, 0, Unit::Tonnes, Some(39_614_081_000 * KILOGRAM)),
            (39_614_082, 0, Unit::Tonnes, None),
            (999_999_999_999, 0, Unit::Tonnes, None),
        ] {
            let quantity = Quantity::new(digits, places, unit);
            assert_eq!(amount(quantity), expected, "{digits} {places} {unit:?}");
        }
    }
}
