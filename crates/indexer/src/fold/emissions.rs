//! Folds rows of the GHGRP and CESI files into one record for each facility and year.

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use outfall_records::{
    EmissionEntry, FacilityId, GhgrpId, NpriId, RecordTable, ReportingYear, Site, Tables,
};

use super::latest::{Latest, Titles};
use crate::header::FileKind;
use crate::read::{EmissionLine, Inputs, Origin, Pool};
use crate::report::RejectLog;

/// The emissions, and the data that releases take from them.
#[derive(Debug)]
pub(crate) struct FoldedEmissions {
    lines: Vec<EmissionLine>,
    names: Latest<GhgrpId>,
    pub(crate) titles: Titles,
    /// For each NPRI id, the GHGRP ids whose records show it: the one that reported latest first,
    /// then the lowest.
    pub(crate) links: HashMap<NpriId, Vec<GhgrpId>>,
}

/// Keeps one row for each facility and year, and collects what is known over all years.
pub(crate) fn fold(inputs: &mut Inputs, log: &mut RejectLog) -> FoldedEmissions {
    // The GHGRP's own file holds more than CESI's. Of two rows of the same kind the later one
    // counts, because history is restated.
    let mut kept: BTreeMap<(Reverse<ReportingYear>, String), Kept> = BTreeMap::new();
    for (place, (origin, line)) in inputs.emissions.drain(..).enumerate() {
        let key = (Reverse(line.year), format!("{}:", line.ghgrp_id));
        let row = Kept { place, origin, line };
        let superseded = match kept.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(row);
                continue;
            }
            Entry::Occupied(mut entry) => {
                let Kept { origin: Origin { file, kind: known }, line, .. } = entry.get();
                let known = *known;
                if *file == origin.file {
                    let record_id = || format!("{}:{}", line.ghgrp_id, line.year);
                    log.repeat(*file, line.line, row.line.line, record_id);
                }
                if known == FileKind::Ghgrp && origin.kind == FileKind::Cesi {
                    origin
                } else {
                    entry.insert(row).origin
                }
            }
        };
        log.supersede(superseded.file);
    }
    let mut folded = FoldedEmissions {
        lines: Vec::new(),
        names: Latest::default(),
        titles: Titles::default(),
        links: HashMap::new(),
    };
    for Kept { place, line, .. } in kept.into_values() {
        folded.note_names(place, &line);
        folded.lines.push(line);
    }
    folded.fill_npri_ids();
    folded
}

/// A row, and where it comes from.
struct Kept {
    /// Its place among the rows of all files.
    place: usize,
    origin: Origin,
    line: EmissionLine,
}

impl FoldedEmissions {
    /// Gives each row without an NPRI id the latest known one of its facility.
    fn fill_npri_ids(&mut self) {
        let mut latest: HashMap<GhgrpId, (ReportingYear, NpriId)> = HashMap::new();
        for line in &self.lines {
            if let Some(npri_id) = line.npri_id {
                let known = latest.entry(line.ghgrp_id).or_insert((line.year, npri_id));
                *known = (*known).max((line.year, npri_id));
            }
        }
        let mut links: HashMap<NpriId, HashMap<GhgrpId, ReportingYear>> = HashMap::new();
        for line in &mut self.lines {
            let known = latest.get(&line.ghgrp_id).map(|(_, npri_id)| *npri_id);
            line.npri_id = line.npri_id.or(known);
            if let Some(npri_id) = line.npri_id {
                let last =
                    links.entry(npri_id).or_default().entry(line.ghgrp_id).or_insert(line.year);
                *last = (*last).max(line.year);
            }
        }
        for (npri_id, linked) in links {
            let mut linked: Vec<_> = linked.into_iter().collect();
            linked.sort_by_key(|(ghgrp_id, last)| (Reverse(*last), *ghgrp_id));
            self.links.insert(npri_id, linked.into_iter().map(|(ghgrp_id, _)| ghgrp_id).collect());
        }
    }

    fn note_names(&mut self, place: usize, line: &EmissionLine) {
        let when = (line.year, place);
        if let Some(name) = &line.facility {
            self.names.note(line.ghgrp_id, name, when);
        }
        let (english, french) = (line.naics_en.as_ref(), line.naics_fr.as_ref());
        self.titles.note(line.naics, english, french, when);
    }

    /// The records in canonical order; blank titles are filled from `releases` if no row of this
    /// kind has them.
    pub(crate) fn tables(&self, releases: &Titles) -> Tables {
        let mut sites = Pool::default();
        let records = self.lines.iter().map(|line| EmissionEntry {
            site: sites.number(self.site(line, releases)),
            year: line.year,
            total_co2e: line.total_co2e,
            gases: line.gases,
        });
        let records = records.collect();
        Tables { sites: sites.into_values(), rows: RecordTable::Emission { records } }
    }

    fn site(&self, line: &EmissionLine, releases: &Titles) -> Site {
        let (mut naics_en, mut naics_fr) = (line.naics_en.clone(), line.naics_fr.clone());
        self.titles.fill(releases, line.naics, &mut naics_en, &mut naics_fr);
        let npri_id = line.npri_id.map(FacilityId::Npri);
        let latest_name = || self.names.get(&line.ghgrp_id).cloned();
        Site {
            facility_id: FacilityId::Ghgrp(line.ghgrp_id),
            cross_reference: npri_id,
            linked_ids: npri_id.into_iter().collect(),
            facility_name: line.facility.clone().or_else(latest_name),
            every_name: self.names.all(&line.ghgrp_id),
            company_name: line.legal_name.clone(),
            trade_name: line.trade_name.clone(),
            city: line.city.clone(),
            province: line.province,
            naics_code: line.naics,
            naics_en,
            naics_fr,
            latitude: line.latitude,
            longitude: line.longitude,
        }
    }
}
