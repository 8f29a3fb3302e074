//! The amount that each document adds to a sum, and the parts that it is tallied by.

use outfall_records::{Decimal, Medium, RecordKind, Unit};
use outfall_request::{Facet, SearchError, places_to_sum};

use super::tallies::{Tallies, TallySum};
use crate::index::{Kind, Numbers, Quantities, Quantity, WideQuantity};
use crate::search::deadline::Deadline;
use crate::search::sets::DocSet;

/// A numbered dimension of which every document of a kind has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Site,
    Year,
    Substance,
    Medium,
    Unit,
}

impl Part {
    pub(super) const fn of_kind(record_kind: RecordKind) -> &'static [Self] {
        match record_kind {
            RecordKind::Release => {
                &[Self::Site, Self::Year, Self::Substance, Self::Medium, Self::Unit]
            }
            RecordKind::Emission => &[Self::Site, Self::Year],
        }
    }

    /// How many numbers the part has.
    fn len(self, kind: &Kind) -> usize {
        match self {
            Self::Site => kind.site_ids.len(),
            Self::Year => kind.years.len(),
            Self::Substance => kind.substance_ids.len(),
            Self::Medium => Medium::ALL.len(),
            Self::Unit => Unit::ALL.len(),
        }
    }

    /// The part that determines the value of a facet.
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

    fn unit(&self, document: usize) -> Unit {
        Quantity::from_word(self.words[document]).unit()
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
        let add = |documents: &[u32]| {
            for (part, tallies) in &mut tallies {
                deadline.spend(documents.len())?;
                self.add(kind, *part, documents, tallies);
            }
            Ok(())
        };
        match rows {
            DocSet::Range(range) => in_batches(range.clone(), add)?,
            DocSet::List(list) => list.chunks(BATCH).try_for_each(add)?,
            DocSet::Bits(bits) => in_batches(bits.iter_in(0..kind.len() as u32), add)?,
        }
        Ok(tallies)
    }

    /// Adds some documents, in increasing order, to the tallies by one part.
    fn add(&self, kind: &Kind, part: Part, documents: &[u32], tallies: &mut Tallies) {
        match part {
            Part::Site => {
                let site_of = &*kind.site_of;
                self.add_by(|document| site_of[document] as usize, documents, tallies);
            }
            Part::Year => {
                let first = documents.first().map_or(0, |first| year_place(kind, *first));
                let mut years = kind.years.iter().enumerate().skip(first).peekable();
                let place = |document: usize| {
                    while years
                        .next_if(|(_, year)| year.documents.end as usize <= document)
                        .is_some()
                    {}
                    years.peek().map_or(0, |(place, _)| *place)
                };
                self.add_by(place, documents, tallies);
            }
            Part::Substance => {
                let substance_of = &*kind.substance_of;
                self.add_by(|document| usize::from(substance_of[document]), documents, tallies);
            }
            Part::Medium => {
                let medium_of = &*kind.medium_of;
                self.add_by(|document| usize::from(medium_of[document]), documents, tallies);
            }
            Part::Unit => self.add_by(|document| self.unit(document) as usize, documents, tallies),
        }
    }

    fn add_by(
        &self,
        mut number: impl FnMut(usize) -> usize,
        documents: &[u32],
        tallies: &mut Tallies,
    ) {
        let words = &*self.words;
        // Neighbours in canonical order are mostly of one site, so they are added together.
        let mut run = (0, TallySum::default());
        for document in documents {
            let document = *document as usize;
            let (number, quantity) = (number(document), Quantity::from_word(words[document]));
            let amount = i128::from(quantity.digits()) * FACTORS[quantity.form()];
            if quantity.unit() == Unit::GramsTeq {
                tallies.add_teq(number, amount);
                continue;
            }
            if number != run.0 {
                tallies.add_plain(run.0, run.1);
                run = (number, TallySum::default());
            }
            run.1.add_amount(amount);
        }
        tallies.add_plain(run.0, run.1);
    }

    /// The number of a document's part.
    pub(super) fn number(&self, kind: &Kind, part: Part, document: u32) -> usize {
        let place = document as usize;
        match part {
            Part::Site => kind.site_of[place] as usize,
            Part::Year => year_place(kind, document),
            Part::Substance => usize::from(kind.substance_of[place]),
            Part::Medium => usize::from(kind.medium_of[place]),
            Part::Unit => self.unit(place) as usize,
        }
    }

    /// The wide quantities among `rows`.
    pub(super) fn wide_among(&self, rows: &DocSet) -> impl Iterator<Item = &WideQuantity> {
        self.wide.iter().filter(|wide| rows.contains(wide.document))
    }
}

/// The place of a document's year among those of the kind.
fn year_place(kind: &Kind, document: u32) -> usize {
    kind.years.partition_point(|block| block.documents.end <= document)
}

/// Documents tallied by one part after the other, while their amounts are in the cache.
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

/// What a digit of each form of quantity is worth, in 10^-[`TallySum::PLACES`] of the unit of its
/// sum; 0 if that is not a whole number.
const FACTORS: [i128; Quantity::FORMS] = factors();

const fn factors() -> [i128; Quantity::FORMS] {
    let mut factors = [0; Quantity::FORMS];
    let mut form = 0;
    while form < factors.len() {
        let quantity = Quantity::from_word(form as u64);
        let places = quantity.places() as i32 + places_to_sum(Some(quantity.unit()));
        if places <= TallySum::PLACES as i32 {
            factors[form] = 10_i128.pow((TallySum::PLACES as i32 - places) as u32);
        }
        form += 1;
    }
    factors
}

/// A quantity as an integer in 10^-[`TallySum::PLACES`] of the unit of its sum, if it is in the
/// range of a sum.
fn amount(quantity: Quantity) -> Option<i128> {
    let (digits, factor) = (i128::from(quantity.digits()), FACTORS[quantity.form()]);
    let amount = digits * factor;
    (amount < TallySum::AMOUNTS_END && (factor > 0 || digits == 0)).then_some(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILOGRAM: i128 = 10_i128.pow(TallySum::PLACES);

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
