//! Rows of NPRI releases, folded to one record for each facility, year, substance and medium.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use outfall_layout::{NO_METHOD, PartRow, ReleaseRow, Rows, Tables};
use outfall_records::{
    Decimal, FacilityId, NpriId, ReportingYear, Site, Substance, SubstanceId, Unit,
};
use rayon::slice::ParallelSliceMut;

use super::emissions::FoldedEmissions;
use super::exact::{add_exactly, convert_exactly};
use super::latest::{Latest, Titles, When};
use super::substances::ResolvedSubstances;
use crate::BuildError;
use crate::read::{
    Inputs, LocationLine, Pool, ReleaseLine, ReleaseLines, ReleaseSite, SubstanceText,
};
use crate::reject::{Fault, Reason};
use crate::report::RejectLog;

/// A substance as a record shows it.
type ShownSubstance = (SubstanceId, Option<String>, Option<String>);

/// All that is known before the first record is made.
struct Fold<'a> {
    lines: &'a ReleaseLines,
    substances: ResolvedSubstances,
    names: Latest<NpriId>,
    titles: Titles,
    emissions: &'a FoldedEmissions,
    locations: HashMap<NpriId, &'a LocationLine>,
    /// What records show of each site that a row shows, by number.
    shown: Vec<Option<u32>>,
    sites: Pool<ReleaseSite>,
    shown_substances: Pool<ShownSubstance>,
    records: Vec<ReleaseRow>,
    parts: Vec<PartRow>,
}

/// The records of all rows, in canonical order, and the titles of industries that they know.
pub(crate) fn fold(
    inputs: &Inputs,
    emissions: &FoldedEmissions,
    log: &mut RejectLog,
) -> Result<(Tables, Titles), BuildError> {
    let lines = &inputs.releases;
    let mut used = vec![false; lines.substances.values().len()];
    for line in &lines.lines {
        used[line.substance as usize] = true;
    }
    let mut fold = Fold {
        lines,
        substances: ResolvedSubstances::of(lines.substances.values(), &used),
        names: Latest::default(),
        titles: Titles::default(),
        emissions,
        locations: latest_locations(&inputs.locations),
        shown: vec![None; lines.sites.values().len()],
        sites: Pool::default(),
        shown_substances: Pool::default(),
        records: Vec::new(),
        parts: Vec::with_capacity(lines.lines.len()),
    };
    fold.note_names();
    let keyed = fold.sorted(&inputs.release_files, log)?;
    for group in keyed.chunk_by(|(a, _), (b, _)| a == b) {
        let newest = inputs.file_of(group.last().map_or(0, |(_, line)| *line));
        let mut rows = Vec::with_capacity(group.len());
        for (_, line) in group {
            match inputs.file_of(*line) == newest {
                true => rows.push(*line as usize),
                false => log.supersede(inputs.file_of(*line)),
            }
        }
        for (rejected, reason) in fold.record(&rows) {
            let line = &lines.lines[rejected];
            let fault = match reason {
                Reason::MixedTeq => Fault::new("Units", line.unit.name(), reason),
                _ => Fault::new("Quantity", &line.quantity.to_string(), reason),
            };
            log.reject(newest, u64::from(line.line), fault)?;
        }
    }
    // What follows copies texts; the keys are no longer needed beside them.
    drop(keyed);
    fold.tables()
}

impl Inputs {
    /// The file of a line of releases.
    fn file_of(&self, line: u32) -> usize {
        let place = self.release_files.partition_point(|(_, end)| *end <= line as usize);
        self.release_files.get(place).map_or(0, |(file, _)| *file)
    }
}

fn latest_locations(lines: &[LocationLine]) -> HashMap<NpriId, &LocationLine> {
    let mut latest: HashMap<NpriId, &LocationLine> = HashMap::new();
    for line in lines {
        let known = latest.entry(line.npri_id).or_insert(line);
        if known.year <= line.year {
            *known = line;
        }
    }
    latest
}

impl Fold<'_> {
    /// Notes the names of facilities and the titles of industries, with when they were last used.
    fn note_names(&mut self) {
        let mut last: Vec<Option<When>> = vec![None; self.lines.sites.values().len()];
        for (place, line) in self.lines.lines.iter().enumerate() {
            let when = Some((line.year, place));
            let known = &mut last[line.site as usize];
            *known = (*known).max(when);
        }
        for (site, when) in self.lines.sites.values().iter().zip(last) {
            let Some(when) = when else { continue };
            if let Some(name) = &site.facility {
                self.names.note(site.npri_id, name, when);
            }
            self.titles.note(site.naics, site.naics_en.as_ref(), site.naics_fr.as_ref(), when);
        }
    }

    /// Every line whose substance is known, by the canonical order of its record and then by its
    /// place in the files.
    fn sorted(
        &self,
        files: &[(usize, usize)],
        log: &mut RejectLog,
    ) -> Result<Vec<(u64, u32)>, BuildError> {
        let sites = self.lines.sites.values();
        let facilities = ranks(sites.iter().map(|site| format!("{}:", site.npri_id)));
        let ids = self.substances.ids.iter();
        let substances =
            ranks(ids.map(|id| id.as_ref().map_or(String::new(), |id| format!("{id}:"))));
        let mut keyed = Vec::with_capacity(self.lines.lines.len());
        for (place, line) in self.lines.lines.iter().enumerate() {
            if self.substances.ids[line.substance as usize].is_none() {
                let text = match &self.lines.substances.get(line.substance).id {
                    SubstanceText::Date { text, .. } => text.as_str(),
                    SubstanceText::Id(id) => id.as_str(),
                };
                let file = files.iter().find(|(_, end)| place < *end).map_or(0, |(file, _)| *file);
                let fault = Fault::new("CAS_Number", text, Reason::InvalidSubstance);
                log.reject(file, u64::from(line.line), fault)?;
                continue;
            }
            let age = u64::from(ReportingYear::LAST - line.year.get());
            let facility = u64::from(facilities[line.site as usize]);
            let substance = u64::from(substances[line.substance as usize]);
            let key = age << 56 | facility << 24 | substance << 4 | line.medium as u64;
            keyed.push((key, place as u32));
        }
        keyed.par_sort_unstable();
        Ok(keyed)
    }

    /// Makes one record of the rows at `places`; gives back the rows that cannot be part of it.
    fn record(&mut self, places: &[usize]) -> Vec<(usize, Reason)> {
        let lines = &self.lines.lines;
        let masses = places.iter().map(|place| lines[*place].unit).filter(|unit| unit.is_mass());
        let unit = masses.max().unwrap_or(Unit::GramsTeq);
        let first_part = self.parts.len();
        let (mut rows, mut rejected) = (Vec::with_capacity(places.len()), Vec::new());
        let mut quantity = Decimal::ZERO;
        for place in places {
            let row = &lines[*place];
            if row.unit.is_mass() != unit.is_mass() {
                rejected.push((*place, Reason::MixedTeq));
                continue;
            }
            let part = convert_exactly(row.quantity, row.unit, unit);
            let Some((part, sum)) = part.and_then(|it| Some((it, add_exactly(quantity, it)?)))
            else {
                rejected.push((*place, Reason::InvalidNumber));
                continue;
            };
            quantity = sum;
            rows.push(row);
            // Numbers past the type are refused when all records are known.
            self.parts.push(PartRow {
                category: row.category as u16,
                method: row.method.checked_sub(1).map_or(NO_METHOD, |method| method as u16),
                quantity: part,
            });
        }
        if let Some(last) = rows.last() {
            let record = ReleaseRow {
                site: self.site(&rows),
                substance: self.substance(&rows) as u16,
                year: last.year,
                medium: last.medium,
                unit,
                quantity: quantity.normalize(),
                first_part: first_part as u32,
            };
            self.records.push(record);
        }
        rejected
    }

    /// The number of what the record of `rows` shows of its site: the last row that says something
    /// decides.
    fn site(&mut self, rows: &[&ReleaseLine]) -> u32 {
        let number = rows.last().map_or(0, |row| row.site);
        let is_one = rows.iter().all(|row| row.site == number);
        if let (true, Some(shown)) = (is_one, self.shown[number as usize]) {
            return shown;
        }
        let mut shown = Arc::clone(&self.lines.sites.values()[number as usize]);
        let has_blanks =
            shown.facility.is_none() || shown.naics_en.is_none() || shown.naics_fr.is_none();
        if has_blanks || !is_one {
            self.fill(Arc::make_mut(&mut shown), rows);
        }
        let shown = self.sites.number_shared(shown);
        if is_one {
            self.shown[number as usize] = Some(shown);
        }
        shown
    }

    /// Fills what the last of `rows` leaves blank from the earlier ones, and then from what is
    /// known over all years.
    fn fill(&self, shown: &mut ReleaseSite, rows: &[&ReleaseLine]) {
        for row in rows.iter().rev().skip(1) {
            let earlier = self.lines.sites.get(row.site);
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

    fn substance(&mut self, rows: &[&ReleaseLine]) -> u32 {
        let mut variants = rows.iter().rev().map(|row| row.substance);
        let last = variants.next().unwrap_or(0);
        let shown = self.lines.substances.get(last);
        let (mut name_en, mut name_fr) = (shown.name_en.clone(), shown.name_fr.clone());
        for earlier in variants {
            let earlier = self.lines.substances.get(earlier);
            name_en = name_en.or_else(|| earlier.name_en.clone());
            name_fr = name_fr.or_else(|| earlier.name_fr.clone());
        }
        // Lines of an unknown substance were rejected before.
        let id = self.substances.ids[last as usize].clone();
        id.map_or(0, |id| self.shown_substances.number((id, name_en, name_fr)))
    }

    fn tables(self) -> Result<(Tables, Titles), BuildError> {
        let limit = usize::from(u16::MAX);
        let Self { lines, names, titles, emissions, locations, sites, records, parts, .. } = self;
        let substances = self.shown_substances.into_values();
        let methods = lines.methods.values();
        let categories = lines.categories.values();
        for (what, count) in [
            ("substances", substances.len()),
            ("estimation methods", methods.len()),
            ("categories", categories.len()),
        ] {
            if count >= limit {
                return Err(BuildError::TooManyDistinct { what, limit });
            }
        }
        let all_names = self.substances.names;
        let substance = |shown: Arc<ShownSubstance>| {
            let (id, name_en, name_fr) = Arc::unwrap_or_clone(shown);
            let every_name = all_names.get(&id).cloned().unwrap_or_default();
            Arc::new(Substance { id, name_en, name_fr, every_name })
        };
        let site = |shown: Arc<ReleaseSite>| {
            let ReleaseSite { npri_id, company, facility, naics, naics_en, naics_fr, province } =
                Arc::unwrap_or_clone(shown);
            let location = locations.get(&npri_id);
            let linked = emissions.links.get(&npri_id).cloned().unwrap_or_default();
            let linked_ids: Vec<_> = linked.into_iter().map(FacilityId::Ghgrp).collect();
            Arc::new(Site {
                facility_id: FacilityId::Npri(npri_id),
                cross_reference: linked_ids.first().copied(),
                linked_ids,
                facility_name: facility,
                every_name: names.all(&npri_id),
                company_name: company,
                trade_name: None,
                city: location.and_then(|it| it.city.clone()),
                province,
                naics_code: naics,
                naics_en,
                naics_fr,
                latitude: location.and_then(|it| it.latitude),
                longitude: location.and_then(|it| it.longitude),
            })
        };
        let tables = Tables {
            sites: sites.into_values().into_iter().map(site).collect(),
            rows: Rows::Release {
                substances: substances.into_iter().map(substance).collect(),
                categories: categories.to_vec(),
                methods: methods.iter().map(|method| Arc::from(method.as_str())).collect(),
                records,
                parts,
            },
        };
        Ok((tables, titles))
    }
}

/// The rank of each text among the distinct ones, in byte order.
fn ranks(texts: impl Iterator<Item = String>) -> Vec<u32> {
    let texts: Vec<String> = texts.collect();
    let distinct: BTreeSet<&String> = texts.iter().collect();
    let ranks: HashMap<&String, u32> = distinct.into_iter().zip(0..).collect();
    texts.iter().map(|text| ranks[text]).collect()
}
