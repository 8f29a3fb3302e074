//! Makes records of rows, in runs of consecutive records that are made in parallel.
//!
//! A run numbers its sites and substances by itself, in the order of their first record. Runs are
//! joined in order, so that the numbers of the whole do not depend on where they were cut.

use std::sync::Arc;

use outfall_records::{
    Decimal, FixedPoint, NO_METHOD, NpriId, PartEntry, ReleaseEntry, SubstanceId, Unit,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rustc_hash::FxHashMap;

use super::emissions::FoldedEmissions;
use super::exact::{add_exactly, convert_exactly};
use super::latest::{Latest, Titles};
use super::shown_site::ShownSites;
use super::substances::ResolvedSubstances;
use crate::read::{Inputs, LocationLine, Pool, ReleaseLine, ReleaseSite, numbered};
use crate::reject::Reason;

/// A substance as a record shows it.
pub(super) type ShownSubstance = (SubstanceId, Option<String>, Option<String>);

/// The canonical order of a line's record, and the place of the line among all.
pub(super) type Keyed = (u64, u32);

/// Everything known before the first record is made.
pub(super) struct FoldContext<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) substances: ResolvedSubstances,
    pub(super) names: Latest<NpriId>,
    pub(super) titles: Titles,
    pub(super) emissions: &'a FoldedEmissions,
    pub(super) locations: FxHashMap<NpriId, &'a LocationLine>,
}

/// Records in canonical order; what they share is numbered.
pub(super) struct Run<'a> {
    pub(super) sites: ShownSites<'a>,
    pub(super) substances: Pool<ShownSubstance>,
    pub(super) records: Vec<ReleaseEntry>,
    pub(super) parts: Vec<PartEntry>,
    /// The rows that cannot be part of their record, with their file.
    pub(super) refused: Vec<(usize, &'a ReleaseLine, Reason)>,
    /// The file of each row whose record a later file replaces.
    pub(super) superseded: Vec<usize>,
    /// Rows that a later row of their file repeats in every column, with that row and their file.
    pub(super) repeated: Vec<(usize, &'a ReleaseLine, &'a ReleaseLine)>,
}

/// The runs of each thread: enough that none waits long for another, and few, because most sites
/// are in every run.
const RUNS_PER_THREAD: usize = 2;

/// Folds sorted lines into records.
pub(super) fn fold_all<'a>(known: &FoldContext<'a>, keyed: &[Keyed]) -> Run<'a> {
    let runs = cut(keyed, rayon::current_num_threads() * RUNS_PER_THREAD);
    let runs: Vec<Run<'a>> = runs.into_par_iter().map(|run| fold_run(known, run)).collect();
    let (records, parts) = runs.iter().fold((0, 0), |(records, parts), run| {
        (records + run.records.len(), parts + run.parts.len())
    });
    let mut runs = runs.into_iter();
    // The numbers of the first run are those of the whole, so the other runs are added to it.
    let mut whole = runs.next().unwrap_or_else(|| Run::new(known.inputs));
    whole.records.reserve_exact(records - whole.records.len());
    whole.parts.reserve_exact(parts - whole.parts.len());
    runs.for_each(|run| whole.append(run));
    whole
}

/// Cuts sorted lines between records, into `count` runs or fewer.
fn cut(mut keyed: &[Keyed], count: usize) -> Vec<&[Keyed]> {
    let target = keyed.len().div_ceil(count);
    let mut runs = Vec::with_capacity(count);
    while let Some((key, _)) = keyed.get(target.min(keyed.len()).saturating_sub(1)) {
        let (run, rest) = keyed.split_at(keyed.partition_point(|(other, _)| other <= key));
        runs.push(run);
        keyed = rest;
    }
    runs
}

fn fold_run<'a>(known: &FoldContext<'a>, keyed: &[Keyed]) -> Run<'a> {
    let lines = &known.inputs.releases;
    let mut folding = Folding {
        known,
        shown_sites: vec![None; lines.sites.values().len()],
        shown_substances: vec![None; lines.substances.values().len()],
        run: Run::new(known.inputs),
    };
    let mut rows = Vec::new();
    for group in keyed.chunk_by(|(a, _), (b, _)| a == b) {
        let newest = known.inputs.file_of(group.last().map_or(0, |(_, line)| *line));
        rows.clear();
        for (_, line) in group {
            match known.inputs.file_of(*line) {
                file if file == newest => rows.push(&lines.lines[*line as usize]),
                file => folding.run.superseded.push(file),
            }
        }
        folding.record(&mut rows, newest);
    }
    folding.run
}

/// A run being made.
struct Folding<'k, 'a> {
    known: &'k FoldContext<'a>,
    /// For each site that rows show, the number of the site that records show for it.
    shown_sites: Vec<Option<u32>>,
    /// The same for substances.
    shown_substances: Vec<Option<u32>>,
    run: Run<'a>,
}

impl<'a> Folding<'_, 'a> {
    /// Makes one record from `rows`, except for those that cannot be part of it.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "numbers beyond the type are refused once all records are known"
    )]
    fn record(&mut self, rows: &mut Vec<&'a ReleaseLine>, file: usize) {
        let masses = rows.iter().map(|row| row.unit).filter(|unit| unit.is_mass());
        let unit = masses.max().unwrap_or(Unit::GramsTeq);
        let first_part = numbered(self.run.parts.len());
        let mut quantity = Decimal::ZERO;
        let Run { parts, refused, .. } = &mut self.run;
        rows.retain(|row| match add_part(quantity, row, unit) {
            Ok((part, sum)) => {
                quantity = sum;
                parts.push(PartEntry {
                    category: row.category as u16,
                    method: row.method.checked_sub(1).map_or(NO_METHOD, |method| method as u16),
                    quantity: part,
                });
                true
            }
            Err(reason) => {
                refused.push((file, *row, reason));
                false
            }
        });
        self.note_repeated(rows, file);
        let Some(last) = rows.last() else { return };
        let record = ReleaseEntry {
            site: self.site(rows),
            substance: self.substance(rows) as u16,
            year: last.year,
            medium: last.medium,
            unit,
            quantity: quantity.normalize(),
            first_part,
        };
        self.run.records.push(record);
    }

    /// Notes rows of a record that are the same in every column. They may be right, so all of them
    /// count.
    fn note_repeated(&mut self, rows: &[&'a ReleaseLine], file: usize) {
        if rows.len() < 2 {
            return;
        }
        let columns = |row: &&'a ReleaseLine| {
            (row.category, row.method, row.unit, row.quantity, row.site, row.substance)
        };
        let mut sorted = rows.to_vec();
        // Stable, so that a row comes before those that repeat it.
        sorted.sort_by_key(columns);
        let pairs = sorted.windows(2).filter(|pair| columns(&pair[0]) == columns(&pair[1]));
        self.run.repeated.extend(pairs.map(|pair| (file, pair[0], pair[1])));
    }

    /// The number of the site that the record of `rows` shows: for each of its values, the last row
    /// that has one decides.
    fn site(&mut self, rows: &[&ReleaseLine]) -> u32 {
        let number = rows.last().map_or(0, |row| row.site);
        let is_one = rows.iter().all(|row| row.site == number);
        if let (true, Some(shown)) = (is_one, self.shown_sites[number as usize]) {
            return shown;
        }
        let read = self.known.inputs.releases.sites.get(number);
        let has_blanks =
            read.facility.is_none() || read.naics_en.is_none() || read.naics_fr.is_none();
        let shown = if has_blanks || !is_one {
            let mut filled = read.clone();
            self.known.fill(&mut filled, rows);
            self.run.sites.number_filled(Arc::new(filled))
        } else {
            self.run.sites.number_read(number)
        };
        if is_one {
            self.shown_sites[number as usize] = Some(shown);
        }
        shown
    }

    /// The number of the substance that the record of `rows` shows, decided in the same way.
    fn substance(&mut self, rows: &[&ReleaseLine]) -> u32 {
        let number = rows.last().map_or(0, |row| row.substance);
        let is_one = rows.iter().all(|row| row.substance == number);
        if let (true, Some(shown)) = (is_one, self.shown_substances[number as usize]) {
            return shown;
        }
        let variants = &self.known.inputs.releases.substances;
        let (mut name_en, mut name_fr) = (None, None);
        for row in rows.iter().rev() {
            let variant = variants.get(row.substance);
            name_en = name_en.or_else(|| variant.name_en.clone());
            name_fr = name_fr.or_else(|| variant.name_fr.clone());
        }
        // Lines of an unknown substance were rejected before.
        let id = self.known.substances.ids[number as usize].clone();
        let shown = id.map_or(0, |id| self.run.substances.number((id, name_en, name_fr)));
        if is_one {
            self.shown_substances[number as usize] = Some(shown);
        }
        shown
    }
}

/// The quantity of `row` in `unit`, and its sum with what came `before` it.
fn add_part(before: Decimal, row: &ReleaseLine, unit: Unit) -> Result<(Decimal, Decimal), Reason> {
    if row.unit.is_mass() != unit.is_mass() {
        return Err(Reason::MixedTeq);
    }
    let part = convert_exactly(row.quantity, row.unit, unit).ok_or(Reason::InvalidNumber)?;
    let sum = add_exactly(before, part).ok_or(Reason::InvalidNumber)?;
    FixedPoint::QUANTITY.unscaled(sum).ok_or(Reason::InvalidNumber)?;
    Ok((part, sum))
}

impl FoldContext<'_> {
    /// Fills what the last of `rows` leaves blank from the earlier ones, and then from what is
    /// known over all years.
    fn fill(&self, shown: &mut ReleaseSite, rows: &[&ReleaseLine]) {
        for row in rows.iter().rev().skip(1) {
            let earlier = self.inputs.releases.sites.get(row.site);
            shown.company = shown.company.take().or_else(|| earlier.company.clone());
            shown.facility = shown.facility.take().or_else(|| earlier.facility.clone());
            shown.province = shown.province.or(earlier.province);
            shown.naics = shown.naics.or(earlier.naics);
            // A title belongs to its code.
            if shown.naics == earlier.naics {
                shown.naics_en = shown.naics_en.take().or_else(|| earlier.naics_en.clone());
                shown.naics_fr = shown.naics_fr.take().or_else(|| earlier.naics_fr.clone());
            }
        }
        if shown.facility.is_none() {
            shown.facility = self.names.get(&shown.npri_id).cloned();
        }
        let (english, french) = (&mut shown.naics_en, &mut shown.naics_fr);
        self.titles.fill(&self.emissions.titles, shown.naics, english, french);
    }
}

impl<'a> Run<'a> {
    fn new(inputs: &'a Inputs) -> Self {
        Self {
            sites: ShownSites::new(&inputs.releases.sites),
            substances: Pool::default(),
            records: Vec::new(),
            parts: Vec::new(),
            refused: Vec::new(),
            superseded: Vec::new(),
            repeated: Vec::new(),
        }
    }

    /// Adds the next run, its numbers replaced by those of the whole.
    #[expect(clippy::cast_possible_truncation, reason = "as for a single record")]
    fn append(&mut self, other: Self) {
        let sites = self.sites.absorb(other.sites);
        let substances = self.substances.absorb(other.substances);
        let first_part = numbered(self.parts.len());
        self.records.extend(other.records.into_iter().map(|row| ReleaseEntry {
            site: sites[row.site as usize],
            substance: substances[usize::from(row.substance)] as u16,
            first_part: row.first_part + first_part,
            ..row
        }));
        self.parts.extend(other.parts);
        self.refused.extend(other.refused);
        self.superseded.extend(other.superseded);
        self.repeated.extend(other.repeated);
    }
}
