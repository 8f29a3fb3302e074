//! From a request to the set of documents that match it.

use std::time::Instant;

use tantivy::TantivyError;
use tantivy::schema::Field;

use super::comparison::Comparison;
use super::descriptions::{with_term, with_tokens};
use super::index::KindIndex;
use super::rows::RowSet;
use crate::text::{Clause, TextUnit};
use crate::{Filters, SearchError, SearchRequest, SubstanceFilter};

/// One search over one kind.
pub(crate) struct Lowering<'a> {
    pub(crate) kind: &'a KindIndex,
    pub(crate) request: &'a SearchRequest,
}

impl Lowering<'_> {
    /// The documents that match the whole request.
    pub(crate) fn matches(&self) -> Result<RowSet, SearchError> {
        let mut matches = self.filtered()?;
        for clause in &self.request.text.clauses {
            matches = matches.and(self.clause(clause)?);
        }
        Ok(matches)
    }

    /// The documents that pass every filter but `q`.
    pub(crate) fn filtered(&self) -> Result<RowSet, SearchError> {
        let Filters { provinces, facilities, naics, substances, record_ids, years, values } =
            &self.request.filters;
        let fields = &self.kind.fields;
        let mut matches = self.years(|year| years.contains(year));
        if !record_ids.is_empty() {
            let mut found: Vec<u32> =
                record_ids.iter().filter_map(|id| self.document_of(id)).collect();
            found.sort_unstable();
            found.dedup();
            matches = matches.and(RowSet::List(found));
        }
        let keywords = [
            (fields.facility, facilities.iter().map(|key| key.as_str().to_owned()).collect()),
            (fields.province, provinces.iter().map(|it| it.code().to_owned()).collect::<Vec<_>>()),
            (
                fields.naics,
                naics.iter().flat_map(|it| it.prefixes()).map(|it| it.to_string()).collect(),
            ),
        ];
        for (field, terms) in keywords {
            if !terms.is_empty() {
                let terms = terms.iter().map(std::slice::from_ref);
                matches = matches.and(self.any_of(terms, field)?);
            }
        }
        if !substances.is_empty() {
            matches = matches.and(self.substances(substances)?);
        }
        if values.is_bounded() {
            matches = matches.and(self.in_values());
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
        self.any_of(unit.alternatives().iter().map(Vec::as_slice), field)
    }

    /// The documents that have any of some runs of tokens in `field`.
    fn any_of<'t>(
        &self,
        alternatives: impl Iterator<Item = &'t [String]>,
        field: Field,
    ) -> Result<RowSet, SearchError> {
        let mut any = RowSet::NONE;
        let mut descriptions = Vec::new();
        for tokens in alternatives {
            self.check_deadline()?;
            let dense = match tokens {
                [token] => self.kind.dense(field, token),
                _ => None,
            };
            match dense {
                Some(rows) => any = any.or(rows, self.kind.len()),
                None => {
                    descriptions.extend(with_tokens(self.kind, field, tokens).map_err(engine)?);
                }
            }
        }
        Ok(any.or(self.rows_of(descriptions), self.kind.len()))
    }

    fn clause(&self, clause: &Clause) -> Result<RowSet, SearchError> {
        let mut any = RowSet::NONE;
        for unit in &clause.units {
            any = any.or(self.unit(unit)?, self.kind.len());
        }
        Ok(any)
    }

    fn substances(&self, filters: &[SubstanceFilter]) -> Result<RowSet, SearchError> {
        let fields = &self.kind.fields;
        let mut found = Vec::new();
        for filter in filters {
            self.check_deadline()?;
            match filter {
                SubstanceFilter::Id(id) => {
                    let same = with_term(self.kind, fields.substance, id.as_str());
                    found.extend(same.map_err(engine)?);
                }
                SubstanceFilter::Words(words) => {
                    let mut with_all: Option<Vec<u32>> = None;
                    for word in words {
                        let with_word =
                            with_tokens(self.kind, fields.substance_name, word).map_err(engine)?;
                        with_all = Some(match with_all {
                            None => with_word,
                            Some(mut all) => {
                                all.retain(|it| with_word.binary_search(it).is_ok());
                                all
                            }
                        });
                    }
                    found.extend(with_all.unwrap_or_default());
                }
            }
        }
        Ok(self.rows_of(found))
    }

    /// The documents that have any of these descriptions.
    fn rows_of(&self, mut descriptions: Vec<u32>) -> RowSet {
        descriptions.sort_unstable();
        descriptions.dedup();
        let lists = descriptions.iter().map(|description| self.kind.postings.of(*description));
        RowSet::union_of(lists, self.kind.len())
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
        let place = documents.partition_point(|document| *self.kind.record_id(*document) < *id);
        let document = *documents.get(place)?;
        (self.kind.record_id(document) == id).then_some(document)
    }

    /// The documents whose value is in the range; none of those without a value.
    fn in_values(&self) -> RowSet {
        let comparison = Comparison::of(self.request);
        let order = self.kind.order(comparison.compared);
        let values = &self.request.filters.values;
        let least = values.min.as_ref().map(|min| comparison.bound(min).ceil());
        let most = values.max.as_ref().map(|max| comparison.bound(max).floor());
        let first = least.map_or(0, |least| comparison.first_at_least(self.kind, order, least));
        let end = most
            .map_or(order.starts.len() - 1, |most| comparison.first_above(self.kind, order, most));
        self.kind.with_values(comparison.compared, first..end)
    }

    pub(crate) fn check_deadline(&self) -> Result<(), SearchError> {
        match self.request.deadline {
            Some(deadline) if Instant::now() > deadline => Err(SearchError::TimedOut),
            _ => Ok(()),
        }
    }
}

pub(crate) fn engine(error: TantivyError) -> SearchError {
    SearchError::Engine(error.to_string())
}
