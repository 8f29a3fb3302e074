//! From a request to the set of documents that match it.

use std::ops::Range;

use outfall_request::text::{Clause, Pattern, Sought, TextUnit};
use outfall_request::{CityFilter, Filters, SearchError, SearchRequest, SortKey, SubstanceFilter};
use tantivy::schema::Field;

use crate::index::UnitFields;
use crate::search::deadline::Deadline;
use crate::search::index::KindIndex;
use crate::search::sets::DocSet;
use crate::search::texts::{with_term, with_tokens};
use crate::search::union::Union;
use crate::search::values::{UnitIndex, ValueFilter};

/// One search over one kind.
pub(crate) struct Lowering<'a> {
    pub(crate) kind: &'a KindIndex,
    pub(crate) request: &'a SearchRequest,
    pub(crate) deadline: Deadline,
    /// The ordinals of the values within the bounds, if there are bounds.
    pub(crate) within: Option<Range<usize>>,
}

/// The matches of a request.
pub(crate) struct Matches {
    /// The documents. They include those outside the bounds if `places` is given, and leave out
    /// those after the page if only the page needs them.
    pub(crate) rows: DocSet,
    /// The places within the bounds in the value order, if `rows` was not cut to them.
    pub(crate) places: Option<Range<usize>>,
    /// The number of matches.
    pub(crate) total: usize,
}

impl<'a> Lowering<'a> {
    pub(crate) fn new(kind: &'a KindIndex, request: &'a SearchRequest) -> Self {
        let bounds = &request.filters.values;
        let within = bounds.is_bounded().then(|| ValueFilter::of(request).within(kind, bounds));
        Self { kind, request, deadline: Deadline::of(request), within }
    }
}

impl Lowering<'_> {
    /// The documents that match the whole request.
    pub(crate) fn matches(&self) -> Result<Matches, SearchError> {
        if let Some(newest) = self.newest_in_a_region()? {
            return Ok(newest);
        }
        let mut rows = self.listed()?;
        for clause in &self.request.text.clauses {
            rows = self.and_clause(rows, clause)?;
        }
        if let Some(ordinals) = &self.within
            && self.is_cut_by_order(&rows)
        {
            let compared = ValueFilter::of(self.request).compared;
            let places = self.kind.order(compared).places(ordinals);
            let rows = rows.counted();
            let total = self.count_at(&places, &rows, None)?;
            return Ok(Matches { rows, places: Some(places), total });
        }
        let rows = self.cut(rows)?.counted();
        Ok(Matches { total: rows.count(), rows, places: None })
    }

    /// Whether only the page by value needs to know which documents are within the bounds.
    fn is_cut_by_order(&self, rows: &DocSet) -> bool {
        self.request.sort.by == SortKey::Value
            && self.request.facets.is_empty()
            // Cutting a list is as fast as reading it.
            && !matches!(rows, DocSet::List(_))
    }

    /// How many of `rows` have these places of the compared order, in one unit if given.
    pub(crate) fn count_at(
        &self,
        places: &Range<usize>,
        rows: &DocSet,
        unit: Option<&UnitIndex>,
    ) -> Result<usize, SearchError> {
        let compared = ValueFilter::of(self.request).compared;
        self.kind.count_at_places(compared, places, rows, unit, &self.deadline)
    }

    /// The members of `rows` within the bounds.
    fn cut(&self, rows: DocSet) -> Result<DocSet, SearchError> {
        let Some(ordinals) = &self.within else { return Ok(rows) };
        self.pass()?;
        let compared = ValueFilter::of(self.request).compared;
        self.kind.with_values(rows, compared, ordinals, &self.deadline)
    }

    /// The documents that pass every filter but `q` and the bounds.
    fn listed(&self) -> Result<DocSet, SearchError> {
        let Filters {
            provinces,
            cities,
            companies,
            facilities,
            naics,
            substances,
            media,
            record_ids,
            reporting_years,
            near,
            bbox,
            years,
            values: _,
        } = &self.request.filters;
        let fields = &self.kind.fields;
        self.pass()?;
        let len = self.kind.len();
        let mut matches = self.years(|year| years.contains(year));
        if !reporting_years.is_empty() {
            let spans =
                reporting_years.iter().map(|span| self.years(|year| span.0.contains(&year)));
            let any = spans.reduce(|any, span| any.or(span, len));
            matches = matches.and(any.unwrap_or(DocSet::NONE), len);
        }
        if !record_ids.is_empty() {
            let mut found: Vec<u32> =
                record_ids.iter().filter_map(|id| self.document_of(&id.0)).collect();
            found.sort_unstable();
            found.dedup();
            matches = matches.and(DocSet::List(found), len);
        }
        if !facilities.is_empty() {
            let keys = facilities.iter().map(|key| key.as_str());
            matches = matches.and(self.with_keywords(fields.facility, keys)?, len);
        }
        if !provinces.is_empty() {
            let codes = provinces.iter().map(|province| province.code());
            matches = matches.and(self.with_keywords(fields.province, codes)?, len);
        }
        if !cities.is_empty() {
            let keys: Vec<String> = cities.iter().map(CityFilter::key).collect();
            let keys = keys.iter().map(String::as_str);
            matches = matches.and(self.with_keywords(fields.city, keys)?, len);
        }
        if !companies.is_empty() {
            let mut any = Union::new(self.kind, &self.deadline);
            for company in companies {
                any.add_in_a_row(fields.company, company.tokens())?;
            }
            matches = matches.and(any.finish()?, len);
        }
        if let Some(circle) = near {
            matches = matches.and(self.of_places(&self.kind.places().near(circle))?, len);
        }
        if let Some(bounds) = bbox {
            matches = matches.and(self.of_places(&self.kind.places().in_box(bounds))?, len);
        }
        if !naics.is_empty() {
            let prefixes = naics.iter().flat_map(|filter| filter.prefixes());
            let prefixes = prefixes.map(|prefix| prefix.as_str());
            matches = matches.and(self.with_keywords(fields.naics, prefixes)?, len);
        }
        if !substances.is_empty() {
            matches = matches.and(self.substances(substances)?, len);
        }
        if !media.is_empty() {
            matches = matches.and(self.kind.of_media(media), len);
        }
        Ok(matches)
    }

    /// The documents that match a unit: those without it if it is excluded.
    pub(crate) fn unit(&self, unit: &TextUnit) -> Result<DocSet, SearchError> {
        let found = self.holding(unit, self.kind.fields.text)?;
        Ok(if unit.is_excluded { found.not(self.kind.len()) } else { found })
    }

    /// The documents that hold a unit within one text of the fields, whether or not it is excluded.
    pub(crate) fn holding(
        &self,
        unit: &TextUnit,
        fields: UnitFields,
    ) -> Result<DocSet, SearchError> {
        let mut any = Union::new(self.kind, &self.deadline);
        any.add_unit(fields, unit)?;
        any.finish()
    }

    /// The documents that have any of `keywords` in `field`.
    fn with_keywords<'k>(
        &self,
        field: Field,
        keywords: impl Iterator<Item = &'k str>,
    ) -> Result<DocSet, SearchError> {
        let mut any = Union::new(self.kind, &self.deadline);
        for keyword in keywords {
            any.add_term(field, keyword)?;
        }
        any.finish()
    }

    /// The members of `matches` that pass a clause.
    fn and_clause(&self, matches: DocSet, clause: &Clause) -> Result<DocSet, SearchError> {
        self.pass()?;
        let len = self.kind.len();
        if let [TextUnit { is_excluded: true, .. }] = clause.units.as_slice() {
            let excluded = self.holding(&clause.units[0], self.kind.fields.text)?;
            return Ok(matches.and_not(excluded, len));
        }
        // Documents with any of the units are collected in one union; exclusions are added after
        // it.
        let mut any = Union::new(self.kind, &self.deadline);
        for unit in clause.units.iter().filter(|unit| !unit.is_excluded) {
            any.add_unit(self.kind.fields.text, unit)?;
        }
        let mut any = any.finish()?;
        for unit in clause.units.iter().filter(|unit| unit.is_excluded) {
            self.pass()?;
            any = any.or(self.unit(unit)?, len);
        }
        Ok(matches.and(any, len))
    }

    fn substances(&self, filters: &[SubstanceFilter]) -> Result<DocSet, SearchError> {
        let fields = &self.kind.fields;
        let mut any = Union::new(self.kind, &self.deadline);
        for filter in filters {
            match filter {
                SubstanceFilter::Id(id) => any.add_term(fields.substance, id.as_str())?,
                SubstanceFilter::Words(words) => {
                    any.add_dimensions(self.substances_named(words)?);
                }
            }
        }
        any.finish()
    }

    /// The substances that have each of `words` in one of their names, or are abbreviated by it.
    fn substances_named(&self, words: &[Pattern]) -> Result<Vec<u32>, SearchError> {
        let Self { kind, deadline, .. } = self;
        let fields = &kind.fields;
        let mut with_all: Option<Vec<u32>> = None;
        for word in words {
            let mut with_word = Vec::new();
            let mut add = |text| {
                with_word.extend_from_slice(kind.described.of(text));
                Ok(())
            };
            match word.sought() {
                Sought::Class(class) => {
                    with_term(kind, fields.substance_name.classes, &class, deadline, &mut add)?;
                }
                Sought::InARow(tokens) => {
                    with_tokens(kind, fields.substance_name.tokens, tokens, deadline, &mut add)?;
                }
            }
            for id in word.abbreviation.iter().flat_map(|known| known.substances) {
                with_term(kind, fields.substance, id, deadline, &mut add)?;
            }
            with_word.sort_unstable();
            with_all = Some(match with_all {
                None => with_word,
                Some(mut all) => {
                    all.retain(|substance| with_word.binary_search(substance).is_ok());
                    all
                }
            });
        }
        Ok(with_all.unwrap_or_default())
    }

    /// The documents of the years kept. Those years are adjacent, newest first, and so are their
    /// documents.
    fn years(&self, keeps: impl Fn(u16) -> bool) -> DocSet {
        let mut kept = self.kind.years.iter().filter(|block| keeps(block.year));
        let Some(newest) = kept.next() else {
            return DocSet::NONE;
        };
        let oldest = kept.next_back().unwrap_or(newest);
        DocSet::Range(newest.documents.start..oldest.documents.end)
    }

    /// The document of a record id.
    fn document_of(&self, id: &str) -> Option<u32> {
        let documents = &self.kind.ids.documents;
        let place = documents
            .partition_point(|document| self.kind.compare_record_id(*document, id).is_lt());
        let document = *documents.get(place)?;
        self.kind.compare_record_id(document, id).is_eq().then_some(document)
    }

    /// Charges the deadline for a pass over a set of documents.
    pub(crate) fn pass(&self) -> Result<(), SearchError> {
        self.deadline.spend(self.kind.len() / 512 + 1)
    }
}
