//! Rows of NPRI releases.

use outfall_records::{
    Category, Decimal, Medium, NaicsCode, NpriId, Province, ReportingYear, SubstanceId,
    SubstanceIdError, Unit,
};
use rustc_hash::FxHashMap;

use super::cell::Cells;
use super::pool::Pool;
use crate::header::npri::{
    CAS, CATEGORY_EN, CATEGORY_FR, COMPANY, FACILITY, GROUP_EN, GROUP_FR, METHOD, NAICS, NAICS_EN,
    NAICS_FR, NPRI_ID, PROVINCE, QUANTITY, SUBSTANCE_EN, SUBSTANCE_FR, UNITS, YEAR,
};
use crate::reject::{Fault, Reason};

/// A row, what it shares with others by number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReleaseLine {
    pub(crate) site: u32,
    pub(crate) substance: u32,
    pub(crate) category: u32,
    /// One above the number of the method; 0 for none.
    pub(crate) method: u32,
    /// The physical line in its file.
    pub(crate) line: u32,
    pub(crate) year: ReportingYear,
    pub(crate) medium: Medium,
    pub(crate) unit: Unit,
    pub(crate) quantity: Decimal,
}

/// A facility as a row shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReleaseSite {
    pub(crate) npri_id: NpriId,
    pub(crate) company: Option<String>,
    pub(crate) facility: Option<String>,
    pub(crate) naics: Option<NaicsCode>,
    pub(crate) naics_en: Option<String>,
    pub(crate) naics_fr: Option<String>,
    pub(crate) province: Option<Province>,
}

/// A substance as a row shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReleaseSubstance {
    pub(crate) id: SubstanceText,
    pub(crate) name_en: Option<String>,
    pub(crate) name_fr: Option<String>,
}

/// An id, or what a spreadsheet left of one: which it was can be told when all rows are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SubstanceText {
    Id(SubstanceId),
    Date { first_group: u32, others: [u8; 2], text: String },
}

/// Rows and all that they share.
#[derive(Default)]
pub(crate) struct ReleaseLines {
    pub(crate) lines: Vec<ReleaseLine>,
    pub(crate) sites: Pool<ReleaseSite>,
    pub(crate) substances: Pool<ReleaseSubstance>,
    pub(crate) categories: Pool<Category>,
    pub(crate) methods: Pool<String>,
}

/// What the same bytes of a row, from the first to the last of some columns, came to before.
///
/// In the official files the columns that belong together stand together, so that a row costs the
/// hash of those bytes where they stand. Other orders of the columns only find fewer repeats.
struct Known<'a, T> {
    results: FxHashMap<&'a [u8], Result<T, Fault>>,
    /// The last row's: mostly those of this row too, so that nothing need be hashed.
    last: Option<(&'a [u8], T)>,
}

impl<T> Default for Known<'_, T> {
    fn default() -> Self {
        Self { results: FxHashMap::default(), last: None }
    }
}

/// Reads the rows of a block. Most cells repeat those of an earlier row, so what their bytes came
/// to is remembered.
#[derive(Default)]
pub(crate) struct ReleaseReader<'a> {
    pub(crate) read: ReleaseLines,
    sites: Known<'a, u32>,
    substances: Known<'a, u32>,
    media: Known<'a, (Medium, u32)>,
    methods: Known<'a, u32>,
    units: Known<'a, Unit>,
    years: Known<'a, ReportingYear>,
}

impl<'a> ReleaseReader<'a> {
    pub(crate) fn take(&mut self, cells: Cells<'_, 'a>, line: u64) -> Result<(), Fault> {
        let ReleaseLines { lines, sites, substances, categories, methods } = &mut self.read;
        let year = self.years.get(&[YEAR], cells, || cells.year(YEAR))?;
        let columns = [NPRI_ID, COMPANY, FACILITY, NAICS, NAICS_EN, NAICS_FR, PROVINCE];
        let site = self.sites.get(&columns, cells, || Ok(sites.number(site(cells)?)))?;
        let columns = [CAS, SUBSTANCE_EN, SUBSTANCE_FR];
        let substance =
            self.substances.get(&columns, cells, || Ok(substances.number(substance(cells)?)))?;
        let columns = [GROUP_EN, GROUP_FR, CATEGORY_EN, CATEGORY_FR];
        let (medium, category) = self.media.get(&columns, cells, || {
            let (name_en, name_fr) = (cells.text(CATEGORY_EN), cells.text(CATEGORY_FR));
            Ok((medium(cells)?, categories.number(Category { name_en, name_fr })))
        })?;
        let method = self.methods.get(&[METHOD], cells, || {
            let method = cells.text(METHOD);
            Ok(method.map_or(0, |method| methods.number(method) + 1))
        })?;
        let unit = self.units.get(&[UNITS], cells, || {
            let unit = Unit::parse(&cells.code(UNITS)?.unwrap_or_default());
            unit.ok_or_else(|| cells.fault(UNITS, Reason::InvalidUnits))
        })?;
        let quantity = cells.required_amount(QUANTITY)?;
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        lines.push(ReleaseLine {
            site,
            substance,
            category,
            method,
            line,
            year,
            medium,
            unit,
            quantity,
        });
        Ok(())
    }
}

impl<'a, T: Copy> Known<'a, T> {
    /// What `columns` come to: as before when their bytes are the same.
    fn get(
        &mut self,
        columns: &[usize],
        cells: Cells<'_, 'a>,
        parse: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let bytes = cells.span(columns);
        if let Some((last, result)) = self.last
            && last == bytes
        {
            return Ok(result);
        }
        let result = self.results.entry(bytes).or_insert_with(parse).clone()?;
        self.last = Some((bytes, result));
        Ok(result)
    }
}

fn site(cells: Cells<'_, '_>) -> Result<ReleaseSite, Fault> {
    let npri_id = NpriId::parse(&cells.code(NPRI_ID)?.unwrap_or_default())
        .map_err(|_| cells.fault(NPRI_ID, Reason::InvalidFacilityId))?;
    Ok(ReleaseSite {
        npri_id,
        company: cells.text(COMPANY),
        facility: cells.text(FACILITY),
        naics: cells.naics(NAICS)?,
        naics_en: cells.text(NAICS_EN),
        naics_fr: cells.text(NAICS_FR),
        province: cells.province(PROVINCE)?,
    })
}

fn substance(cells: Cells<'_, '_>) -> Result<ReleaseSubstance, Fault> {
    let text = cells.code(CAS)?.unwrap_or_default();
    let id = match SubstanceId::parse(&text) {
        Ok(id) => SubstanceText::Id(id),
        Err(SubstanceIdError::Date { first_group, others }) => {
            SubstanceText::Date { first_group, others, text: text.into_owned() }
        }
        Err(SubstanceIdError::NotAnId) => {
            return Err(cells.fault(CAS, Reason::InvalidSubstance));
        }
    };
    let (name_en, name_fr) = (cells.text(SUBSTANCE_EN), cells.text(SUBSTANCE_FR));
    Ok(ReleaseSubstance { id, name_en, name_fr })
}

fn medium(cells: Cells<'_, '_>) -> Result<Medium, Fault> {
    let groups = [cells.text(GROUP_EN), cells.text(GROUP_FR)];
    let medium = groups.iter().flatten().find_map(|group| Medium::parse(group));
    medium.ok_or_else(|| cells.fault(GROUP_EN, Reason::InvalidMedium))
}

impl ReleaseLines {
    /// Adds the rows of a later block, its numbers replaced by those of the whole.
    pub(crate) fn append(&mut self, other: Self) {
        let sites = self.sites.absorb(other.sites);
        let substances = self.substances.absorb(other.substances);
        let categories = self.categories.absorb(other.categories);
        let methods = self.methods.absorb(other.methods);
        self.lines.extend(other.lines.into_iter().map(|line| ReleaseLine {
            site: sites[line.site as usize],
            substance: substances[line.substance as usize],
            category: categories[line.category as usize],
            method: line.method.checked_sub(1).map_or(0, |method| methods[method as usize] + 1),
            ..line
        }));
    }
}
