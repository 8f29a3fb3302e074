//! Rows of NPRI releases, folded to one record for each facility, year, substance and medium.

use std::sync::Arc;

use outfall_records::{
    FacilityId, NpriId, RecordTable, ReportingYear, Site, Substance, SubstanceId, Tables, ranks,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use rustc_hash::FxHashMap;

use super::emissions::FoldedEmissions;
use super::latest::{Latest, Titles, When};
use super::run::{FoldContext, Keyed, Run, ShownSubstance, fold_all};
use super::substances::ResolvedSubstances;
use crate::ReadError;
use crate::read::{Inputs, LocationLine, ReleaseLine, ReleaseSite, SubstanceText, numbered};
use crate::reject::{Reason, RowFault};
use crate::report::RejectLog;

/// The records of all rows, in canonical order, and the titles of industries that they show.
pub(crate) fn fold(
    inputs: &Inputs,
    emissions: &FoldedEmissions,
    log: &mut RejectLog,
) -> Result<(Tables, Titles), ReadError> {
    let lines = &inputs.releases;
    let mut used = vec![false; lines.substances.values().len()];
    for line in &lines.lines {
        used[line.substance as usize] = true;
    }
    let mut known = FoldContext {
        inputs,
        substances: ResolvedSubstances::of(lines.substances.values(), &used),
        names: Latest::default(),
        titles: Titles::default(),
        emissions,
        locations: latest_locations(&inputs.locations),
    };
    known.note_names();
    let keyed = known.sorted(log)?;
    let mut run = fold_all(&known, &keyed);
    // The next steps copy texts, and no longer need the keys.
    drop(keyed);
    run.superseded.drain(..).for_each(|file| log.supersede(file));
    for (file, line, again) in run.repeated.drain(..) {
        log.repeat(file, line.line.into(), again.line.into(), || known.record_id(line));
    }
    for (file, line, reason) in run.refused.drain(..) {
        let fault = match reason {
            Reason::MixedTeq => RowFault::new("Units", line.unit.name(), reason),
            _ => RowFault::new("Quantity", &line.quantity.to_string(), reason),
        };
        log.reject(file, u64::from(line.line), fault)?;
    }
    tables(known, run)
}

impl Inputs {
    /// The file of a line of releases.
    pub(super) fn file_of(&self, line: u32) -> usize {
        let place = self.release_files.partition_point(|(_, end)| *end <= line as usize);
        self.release_files.get(place).map_or(0, |(file, _)| *file)
    }
}

fn latest_locations(lines: &[LocationLine]) -> FxHashMap<NpriId, &LocationLine> {
    let mut latest: FxHashMap<NpriId, &LocationLine> = FxHashMap::default();
    for line in lines {
        let known = latest.entry(line.npri_id).or_insert(line);
        if known.year <= line.year {
            *known = line;
        }
    }
    latest
}

impl FoldContext<'_> {
    /// The permanent address of the record that a line is part of.
    fn record_id(&self, line: &ReleaseLine) -> String {
        let facility = self.inputs.releases.sites.get(line.site).npri_id;
        // Lines of an unknown substance were rejected before.
        let substance = self.substances.ids[line.substance as usize].as_ref();
        let substance = substance.map_or("", SubstanceId::as_str);
        format!("{facility}:{}:{substance}:{}", line.year, line.medium.slug())
    }

    /// Notes the names of facilities and the titles of industries, with when they were last used.
    fn note_names(&mut self) {
        let lines = &self.inputs.releases;
        let mut last: Vec<Option<When>> = vec![None; lines.sites.values().len()];
        for (place, line) in lines.lines.iter().enumerate() {
            let when = Some((line.year, place));
            let known = &mut last[line.site as usize];
            *known = (*known).max(when);
        }
        for (site, when) in lines.sites.values().iter().zip(last) {
            let Some(when) = when else { continue };
            if let Some(name) = &site.facility {
                self.names.note(site.npri_id, name, when);
            }
            self.titles.note(site.naics, site.naics_en.as_ref(), site.naics_fr.as_ref(), when);
        }
    }

    /// Every line whose substance is known, by the canonical order of its record and then by its
    /// place in the files.
    fn sorted(&self, log: &mut RejectLog) -> Result<Vec<Keyed>, ReadError> {
        let lines = &self.inputs.releases;
        let sites = lines.sites.values();
        let facilities = ranks(sites.iter().map(|site| site.npri_id), |id| format!("{id}:"));
        let ids = self.substances.ids.iter().map(Option::as_ref);
        let substances = ranks(ids, |id| id.map_or(String::new(), |id| format!("{id}:")));
        let mut keyed = Vec::with_capacity(lines.lines.len());
        for (place, line) in lines.lines.iter().enumerate() {
            if self.substances.ids[line.substance as usize].is_none() {
                let text = match &lines.substances.get(line.substance).id {
                    SubstanceText::Date { text, .. } => text.as_str(),
                    SubstanceText::Id(id) => id.as_str(),
                };
                let file = self.inputs.file_of(numbered(place));
                let fault = RowFault::new("CAS_Number", text, Reason::InvalidSubstance);
                log.reject(file, u64::from(line.line), fault)?;
                continue;
            }
            let age = u64::from(ReportingYear::LAST - line.year.get());
            let facility = u64::from(facilities[line.site as usize]);
            let substance = u64::from(substances[line.substance as usize]);
            let key = age << 56 | facility << 24 | substance << 4 | line.medium as u64;
            keyed.push((key, numbered(place)));
        }
        keyed.par_sort_unstable();
        Ok(keyed)
    }
}

fn tables(known: FoldContext<'_>, run: Run<'_>) -> Result<(Tables, Titles), ReadError> {
    let limit = usize::from(u16::MAX);
    let FoldContext { inputs, names, titles, emissions, locations, substances: resolved } = known;
    let Run { sites, substances, records, parts, .. } = run;
    let lines = &inputs.releases;
    let substances = substances.into_values();
    let methods = lines.methods.values();
    let categories = lines.categories.values();
    for (what, count) in [
        ("distinct substances", substances.len()),
        ("distinct estimation methods", methods.len()),
        ("distinct categories", categories.len()),
    ] {
        if count >= limit {
            return Err(ReadError::TooMany { what, limit });
        }
    }
    let all_names = resolved.names;
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
            city: location.and_then(|line| line.city.clone()),
            province,
            naics_code: naics,
            naics_en,
            naics_fr,
            latitude: location.and_then(|line| line.latitude),
            longitude: location.and_then(|line| line.longitude),
        })
    };
    let tables = Tables {
        sites: sites.into_values().into_par_iter().map(site).collect(),
        rows: RecordTable::Release {
            substances: substances.into_iter().map(substance).collect(),
            categories: categories.to_vec(),
            methods: methods.iter().map(|method| Arc::from(method.as_str())).collect(),
            records,
            parts,
        },
    };
    Ok((tables, titles))
}
