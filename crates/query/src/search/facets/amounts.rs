//! The amount that each document adds to a sum, and the numbers whose sums those are.

use std::ops::Range;

use outfall_records::Decimal;
use outfall_request::{SearchError, places_to_sum};

use super::batch::{Batch, Batches};
use super::flows::Flows;
use super::parts::Part;
use super::tallies::{Tallies, TallySum};
use crate::index::{Kind, Numbers, Quantities, Quantity, WideQuantity};
use crate::search::deadline::Deadline;
use crate::search::sets::{DocSet, overlap};

/// The fewest documents that are worth a share of their own: about a millisecond of work.
const LEAST_SHARE: usize = 1 << 16;

/// The published numbers of all documents.
#[derive(Debug)]
pub(super) struct Amounts {
    /// A [`Quantity`] per document; without digits for the wide ones.
    words: Numbers<u64>,
    /// The very few whose amounts are outside the range of a sum, by document.
    wide: Vec<WideQuantity>,
    pub(super) flows: Flows,
}

impl Amounts {
    pub(super) fn of(kind: &Kind) -> Self {
        let Quantities { words, wide } = kind.quantities.clone();
        let mut amounts = Self { words, wide, flows: Flows::of(kind) };
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

    /// Tallies `rows` by each of `parts`, all of which the kind has; many of them on all
    /// processors.
    pub(super) fn tally(
        &self,
        kind: &Kind,
        parts: &[Part],
        rows: &DocSet,
        deadline: &Deadline,
    ) -> Result<Vec<(Part, Tallies)>, SearchError> {
        let count = rows.count();
        deadline.expect(count.saturating_mul(parts.len()))?;
        let shares = match count / LEAST_SHARE {
            0 | 1 => 1,
            shares => shares.min(rayon::current_num_threads()),
        };
        self.tally_shares(kind, parts, rows, (0..kind.len() as u32, count, shares), deadline)
    }

    /// Tallies those of `rows` in a range of documents, of which there are `count`, in some shares.
    fn tally_shares(
        &self,
        kind: &Kind,
        parts: &[Part],
        rows: &DocSet,
        (documents, count, shares): (Range<u32>, usize, usize),
        deadline: &Deadline,
    ) -> Result<Vec<(Part, Tallies)>, SearchError> {
        let first = count / shares * (shares / 2);
        let middle = match shares {
            1 => None,
            _ => rows.select_in(documents.clone(), first),
        };
        let Some(middle) = middle else {
            return self.tally_share(kind, parts, rows, (documents, count), deadline);
        };
        let tally = |share| {
            let deadline = deadline.again();
            move || self.tally_shares(kind, parts, rows, share, &deadline)
        };
        let (tallied, others) = rayon::join(
            tally((documents.start..middle, first, shares / 2)),
            tally((middle..documents.end, count - first, shares - shares / 2)),
        );
        let (mut tallied, others) = (tallied?, others?);
        for ((_, tallies), (_, other)) in tallied.iter_mut().zip(&others) {
            tallies.add(other);
        }
        Ok(tallied)
    }

    fn tally_share(
        &self,
        kind: &Kind,
        parts: &[Part],
        rows: &DocSet,
        (documents, count): (Range<u32>, usize),
        deadline: &Deadline,
    ) -> Result<Vec<(Part, Tallies)>, SearchError> {
        let empty = |part: &Part| (*part, Tallies::new(self.numbers(kind, *part), count));
        let mut tallies: Vec<(Part, Tallies)> = parts.iter().map(empty).collect();
        let mut batches = Batches::default();
        for (year, block) in kind.years.iter().enumerate() {
            let documents = overlap(&block.documents, &documents);
            self.batches(rows, documents, &mut batches, |batch, is_teq| {
                for (part, tallies) in &mut tallies {
                    deadline.spend(batch.len())?;
                    let (documents, amounts) = (batch.documents(), batch.amounts());
                    let Some(numbers) = self.numbers_of(kind, *part) else {
                        tallies.at(year as u32, is_teq).add(TallySum::of(amounts));
                        continue;
                    };
                    let numbers = documents.iter().map(|document| numbers[*document as usize]);
                    match part {
                        // The documents of a year are in the order of their sites.
                        Part::Site => tallies.add_runs(numbers, amounts, is_teq),
                        _ => tallies.add_amounts(numbers, amounts, is_teq),
                    }
                }
                Ok(())
            })?;
        }
        Ok(tallies)
    }

    /// Calls `take` with the members of `rows` in a range, and whether they are in `g TEQ`: some at
    /// a time, in order, and in the room of `batches`.
    pub(super) fn batches(
        &self,
        rows: &DocSet,
        documents: Range<u32>,
        batches: &mut Batches,
        mut take: impl FnMut(&Batch, bool) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        let mut members = rows.iter_in(documents);
        while batches.fill(&self.words, &mut members) {
            for (batch, is_teq) in [(&batches.plain, false), (&batches.teq, true)] {
                if batch.len() > 0 {
                    take(batch, is_teq)?;
                }
            }
        }
        Ok(())
    }

    /// How many numbers a part has.
    fn numbers(&self, kind: &Kind, part: Part) -> usize {
        match part {
            Part::Site => kind.site_ids.len(),
            Part::Year => kind.years.len(),
            Part::Flow => self.flows.len(),
        }
    }

    /// The number of each document of a part; `None` for years, which are ranges of documents.
    pub(super) fn numbers_of<'a>(&'a self, kind: &'a Kind, part: Part) -> Option<&'a [u32]> {
        match part {
            Part::Site => Some(&kind.site_of),
            Part::Year => None,
            Part::Flow => Some(&self.flows.of_documents),
        }
    }

    /// The number that a document has of a part.
    pub(super) fn number_of(&self, kind: &Kind, part: Part, document: u32) -> u32 {
        match self.numbers_of(kind, part) {
            Some(numbers) => numbers[document as usize],
            None => kind.years.partition_point(|block| block.documents.end <= document) as u32,
        }
    }

    /// The wide quantities among `rows`.
    pub(super) fn wide_among(&self, rows: &DocSet) -> impl Iterator<Item = &WideQuantity> {
        self.wide.iter().filter(|wide| rows.contains(wide.document))
    }
}

/// What a quantity adds to its sum; 0 for one that is outside the range of a sum.
pub(super) fn amount_of(quantity: Quantity) -> u128 {
    u128::from(quantity.digits()) * FACTORS[quantity.form()]
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
    let amount = amount_of(quantity);
    let is_whole = FACTORS[quantity.form()] > 0 || quantity.digits() == 0;
    (amount < TallySum::AMOUNTS_END && is_whole).then_some(amount)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use outfall_records::{RecordKind, Unit};

    use super::*;
    use crate::index::{Generation, Staging};
    use crate::search::sets::Bits;

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

    #[test]
    fn shares_of_the_documents_add_up_to_all_of_them() {
        let data = tempfile::tempdir().unwrap();
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let files = ["npri/NPRI-INRP_ReleasesRejets_1993-present.csv"];
        let files = files.map(|file| fixtures.join(file)).to_vec();
        let options = outfall_indexer::BuildOptions::of_files(files);
        let staging = Staging::begin(data.path()).unwrap();
        outfall_indexer::build(&options, staging, &outfall_indexer::Silent).unwrap();
        let generation = Generation::open(data.path()).unwrap();
        let kind = generation.kinds.of(RecordKind::Release);
        let (amounts, len) = (Amounts::of(kind), kind.len() as u32);
        let bits = DocSet::Bits(Bits::of((0..len).filter(|document| document % 7 < 4), kind.len()));
        let list = DocSet::List((0..len).step_by(500).collect());
        for rows in [DocSet::Range(0..len), DocSet::Range(3..40), bits, list, DocSet::NONE] {
            let tally = |shares| {
                let (documents, no_deadline) = (0..len, Deadline::new(None));
                let share = (documents, rows.count(), shares);
                let parts = Part::of_kind(RecordKind::Release);
                let tallied = amounts.tally_shares(kind, parts, &rows, share, &no_deadline);
                let tallied = tallied.unwrap().into_iter().map(|(part, tallies)| {
                    let mut sums = Vec::new();
                    tallies.for_each_sum(|number, is_teq, sum| sums.push((number, is_teq, sum)));
                    sums.sort_unstable_by_key(|(number, is_teq, _)| (*number, *is_teq));
                    (part, sums)
                });
                tallied.collect::<Vec<_>>()
            };
            let whole = tally(1);
            for (part, sums) in &whole {
                let counted: usize = sums.iter().map(|(.., sum)| sum.count() as usize).sum();
                assert_eq!(counted, rows.count(), "{part:?}");
            }
            for shares in [2, 3, 8] {
                assert_eq!(tally(shares), whole, "{shares} shares");
            }
        }
    }
}
