//! From a request to the set of documents that match it.

use tantivy::schema::Field;

use super::comparison::Comparison;
use super::deadline::Deadline;
use super::index::KindIndex;
use super::rows::RowSet;
use super::texts::with_tokens;
use super::union::Union;
use crate::text::{Clause, TextUnit};
use crate::{Filters, SearchError, SearchRequest, SubstanceFilter};

/// One search over one kind.
pub(crate) struct Lowering<'a> {
    pub(crate) kind: &'a KindIndex,
    pub(crate) request: &'a SearchRequest,
    pub(crate) deadline: Deadline,
}

impl<'a> Lowering<'a> {
    pub(crate) const fn new(kind: &'a KindIndex, request: &'a SearchRequest) -> Self {
        Self { kind, request, deadline: Deadline::new(request.deadline) }
    }
}

impl Lowering<'_> {
    /// The documents that match the whole request.
    pub(crate) fn matches(&self) -> Result<RowSet, SearchError> {
        let mut matches = self.filtered()?;
        for clause in &self.request.text.clauses {
            matches = self.and_clause(matches, clause)?;
        }
        Ok(matches)
    }

    /// The documents that pass every filter but `q`.
    pub(crate) fn filtered(&self) -> Result<RowSet, SearchError> {
        let Filters { provinces, facilities, naics, substances, record_ids, years, values } =
            &self.request.filters;
        let fields = &self.kind.fields;
        self.pass()?;
        let len = self.kind.len();
        let mut matches = self.years(|year| years.contains(year));
        if !record_ids.is_empty() {
            let mut found: Vec<u32> =
                record_ids.iter().filter_map(|id| self.document_of(id)).collect();
            found.sort_unstable();
            found.dedup();
            matches = matches.and(RowSet::List(found), len);
        }
        if !facilities.is_empty() {
            let keys = facilities.iter().map(|key| key.as_str());
            matches = matches.and(self.with_keywords(fields.facility, keys)?, len);
        }
        if !provinces.is_empty() {
            let codes = provinces.iter().map(|province| province.code());
            matches = matches.and(self.with_keywords(fields.province, codes)?, len);
        }
        if !naics.is_empty() {
            let prefixes = naics.iter().flat_map(|it| it.prefixes()).map(|it| it.as_str());
            matches = matches.and(self.with_keywords(fields.naics, prefixes)?, len);
        }
        if !substances.is_empty() {
            matches = matches.and(self.substances(substances)?, len);
        }
        if values.is_bounded() {
            matches = matches.and(self.in_values()?, len);
        }
        Ok(matches)
    }

    /// The documents of a unit as written: those without it when it is excluded.
    pub(crate) fn unit(&self, unit: &TextUnit) -> Result<RowSet, SearchError> {
        let found = self.holding(unit, self.kind.fields.text)?;
        Ok(if unit.is_excluded { found.not(self.kind.len()) } else { found })
    }

    /// The documents that hold a unit in `field`, excluded or not.
    pub(crate) fn holding(&self, unit: &TextUnit, field: Field) -> Result<RowSet, SearchError> {
        let mut any = Union::new(self.kind, &self.deadline);
        for tokens in unit.alternatives() {
            any.add_tokens(field, &tokens)?;
        }
        any.finish()
    }

    /// The documents that have any of `keywords` in `field`.
    fn with_keywords<'k>(
        &self,
        field: Field,
        keywords: impl Iterator<Item = &'k str>,
    ) -> Result<RowSet, SearchError> {
        let mut any = Union::new(self.kind, &self.deadline);
        for keyword in keywords {
            any.add_keyword(field, keyword)?;
        }
        any.finish()
    }

    /// Those of `matches` that pass a clause.
    fn and_clause(&self, matches: RowSet, clause: &Clause) -> Result<RowSet, SearchError> {
        self.pass()?;
        let len = self.kind.len();
        if let [TextUnit { is_excluded: true, .. }] = clause.units.as_slice() {
            let excluded = self.holding(&clause.units[0], self.kind.fields.text)?;
            return Ok(matches.and_not(excluded, len));
        }
        // What holds any of the units is put together at once; exclusions come after it.
        let mut any = Union::new(self.kind, &self.deadline);
        for unit in clause.units.iter().filter(|unit| !unit.is_excluded) {
            for tokens in unit.alternatives() {
                any.add_tokens(self.kind.fields.text, &tokens)?;
            }
        }
        let mut any = any.finish()?;
        for unit in clause.units.iter().filter(|unit| unit.is_excluded) {
            self.pass()?;
            any = any.or(self.unit(unit)?, len);
        }
        Ok(matches.and(any, len))
    }

    fn substances(&self, filters: &[SubstanceFilter]) -> Result<RowSet, SearchError> {
        let fields = &self.kind.fields;
        let mut any = Union::new(self.kind, &self.deadline);
        for filter in filters {
            match filter {
                SubstanceFilter::Id(id) => any.add_keyword(fields.substance, id.as_str())?,
                SubstanceFilter::Words(words) => {
                    any.add_descriptions(self.substances_named(words)?);
                }
            }
        }
        any.finish()
    }

    /// The substances with every one of `words` in some name.
    fn substances_named(&self, words: &[Vec<String>]) -> Result<Vec<u32>, SearchError> {
        let mut with_all: Option<Vec<u32>> = None;
        for word in words {
            let mut with_word = Vec::new();
            let field = self.kind.fields.substance_name;
            with_tokens(self.kind, field, word, &self.deadline, |text| {
                with_word.extend_from_slice(self.kind.described.of(text));
                Ok(())
            })?;
            with_word.sort_unstable();
            with_all = Some(match with_all {
                None => with_word,
                Some(mut all) => {
                    all.retain(|it| with_word.binary_search(it).is_ok());
                    all
                }
            });
        }
        Ok(with_all.unwrap_or_default())
    }

    /// The years kept are neighbours, newest first, and so are their documents.
    fn years(&self, keeps: impl Fn(u16) -> bool) -> RowSet {
        let mut kept = self.kind.years.iter().filter(|block| keeps(block.year));
        let Some(newest) = kept.next() else {
            return RowSet::NONE;
        };
        let oldest = kept.next_back().unwrap_or(newest);
        RowSet::Range(newest.documents.start..oldest.documents.end)
    }

    /// The document of a record id.
    fn document_of(&self, id: &str) -> Option<u32> {
        let documents = &self.kind.ids.documents;
        let place = documents
            .partition_point(|document| self.kind.compare_record_id(*document, id).is_lt());
        let document = *documents.get(place)?;
        self.kind.compare_record_id(document, id).is_eq().then_some(document)
    }

    /// The documents whose value is in the range; none of those without a value.
    fn in_values(&self) -> Result<RowSet, SearchError> {
        let comparison = Comparison::of(self.request);
        let order = self.kind.order(comparison.compared);
        let values = &self.request.filters.values;
        let least = values.min.as_ref().map(|min| comparison.bound(min).ceil());
        let most = values.max.as_ref().map(|max| comparison.bound(max).floor());
        let first = least.map_or(0, |least| comparison.first_at_least(self.kind, order, least));
        let end = most
            .map_or(order.starts.len() - 1, |most| comparison.first_above(self.kind, order, most));
        self.kind.with_values(comparison.compared, first..end, &self.deadline)
    }

    /// Spends a pass over a set of documents.
    pub(crate) fn pass(&self) -> Result<(), SearchError> {
        self.deadline.spend(self.kind.len() / 512 + 1)
    }
}
