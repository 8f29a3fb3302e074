//! The documents of spans of places.
//!
//! Within a year, the documents of a place mostly follow one another, so they are kept as runs.
//! Half of all documents are still a hundred thousand runs. Therefore the list of places is cut
//! into cells, and for the end of each there is the set of all documents up to it: the cells
//! between two ends are the difference of two sets. A cell of which a region has most begins as a
//! whole and loses the runs of the other places; any other cell begins empty and gets the runs of
//! the places in the region.
//!
//! Where a region has a good part of all documents and only the newest of them are wanted, a look
//! at the place of each document from the newest on finds them sooner.

use std::iter;
use std::ops::Range;

use outfall_request::SearchError;

use crate::index::{Numbers, numbered};
use crate::search::deadline::Deadline;
use crate::search::sets::{Bits, DocSet};

/// The number of cells that the list of places is cut into.
const CELLS: usize = 64;

/// The words of a set that are combined with another in the time that a run takes.
const WORDS_IN_A_RUN: usize = 8;

/// Once the places have one document in this many, these go into a bitset instead of being sorted.
const SORTED_SHARE: usize = 1024;

/// The most documents that are looked at one by one; a set of a million takes about as long.
const LOOKS: usize = 4096;

/// The documents of places along the curve.
#[derive(Debug)]
pub(super) struct PlaceDocuments {
    site_of: Numbers<u32>,
    /// The place of each site.
    place_of: Vec<Option<u32>>,
    /// Documents that follow one another and are of one place; place after place.
    runs: Vec<Range<u32>>,
    /// The number of runs before each place, and at the end of all.
    runs_before: Vec<u32>,
    /// The number of documents before each place, and at the end of all.
    documents_before: Vec<u32>,
    cells: Vec<Cell>,
}

/// Places with about as many runs as those of any other cell.
#[derive(Debug)]
struct Cell {
    places: Range<u32>,
    /// The documents of all places up to the end of this cell.
    up_to_end: Bits,
}

impl PlaceDocuments {
    /// The documents of `places` places. Each document has a site, and each site may have a place.
    pub(super) fn of(site_of: Numbers<u32>, place_of: Vec<Option<u32>>, places: usize) -> Self {
        let place = |site: u32| place_of[site as usize];
        let runs = || {
            let chunks = site_of.chunk_by(|site, next| place(*site) == place(*next));
            let runs = chunks.scan(0, |start, chunk| {
                let run = *start..*start + numbered(chunk.len());
                *start = run.end;
                Some((place(chunk[0]), run))
            });
            runs.filter_map(|(place, run)| Some((place? as usize, run)))
        };
        let (mut runs_before, mut documents_before) = (vec![0; places + 1], vec![0; places + 1]);
        for (place, run) in runs() {
            runs_before[place + 1] += 1;
            documents_before[place + 1] += numbered(run.len());
        }
        for place in 0..places {
            runs_before[place + 1] += runs_before[place];
            documents_before[place + 1] += documents_before[place];
        }
        let mut next = runs_before.clone();
        let mut sorted = vec![0..0; runs_before[places] as usize];
        for (place, run) in runs() {
            sorted[next[place] as usize] = run;
            next[place] += 1;
        }
        let (runs, cells) = (sorted, Vec::new());
        let mut documents = Self { site_of, place_of, runs, runs_before, documents_before, cells };
        documents.cut();
        documents
    }

    /// Cuts the list of places into cells.
    fn cut(&mut self) {
        let mut up_to_end = Bits::none(self.len());
        let mut start = 0;
        for cell in 1..=CELLS {
            let runs = numbered(self.runs.len() * cell / CELLS);
            let end = numbered(self.runs_before.partition_point(|before| *before < runs));
            let places = start..end.max(start);
            start = places.end;
            up_to_end.toggle(self.runs_of(&places));
            let count = self.count_of(&places) + self.cells.last().map_or(0, Cell::count);
            let up_to_end = up_to_end.clone().with_count(count);
            self.cells.push(Cell { places, up_to_end });
        }
    }

    /// The first documents of some spans of places, as many as wanted; `None` if a set of all of
    /// them is the better way.
    pub(super) fn first_of_spans(&self, spans: &[Range<u32>], wanted: usize) -> Option<Vec<u32>> {
        // Half of the looks should be enough, if the documents were spread evenly.
        if self.count_of_spans(spans) * LOOKS / 2 < self.len().saturating_mul(wanted) {
            return None;
        }
        let is_in = |site: u32| {
            self.place_of[site as usize].is_some_and(|place| {
                let span = spans.partition_point(|span| span.end <= place);
                spans.get(span).is_some_and(|span| span.start <= place)
            })
        };
        let mut documents = Vec::new();
        let mut last = None;
        for (document, site) in (0..).zip(self.site_of.iter().copied()).take(LOOKS) {
            if documents.len() == wanted {
                break;
            }
            // The documents of a site mostly follow one another.
            let is_found = match last {
                Some((same, is_found)) if same == site => is_found,
                _ => is_in(site),
            };
            last = Some((site, is_found));
            if is_found {
                documents.push(document);
            }
        }
        (documents.len() == wanted).then_some(documents)
    }

    /// The number of documents of some spans of places.
    pub(super) fn count_of_spans(&self, spans: &[Range<u32>]) -> usize {
        spans.iter().map(|span| self.count_of(span)).sum()
    }

    /// The documents of some spans of places.
    pub(super) fn of_spans(
        &self,
        spans: &[Range<u32>],
        deadline: &Deadline,
    ) -> Result<DocSet, SearchError> {
        let (count, len) = (self.count_of_spans(spans), self.len());
        if count == len {
            return Ok(DocSet::Range(0..numbered(len)));
        }
        if count <= len / SORTED_SHARE {
            let runs = spans.iter().flat_map(|span| self.runs_of(span).iter().cloned());
            let mut runs: Vec<Range<u32>> = runs.collect();
            runs.sort_unstable_by_key(|run| run.start);
            return Ok(DocSet::List(runs.into_iter().flatten().collect()));
        }
        let is_whole = self.whole_at_first(spans);
        let next = is_whole.iter().copied().skip(1).chain([false]);
        let ends = self.cells.iter().zip(is_whole.iter().zip(next));
        let ends = ends.filter(|(_, (is_whole, is_next))| *is_whole != is_next);
        let sets: Vec<&Bits> = ends.map(|(cell, _)| &cell.up_to_end).collect();
        deadline.spend(sets.len() * self.words() / 16)?;
        let mut documents = Bits::in_odd_number(&sets, len);
        for (cell, is_whole) in self.cells.iter().zip(is_whole) {
            let held = clipped(spans, &cell.places);
            let places: Vec<Range<u32>> = match is_whole {
                true => gaps(held, &cell.places).collect(),
                false => held.collect(),
            };
            for places in places {
                let runs = self.runs_of(&places);
                deadline.spend(runs.len())?;
                documents.toggle(runs);
            }
        }
        Ok(DocSet::Bits(documents.with_count(count)))
    }

    /// Which cells begin as a whole: the choice that takes the least time.
    fn whole_at_first(&self, spans: &[Range<u32>]) -> Vec<bool> {
        let set = self.words() / WORDS_IN_A_RUN;
        // What all cells so far take, if the last of them begins empty and if it begins whole.
        let mut least = [0, 0];
        let mut steps = Vec::with_capacity(self.cells.len());
        for cell in &self.cells {
            let held: usize =
                clipped(spans, &cell.places).map(|span| self.runs_of(&span).len()).sum();
            let own = [held, self.runs_of(&cell.places).len() - held];
            let changes = [least[1] + set < least[0], least[0] + set < least[1]];
            least = [least[0].min(least[1] + set) + own[0], least[1].min(least[0] + set) + own[1]];
            steps.push(changes);
        }
        let mut is_whole = least[1] + set < least[0];
        let choose = |changes: &[bool; 2]| {
            let chosen = is_whole;
            is_whole ^= changes[usize::from(chosen)];
            chosen
        };
        let mut chosen: Vec<bool> = steps.iter().rev().map(choose).collect();
        chosen.reverse();
        chosen
    }

    fn runs_of(&self, places: &Range<u32>) -> &[Range<u32>] {
        &self.runs[between(&self.runs_before, places)]
    }

    fn count_of(&self, places: &Range<u32>) -> usize {
        between(&self.documents_before, places).len()
    }

    /// The number of documents, with those of no place.
    fn len(&self) -> usize {
        self.site_of.len()
    }

    /// The number of words of a set.
    fn words(&self) -> usize {
        self.len().div_ceil(64)
    }
}

impl Cell {
    fn count(&self) -> usize {
        self.up_to_end.count()
    }
}

fn between(before: &[u32], places: &Range<u32>) -> Range<usize> {
    before[places.start as usize] as usize..before[places.end as usize] as usize
}

/// The parts of `spans` within `places`.
fn clipped<'a>(
    spans: &'a [Range<u32>],
    places: &Range<u32>,
) -> impl Iterator<Item = Range<u32>> + use<'a> {
    let Range { start, end } = *places;
    let first = spans.partition_point(|span| span.end <= start);
    let spans = spans[first..].iter().take_while(move |span| span.start < end);
    spans.map(move |span| span.start.max(start)..span.end.min(end))
}

/// What is between `spans` within `places`.
fn gaps(
    spans: impl Iterator<Item = Range<u32>>,
    places: &Range<u32>,
) -> impl Iterator<Item = Range<u32>> {
    let mut start = places.start;
    spans.chain(iter::once(places.end..places.end)).map(move |span| {
        let gap = start..span.start;
        start = span.end;
        gap
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    /// The places of documents, in runs of up to a hundred; a hundredth of them have none.
    fn places() -> impl Strategy<Value = (usize, Vec<Option<u32>>)> {
        (1_u32..120).prop_flat_map(|places| {
            let place = proptest::option::weighted(0.99, 0..places);
            let length = prop_oneof![4 => 1_usize..8, 1 => 1_usize..100];
            let runs = proptest::collection::vec((place, length), 0..400);
            let documents = runs.prop_map(|runs| {
                runs.into_iter().flat_map(|(place, length)| iter::repeat_n(place, length)).collect()
            });
            (Just(places as usize), documents)
        })
    }

    /// Spans that do not touch, of about the length given.
    fn spans(len: usize) -> impl Strategy<Value = Vec<Range<u32>>> {
        proptest::collection::vec((1..=len, 1..=len), 0..12).prop_map(move |steps| {
            let mut end = 0;
            let ends = steps.into_iter().map(|(gap, length)| {
                let start = end + gap - 1;
                end = start + length + 1;
                start as u32..(start + length) as u32
            });
            ends.collect()
        })
    }

    proptest! {
        #[test]
        fn spans_have_the_documents_of_their_places(
            (places, place_of) in places(),
            spans in prop_oneof![spans(3), spans(20), spans(120)],
        ) {
            // The site of a document is its place, or the one site without a place.
            let sites: Vec<Option<u32>> = (0..places as u32).map(Some).chain([None]).collect();
            let site_of: Vec<u32> =
                place_of.iter().map(|place| place.unwrap_or(places as u32)).collect();
            let within = spans.into_iter().map(|span| span.start..span.end.min(places as u32));
            let spans: Vec<Range<u32>> = within.filter(|span| !span.is_empty()).collect();
            let all = 0..site_of.len() as u32;
            let documents = PlaceDocuments::of(Numbers::copied(&site_of), sites, places);
            let found = documents.of_spans(&spans, &Deadline::new(None)).unwrap();
            let is_in = |document: &u32| {
                let place = place_of[*document as usize];
                place.is_some_and(|place| spans.iter().any(|span| span.contains(&place)))
            };
            let expected: BTreeSet<u32> = all.clone().filter(is_in).collect();
            prop_assert_eq!(found.count(), expected.len());
            prop_assert_eq!(documents.count_of_spans(&spans), expected.len());
            prop_assert!(found.iter_in(all).eq(expected.iter().copied()));
            for wanted in [0, 1, 26] {
                let first: Vec<u32> = expected.iter().copied().take(wanted).collect();
                if let Some(found) = documents.first_of_spans(&spans, wanted) {
                    prop_assert_eq!(found, first);
                }
            }
        }
    }

    #[test]
    fn whole_cells_cost_a_set_at_each_end() {
        let places: Vec<Option<u32>> = (0..6400).map(Some).collect();
        let site_of: Vec<u32> = (0..64_000).map(|document| document / 10).collect();
        let documents = PlaceDocuments::of(Numbers::copied(&site_of), places, 6400);
        // A cell is 100 places, and a set takes the time of 125 runs.
        for (spans, expected) in [
            (&[][..], 0..0),
            (&[(0, 6400)], 0..CELLS),
            (&[(200, 600)], 2..6),
            (&[(210, 590)], 2..6),
            (&[(270, 630)], 3..6),
            (&[(200, 400)], 0..0),
            // Nothing comes before the first cell.
            (&[(0, 200)], 0..2),
            // Two sets take longer than the runs of a cell that others surround.
            (&[(0, 1000), (1100, 1400)], 0..14),
            (&[(0, 1000), (1100, 6400)], 0..CELLS),
        ] {
            let spans: Vec<Range<u32>> = spans.iter().map(|(start, end)| *start..*end).collect();
            let cells = documents.whole_at_first(&spans).into_iter().enumerate();
            let whole = cells.filter(|(_, is_whole)| *is_whole).map(|(cell, _)| cell);
            assert!(whole.eq(expected), "{spans:?}");
        }
    }
}
