//! Rows of NPRI releases.

use outfall_records::{
    Category, Decimal, Medium, NaicsCode, NpriId, Province, ReportingYear, SubstanceId,
    SubstanceIdError, Unit,
};

use super::cell::Cells;
use super::cell_cache::{CacheUpdate, CachedCells, CellCache, Counts};
use super::pool::Pool;
use crate::header::Header;
use crate::header::npri::{
    CAS, CATEGORY_EN, CATEGORY_FR, COMPANY, FACILITY, GROUP_EN, GROUP_FR, METHOD, NAICS, NAICS_EN,
    NAICS_FR, NPRI_ID, PROVINCE, QUANTITY, SUBSTANCE_EN, SUBSTANCE_FR, UNITS, YEAR,
};
use crate::reject::{Reason, RowFault};

/// A row; what it shares with others is numbered.
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

/// An id, or what a spreadsheet left of one, which is resolved once all rows are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SubstanceText {
    Id(SubstanceId),
    Date { first_group: u32, others: [u8; 2], text: String },
}

/// Rows, and the texts and codes that they share.
#[derive(Default)]
pub(crate) struct ReleaseLines {
    pub(crate) lines: Vec<ReleaseLine>,
    pub(crate) sites: Pool<ReleaseSite>,
    pub(crate) substances: Pool<ReleaseSubstance>,
    pub(crate) categories: Pool<Category>,
    pub(crate) methods: Pool<String>,
}

/// The rows of a block. Numbers below those in `before` are of the whole, others of the block.
pub(crate) struct ReleaseBlock {
    lines: Vec<ReleaseLine>,
    before: Counts,
    sites: Pool<ReleaseSite>,
    substances: Pool<ReleaseSubstance>,
    categories: Pool<Category>,
    methods: Pool<String>,
    learnt: CacheUpdate,
}

/// Reads the rows of a block.
pub(crate) struct ReleaseReader<'m, 'a> {
    read: ReleaseBlock,
    years: CachedCells<'m, 'a, ReportingYear>,
    sites: CachedCells<'m, 'a, u32>,
    substances: CachedCells<'m, 'a, u32>,
    media: CachedCells<'m, 'a, (Medium, u32)>,
    methods: CachedCells<'m, 'a, u32>,
    units: CachedCells<'m, 'a, Unit>,
}

impl<'m, 'a> ReleaseReader<'m, 'a> {
    pub(crate) fn new(header: &Header, memory: &'m CellCache) -> Self {
        let site = [NPRI_ID, COMPANY, FACILITY, NAICS, NAICS_EN, NAICS_FR, PROVINCE];
        let substance = [CAS, SUBSTANCE_EN, SUBSTANCE_FR];
        let medium = [GROUP_EN, GROUP_FR, CATEGORY_EN, CATEGORY_FR];
        Self {
            read: ReleaseBlock {
                lines: Vec::new(),
                before: memory.counts,
                sites: Pool::default(),
                substances: Pool::default(),
                categories: Pool::default(),
                methods: Pool::default(),
                learnt: CacheUpdate::default(),
            },
            years: CachedCells::new(header, &[YEAR], &memory.years),
            sites: CachedCells::new(header, &site, &memory.sites),
            substances: CachedCells::new(header, &substance, &memory.substances),
            media: CachedCells::new(header, &medium, &memory.media),
            methods: CachedCells::new(header, &[METHOD], &memory.methods),
            units: CachedCells::new(header, &[UNITS], &memory.units),
        }
    }

    pub(crate) fn take(&mut self, cells: Cells<'_, 'a>, line: u64) -> Result<(), RowFault> {
        let ReleaseBlock { lines, before, sites, substances, categories, methods, .. } =
            &mut self.read;
        let year = self.years.get(cells, || cells.year(YEAR))?;
        let site = self.sites.get(cells, || Ok(before.sites + sites.number(site(cells)?)))?;
        let substance = self
            .substances
            .get(cells, || Ok(before.substances + substances.number(substance(cells)?)))?;
        let (medium, category) = self.media.get(cells, || {
            let (name_en, name_fr) = (cells.text(CATEGORY_EN), cells.text(CATEGORY_FR));
            let medium = medium(cells)?;
            Ok((medium, before.categories + categories.number(Category { name_en, name_fr })))
        })?;
        let method = self.methods.get(cells, || {
            let method = cells.text(METHOD);
            Ok(method.map_or(0, |method| before.methods + methods.number(method) + 1))
        })?;
        let unit = self.units.get(cells, || {
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

    pub(crate) fn finish(self) -> ReleaseBlock {
        let learnt = CacheUpdate {
            years: self.years.into_new(),
            sites: self.sites.into_new(),
            substances: self.substances.into_new(),
            media: self.media.into_new(),
            methods: self.methods.into_new(),
            units: self.units.into_new(),
        };
        ReleaseBlock { learnt, ..self.read }
    }
}

fn site(cells: Cells<'_, '_>) -> Result<ReleaseSite, RowFault> {
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

fn substance(cells: Cells<'_, '_>) -> Result<ReleaseSubstance, RowFault> {
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

fn medium(cells: Cells<'_, '_>) -> Result<Medium, RowFault> {
    let groups = [cells.text(GROUP_EN), cells.text(GROUP_FR)];
    let medium = groups.iter().flatten().find_map(|group| Medium::parse(group));
    medium.ok_or_else(|| cells.fault(GROUP_EN, Reason::InvalidMedium))
}

impl ReleaseLines {
    /// Adds the rows of a later block, its own numbers replaced by those of the whole; returns the
    /// cells to remember.
    pub(crate) fn append(&mut self, block: ReleaseBlock) -> CacheUpdate {
        let ReleaseBlock { lines, before, mut learnt, .. } = block;
        let sites = Renumbering::new(before.sites, self.sites.absorb(block.sites));
        let substances =
            Renumbering::new(before.substances, self.substances.absorb(block.substances));
        let categories =
            Renumbering::new(before.categories, self.categories.absorb(block.categories));
        let methods = Renumbering::new(before.methods, self.methods.absorb(block.methods));
        let method = |number: u32| number.checked_sub(1).map_or(0, |number| methods.of(number) + 1);
        self.lines.extend(lines.into_iter().map(|line| ReleaseLine {
            site: sites.of(line.site),
            substance: substances.of(line.substance),
            category: categories.of(line.category),
            method: method(line.method),
            ..line
        }));
        learnt.sites.iter_mut().for_each(|(_, number)| *number = sites.of(*number));
        learnt.substances.iter_mut().for_each(|(_, number)| *number = substances.of(*number));
        learnt.media.iter_mut().for_each(|(_, (_, number))| *number = categories.of(*number));
        learnt.methods.iter_mut().for_each(|(_, number)| *number = method(*number));
        learnt
    }

    /// Adds to a memory the cells that blocks left to remember, once all these blocks were
    /// appended.
    pub(crate) fn remember(
        &self,
        learnt: impl IntoIterator<Item = CacheUpdate>,
        memory: &mut CellCache,
    ) {
        learnt.into_iter().for_each(|learnt| memory.learn(learnt));
        memory.counts = Counts {
            sites: self.sites.len(),
            substances: self.substances.len(),
            categories: self.categories.len(),
            methods: self.methods.len(),
        };
    }
}

/// Maps the numbers that a block was read with to those of the whole.
struct Renumbering {
    before: u32,
    /// The numbers of the block's own values.
    own: Vec<u32>,
}

impl Renumbering {
    const fn new(before: u32, own: Vec<u32>) -> Self {
        Self { before, own }
    }

    fn of(&self, number: u32) -> u32 {
        number.checked_sub(self.before).map_or(number, |own| self.own[own as usize])
    }
}
