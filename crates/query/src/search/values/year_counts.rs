//! How many documents of each year are in each step of a value order.
//!
//! The documents of a year are adjacent in canonical order, so finding those of some years costs
//! nothing. Counting those within bounds by a pass over the prefixes of the order made the request
//! four times as slow with twelve million releases.

use std::ops::Range;

use crate::index::{YearBlock, numbered};
use crate::search::sets::Bits;

/// Counts of the documents of an order, or of one unit among them.
#[derive(Debug)]
pub(crate) struct YearCounts {
    /// The first document of each year in canonical order, then the number of all documents.
    starts: Vec<u32>,
    /// For each prefix of the order, how many of its documents come before each of `starts`.
    before: Vec<Vec<u32>>,
}

impl YearCounts {
    /// Counts the documents in the prefixes of an order, or only those in `only` if given.
    pub(crate) fn of(prefixes: &[Bits], only: Option<&Bits>, years: &[YearBlock]) -> Self {
        let first = years.iter().map(|year| year.documents.start);
        let starts: Vec<u32> = first.chain(years.last().map(|year| year.documents.end)).collect();
        let mut counts = vec![0; starts.len()];
        let mut before = vec![counts.clone()];
        for ends in prefixes.windows(2) {
            let mut in_step = 0;
            for (year, count) in years.iter().zip(counts.iter_mut().skip(1)) {
                let documents = year.documents.clone();
                in_step += numbered(ends[1].count_beyond(&ends[0], only.as_slice(), documents));
                *count += in_step;
            }
            before.push(counts.clone());
        }
        Self { starts, before }
    }

    /// How many documents of a range are in the steps between two prefixes; `None` if the range
    /// does not consist of whole years.
    pub(crate) fn between(&self, prefixes: Range<usize>, documents: &Range<u32>) -> Option<usize> {
        let start = self.starts.binary_search(&documents.start).ok()?;
        let end = self.starts.binary_search(&documents.end).ok()?;
        let in_prefix = |prefix: usize| {
            let before = &self.before[prefix];
            (before[end] - before[start]) as usize
        };
        Some(in_prefix(prefixes.end) - in_prefix(prefixes.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_a_look_at_each_document() {
        let years: Vec<YearBlock> = [(2020, 0..70), (2019, 70..71), (2015, 71..300)]
            .map(|(year, documents)| YearBlock { year, documents })
            .into();
        let len = 300;
        let is_in = |prefix: u32, document: u32| document * 7 % 11 < prefix * 3;
        let of_prefix =
            |prefix: u32| Bits::of((0..300).filter(|document| is_in(prefix, *document)), len);
        let prefixes: Vec<Bits> = (0..4).map(of_prefix).collect();
        let odd = Bits::of((1..300).step_by(2), len);
        for only in [None, Some(&odd)] {
            let counts = YearCounts::of(&prefixes, only, &years);
            for (documents, is_of_years) in
                [(0..70, true), (0..300, true), (70..300, true), (71..71, true), (1..70, false)]
            {
                for (first, last) in [(0, 0), (0, 3), (1, 2), (2, 3)] {
                    let expected = documents.clone().filter(|document| {
                        is_in(last, *document)
                            && !is_in(first, *document)
                            && only.is_none_or(|only| only.contains(*document))
                    });
                    let expected = is_of_years.then(|| expected.count());
                    let found = counts.between(first as usize..last as usize, &documents);
                    assert_eq!(found, expected, "{documents:?}");
                }
            }
        }
    }
}
