//! Lowers a request to a query of the engine.

use std::ops::Bound;

use outfall_records::Unit;
use outfall_request::text::{Pattern, Sought, TextUnit};
use outfall_request::{SearchRequest, SubstanceFilter};
use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::build::PlainIndex;
use super::compared;

pub(crate) struct Lowering<'a> {
    pub(crate) index: &'a PlainIndex,
    pub(crate) request: &'a SearchRequest,
}

type Clauses = Vec<(Occur, Box<dyn Query>)>;

impl Lowering<'_> {
    /// Matches what the request matches.
    pub(crate) fn matches(&self) -> BooleanQuery {
        all_of(self.filters().into_iter().chain(self.text()))
    }

    /// Matches the same, but only records reported in `unit`.
    pub(crate) fn matches_in(&self, unit: Unit) -> BooleanQuery {
        let unit = keyword(self.index.fields.unit, unit.name());
        all_of(self.filters().into_iter().chain(self.text()).chain([unit]))
    }

    fn text(&self) -> Vec<Box<dyn Query>> {
        let clauses = self.request.text.clauses.iter();
        clauses.map(|clause| any_of(clause.units.iter().map(|unit| self.unit(unit)))).collect()
    }

    fn unit(&self, unit: &TextUnit) -> Box<dyn Query> {
        let fields = &self.index.fields;
        let found = self.holding(&unit.pattern, fields.text, fields.classes);
        match unit.is_excluded {
            true => Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(AllQuery)),
                (Occur::MustNot, found),
            ])),
            false => found,
        }
    }

    /// Matches records with the pattern in the field `tokens` or the field `classes`, or with a
    /// substance that the pattern abbreviates.
    fn holding(&self, pattern: &Pattern, tokens: Field, classes: Field) -> Box<dyn Query> {
        let found = match pattern.sought() {
            Sought::Class(class) => keyword(classes, &class),
            Sought::InARow(wanted) => in_a_row(tokens, wanted),
        };
        let abbreviated = pattern.abbreviation.iter().flat_map(|known| known.substances);
        let abbreviated = abbreviated.map(|id| keyword(self.index.fields.substance, id));
        any_of(std::iter::once(found).chain(abbreviated))
    }

    fn filters(&self) -> Vec<Box<dyn Query>> {
        let (fields, filters) = (&self.index.fields, &self.request.filters);
        let mut all = Vec::new();
        let mut add = |alternatives: Vec<Box<dyn Query>>| {
            if !alternatives.is_empty() {
                all.push(any_of(alternatives));
            }
        };
        let provinces = filters.provinces.iter();
        add(provinces.map(|province| keyword(fields.province, province.code())).collect());
        let facilities = filters.facilities.iter();
        add(facilities.map(|key| keyword(fields.facility, key.as_str())).collect());
        let cities = filters.cities.iter();
        add(cities.map(|city| keyword(fields.city, &city.key())).collect());
        let companies = filters.companies.iter();
        add(companies.map(|company| in_a_row(fields.company, company.tokens())).collect());
        let prefixes = filters.naics.iter().flat_map(|branch| branch.prefixes());
        add(prefixes.map(|prefix| keyword(fields.naics, prefix.as_str())).collect());
        add(filters.substances.iter().map(|filter| self.substance(filter)).collect());
        let media = filters.media.iter();
        add(media.map(|medium| keyword(fields.medium, medium.0.slug())).collect());
        let ids = filters.record_ids.iter();
        add(ids.map(|id| keyword(fields.record_id, &id.0)).collect());
        let year = |year: u16| Some(u64::from(year));
        let spans = filters.reporting_years.iter();
        add(spans
            .map(|span| range(fields.year, year(*span.0.start()), year(*span.0.end())))
            .collect());
        if let Some(circle) = &filters.near {
            all.push(self.index.places().near(fields.coordinates, circle));
        }
        if let Some(bounds) = &filters.bbox {
            all.push(self.index.places().within(fields.coordinates, bounds));
        }
        let years = filters.years;
        if years.from.is_some() || years.to.is_some() {
            let end = |year: Option<u16>| year.map(u64::from);
            all.push(range(fields.year, end(years.from), end(years.to)));
        }
        if filters.values.is_bounded() {
            let compared = compared(self.request.value_unit);
            let field = fields.values[compared as usize];
            let values = self.index.values(compared);
            let within = values.within(&filters.values, self.request.value_unit);
            all.push(match within.is_empty() {
                true => Box::new(EmptyQuery),
                false => range(field, Some(within.start), Some(within.end - 1)),
            });
        }
        all
    }

    fn substance(&self, filter: &SubstanceFilter) -> Box<dyn Query> {
        let fields = &self.index.fields;
        match filter {
            SubstanceFilter::Id(id) => keyword(fields.substance, id.as_str()),
            SubstanceFilter::Words(words) => {
                Box::new(all_of(words.iter().map(|word| {
                    self.holding(word, fields.substance_name, fields.substance_classes)
                })))
            }
        }
    }
}

/// Matches everything if there are no queries.
fn all_of(queries: impl IntoIterator<Item = Box<dyn Query>>) -> BooleanQuery {
    let clauses: Clauses = queries.into_iter().map(|query| (Occur::Must, query)).collect();
    match clauses.is_empty() {
        true => BooleanQuery::new(vec![(Occur::Must, Box::new(AllQuery))]),
        false => BooleanQuery::new(clauses),
    }
}

fn any_of(queries: impl IntoIterator<Item = Box<dyn Query>>) -> Box<dyn Query> {
    let mut clauses: Clauses = queries.into_iter().map(|query| (Occur::Should, query)).collect();
    match clauses.pop() {
        Some((_, only)) if clauses.is_empty() => only,
        Some(last) => {
            clauses.push(last);
            Box::new(BooleanQuery::new(clauses))
        }
        None => Box::new(EmptyQuery),
    }
}

fn in_a_row(field: Field, tokens: &[String]) -> Box<dyn Query> {
    let terms = tokens.iter().map(|token| Term::from_field_text(field, token));
    let mut terms: Vec<Term> = terms.collect();
    if terms.len() > 1 {
        return Box::new(PhraseQuery::new(terms));
    }
    match terms.pop() {
        Some(term) => Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
        None => Box::new(EmptyQuery),
    }
}

fn keyword(field: Field, text: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
}

fn range(field: Field, from: Option<u64>, to: Option<u64>) -> Box<dyn Query> {
    let bound = |end: Option<u64>| match end {
        Some(end) => Bound::Included(Term::from_field_u64(field, end)),
        None => Bound::Unbounded,
    };
    Box::new(RangeQuery::new(bound(from), bound(to)))
}
