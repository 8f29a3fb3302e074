//! Tallies documents by the numbers of their parts, on every processor if there are many.

use std::ops::Range;

use outfall_request::SearchError;

use super::batch::{Batch, Batches};
use super::flows::Flows;
use super::parts::Part;
use super::tallies::{Tallies, TallySum};
use crate::index::{Kind, numbered};
use crate::search::deadline::Deadline;
use crate::search::sets::{DocSet, overlap};

/// The fewest documents that are worth a share of their own: about a millisecond of work.
const LEAST_SHARE: usize = 1 << 16;

/// What it takes to tally documents of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tallying<'a> {
    pub(super) kind: &'a Kind,
    pub(super) flows: &'a Flows,
}

impl<'a> Tallying<'a> {
    /// Tallies `rows` by each of `parts`, all of which the kind has; many of them on all
    /// processors.
    pub(super) fn tally(
        self,
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
        self.tally_shares(parts, rows, (0..numbered(self.kind.len()), count, shares), deadline)
    }

    /// Tallies those of `rows` in a range of documents, of which there are `count`, in some shares.
    fn tally_shares(
        self,
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
            return self.tally_share(parts, rows, (documents, count), deadline);
        };
        let tally = |share| {
            let deadline = deadline.again();
            move || self.tally_shares(parts, rows, share, &deadline)
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
        self,
        parts: &[Part],
        rows: &DocSet,
        (documents, count): (Range<u32>, usize),
        deadline: &Deadline,
    ) -> Result<Vec<(Part, Tallies)>, SearchError> {
        let empty = |part: &Part| (*part, Tallies::new(self.numbers(*part), count));
        let mut tallies: Vec<(Part, Tallies)> = parts.iter().map(empty).collect();
        let mut batches = Batches::default();
        for (year, block) in self.kind.years.iter().enumerate() {
            let documents = overlap(&block.documents, &documents);
            self.batches(rows, documents, &mut batches, |batch, is_teq| {
                for (part, tallies) in &mut tallies {
                    deadline.spend(batch.len())?;
                    let (documents, amounts) = (batch.documents(), batch.amounts());
                    let Some(numbers) = self.numbers_of(*part) else {
                        tallies.at(numbered(year), is_teq).add(TallySum::of(amounts));
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
        self,
        rows: &DocSet,
        documents: Range<u32>,
        batches: &mut Batches,
        mut take: impl FnMut(&Batch, bool) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        let mut members = rows.iter_in(documents);
        while batches.fill(&self.kind.amounts, &mut members) {
            for (batch, is_teq) in [(&batches.plain, false), (&batches.teq, true)] {
                if batch.len() > 0 {
                    take(batch, is_teq)?;
                }
            }
        }
        Ok(())
    }

    /// How many numbers a part has.
    fn numbers(self, part: Part) -> usize {
        match part {
            Part::Site => self.kind.site_ids.len(),
            Part::Year => self.kind.years.len(),
            Part::Flow => self.flows.len(),
        }
    }

    /// The number of each document of a part; `None` for years, which are ranges of documents.
    pub(super) fn numbers_of(self, part: Part) -> Option<&'a [u32]> {
        match part {
            Part::Site => Some(&self.kind.site_of),
            Part::Year => None,
            Part::Flow => Some(&self.flows.of_documents),
        }
    }

    /// The number that a document has of a part.
    pub(super) fn number_of(self, part: Part, document: u32) -> u32 {
        match self.numbers_of(part) {
            Some(numbers) => numbers[document as usize],
            None => {
                numbered(self.kind.years.partition_point(|block| block.documents.end <= document))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use outfall_records::RecordKind;

    use super::*;
    use crate::index::{Generation, Staging};
    use crate::search::sets::Bits;

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
        let flows = Flows::of(kind);
        let (tallying, len) = (Tallying { kind, flows: &flows }, kind.len() as u32);
        let bits = DocSet::Bits(Bits::of((0..len).filter(|document| document % 7 < 4), kind.len()));
        let list = DocSet::List((0..len).step_by(500).collect());
        for rows in [DocSet::Range(0..len), DocSet::Range(3..40), bits, list, DocSet::NONE] {
            let tally = |shares| {
                let (documents, no_deadline) = (0..len, Deadline::new(None));
                let share = (documents, rows.count(), shares);
                let parts = Part::of_kind(RecordKind::Release);
                let tallied = tallying.tally_shares(parts, &rows, share, &no_deadline);
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
