//! The records of one kind as the indexer hands them over: whatever many records share is stored
//! once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::{
    Amount, BreakdownPart, Category, Decimal, Emission, Gases, KindInfo, Medium, Province, Record,
    RecordKind, Release, ReportingYear, Site, Substance, Unit,
};

/// The records of one kind in canonical order: newest year first, then by `record_id` in byte
/// order. Every site and substance has a record, and they are numbered in the order of their first
/// records.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The distinct sites, in the order of their first record.
    pub sites: Vec<Arc<Site>>,
    /// The records themselves.
    pub rows: RecordTable,
}

/// The rows of either kind.
#[derive(Clone, Debug)]
pub enum RecordTable {
    /// Releases, with the dimensions that only they have.
    Release {
        /// The distinct substances, in the order of their first record.
        substances: Vec<Arc<Substance>>,
        /// The distinct categories.
        categories: Vec<Arc<Category>>,
        /// The distinct estimation methods.
        methods: Vec<Arc<str>>,
        /// One row per record.
        records: Vec<ReleaseEntry>,
        /// The breakdowns, record after record.
        parts: Vec<PartEntry>,
    },
    /// Emissions.
    Emission {
        /// One row per record.
        records: Vec<EmissionEntry>,
    },
}

/// A release; the dimensions that it shares with others are indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReleaseEntry {
    /// Index into [`Tables::sites`].
    pub site: u32,
    /// Index into the substances.
    pub substance: u16,
    /// The reporting year.
    pub year: ReportingYear,
    /// The medium.
    pub medium: Medium,
    /// The unit of the quantity and of the breakdown.
    pub unit: Unit,
    /// The folded quantity.
    pub quantity: Decimal,
    /// Index of the first part; the parts end where those of the next record begin.
    pub first_part: u32,
}

/// One row of a breakdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartEntry {
    /// Index into the categories.
    pub category: u16,
    /// Index into the methods, or [`NO_METHOD`].
    pub method: u16,
    /// The quantity in the record's unit.
    pub quantity: Decimal,
}

/// The method of a part that names none.
pub const NO_METHOD: u16 = u16::MAX;

/// An emission; its site is an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmissionEntry {
    /// Index into [`Tables::sites`].
    pub site: u32,
    /// The reporting year.
    pub year: ReportingYear,
    /// The reported total, in tonnes CO2e.
    pub total_co2e: Decimal,
    /// The emissions by gas.
    pub gases: Gases,
}

/// The amounts of the records are too large to be added up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the numbers of the {record_kind}s up to {record_id} are too large to be added up: together \
     they are more than 1.7e20; check the files for impossible numbers"
)]
pub struct TooLarge {
    /// The kind of the records.
    pub record_kind: RecordKind,
    /// The record whose amount is too large, by itself or added to those before it.
    pub record_id: String,
}

impl Tables {
    /// The kind of the records.
    #[must_use]
    pub const fn record_kind(&self) -> RecordKind {
        match self.rows {
            RecordTable::Release { .. } => RecordKind::Release,
            RecordTable::Emission { .. } => RecordKind::Emission,
        }
    }

    /// The number of substances; 0 for emissions.
    #[must_use]
    pub fn substances(&self) -> usize {
        match &self.rows {
            RecordTable::Release { substances, .. } => substances.len(),
            RecordTable::Emission { .. } => 0,
        }
    }

    /// The number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.rows {
            RecordTable::Release { records, .. } => records.len(),
            RecordTable::Emission { records } => records.len(),
        }
    }

    /// The number of records: in all, by year and by province.
    #[must_use]
    pub fn info(&self) -> KindInfo {
        let mut info = KindInfo { records: self.len() as u64, ..KindInfo::default() };
        let mut records_of = vec![0; self.sites.len()];
        (0..self.len()).for_each(|index| records_of[self.shared(index).0 as usize] += 1);
        for (year, count) in self.years() {
            *info.years.entry(year.get()).or_default() += u64::from(count);
        }
        for (site, count) in self.sites.iter().zip(records_of) {
            let province = site.province.map_or("", Province::code);
            *info.provinces.entry(province.to_owned()).or_default() += count;
        }
        info
    }

    /// Whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record at `index` of the canonical order.
    ///
    /// # Panics
    /// If there are not that many records.
    #[must_use]
    pub fn record(&self, index: usize) -> Record {
        match &self.rows {
            RecordTable::Release { substances, categories, methods, records, .. } => {
                let row = records[index];
                let breakdown = self.parts(index).iter().map(|part| BreakdownPart {
                    category: Arc::clone(&categories[usize::from(part.category)]),
                    quantity: part.quantity,
                    estimation_method: methods.get(usize::from(part.method)).cloned(),
                });
                Record::Release(Release {
                    site: Arc::clone(&self.sites[row.site as usize]),
                    year: row.year,
                    substance: Arc::clone(&substances[usize::from(row.substance)]),
                    medium: row.medium,
                    quantity: row.quantity,
                    unit: row.unit,
                    breakdown: breakdown.collect(),
                })
            }
            RecordTable::Emission { records } => {
                let row = records[index];
                Record::Emission(Emission {
                    site: Arc::clone(&self.sites[row.site as usize]),
                    year: row.year,
                    total_co2e: row.total_co2e,
                    gases: row.gases,
                })
            }
        }
    }

    /// Every record, in canonical order.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        (0..self.len()).map(|index| self.record(index))
    }

    /// The breakdown of a release; emissions have none.
    ///
    /// # Panics
    /// If there are not that many records.
    #[must_use]
    pub fn parts(&self, index: usize) -> &[PartEntry] {
        let RecordTable::Release { records, parts, .. } = &self.rows else {
            return &[];
        };
        let end = records.get(index + 1).map_or(parts.len(), |next| next.first_part as usize);
        &parts[records[index].first_part as usize..end]
    }

    /// The reporting year of a record.
    ///
    /// # Panics
    /// If there are not that many records.
    #[must_use]
    pub fn year(&self, index: usize) -> ReportingYear {
        match &self.rows {
            RecordTable::Release { records, .. } => records[index].year,
            RecordTable::Emission { records } => records[index].year,
        }
    }

    /// Each year with the number of its records, newest first.
    #[must_use]
    pub fn years(&self) -> Vec<(ReportingYear, u32)> {
        let mut years: Vec<(ReportingYear, u32)> = Vec::new();
        for index in 0..self.len() {
            match years.last_mut() {
                Some((year, count)) if *year == self.year(index) => *count += 1,
                _ => years.push((self.year(index), 1)),
            }
        }
        years
    }

    /// The number that a record shows, with the unit of a release.
    ///
    /// # Panics
    /// If there are not that many records.
    #[must_use]
    pub fn quantity(&self, index: usize) -> (Decimal, Option<Unit>) {
        match &self.rows {
            RecordTable::Release { records, .. } => {
                (records[index].quantity, Some(records[index].unit))
            }
            RecordTable::Emission { records } => (records[index].total_co2e, None),
        }
    }

    /// The amounts of all records together, masses and toxic equivalents alike.
    ///
    /// # Errors
    /// [`TooLarge`] if that is too large for an [`Amount`], so that some other sum of them may be,
    /// too.
    pub fn total(&self) -> Result<Amount, TooLarge> {
        let mut total = Amount::ZERO;
        for index in 0..self.len() {
            let (number, unit) = self.quantity(index);
            let sum = Amount::of(number, unit).and_then(|amount| total.checked_add(amount));
            total = sum.ok_or_else(|| self.too_large(index))?;
        }
        Ok(total)
    }

    /// The error that names the record at `index`.
    ///
    /// # Panics
    /// If there are not that many records.
    #[must_use]
    pub fn too_large(&self, index: usize) -> TooLarge {
        TooLarge { record_kind: self.record_kind(), record_id: self.record(index).record_id() }
    }

    /// The dimensions that a record shares with others: its site, its substance and its medium.
    ///
    /// # Panics
    /// If there are not that many records.
    #[must_use]
    pub fn shared(&self, index: usize) -> (u32, Option<u16>, Option<Medium>) {
        match &self.rows {
            RecordTable::Release { records, .. } => {
                let row = records[index];
                (row.site, Some(row.substance), Some(row.medium))
            }
            RecordTable::Emission { records } => (records[index].site, None, None),
        }
    }
}

/// For each key, the rank of its text among those of all distinct keys, in byte order.
pub fn ranks<K: Copy + Eq + Hash>(
    keys: impl Iterator<Item = K> + Clone,
    text: impl Fn(K) -> String,
) -> Vec<u32> {
    let mut ranks: HashMap<K, u32> = keys.clone().map(|key| (key, 0)).collect();
    let mut distinct: Vec<(String, K)> = ranks.keys().map(|key| (text(*key), *key)).collect();
    distinct.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    for ((_, key), rank) in distinct.into_iter().zip(0..) {
        ranks.insert(key, rank);
    }
    keys.map(|key| ranks[&key]).collect()
}
