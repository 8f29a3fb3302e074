//! Why nothing matches: what each unit of `q` and each filter matches by itself.
//!
//! The engine that found nothing counts these too, so that all counts are of the same data.

use outfall_records::text::words;

use crate::suggestion::{is_word, nearest};
use crate::text::{Clause, Pattern, TextQuery, TextUnit, UnitForm};
use crate::{
    CityFilter, Filters, Page, SearchBackend, SearchError, SearchRequest, Start, Vocabulary,
    WordList,
};

/// A filter as the caller gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenFilter {
    /// The name of the parameter as written, which may be an alias.
    pub parameter: String,
    /// The value as written.
    pub value: String,
    /// This filter and no other.
    pub filters: Filters,
}

/// Why nothing matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Each unit of `q`, in the order written.
    pub terms: Vec<TermCount>,
    /// Each value of each filter, in the order of [`SearchRequest::explain`].
    pub filters: Vec<FilterCount>,
}

/// What a unit of `q` matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermCount {
    /// The unit as written, its `-` included.
    pub text: String,
    /// The records that it matches under the other filters.
    pub count: u64,
    /// The records that it matches by itself.
    pub count_alone: u64,
    /// Suggested words, if it is a word that occurs nowhere.
    pub did_you_mean: Vec<String>,
}

/// What a filter matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterCount {
    /// The name of the parameter as written.
    pub parameter: String,
    /// The value as written.
    pub value: String,
    /// The records that it matches by itself.
    pub count: u64,
    /// Suggested words, or names of cities, for the first word that occurs nowhere.
    pub did_you_mean: Vec<String>,
}

impl Explanation {
    /// Explains why `request` matches nothing, if the request asks for that. An engine passes
    /// itself and the words of its records of that kind.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn of(
        backend: &dyn SearchBackend,
        request: &SearchRequest,
        vocabulary: &dyn Vocabulary,
    ) -> Result<Option<Self>, SearchError> {
        let Some(given) = &request.explain else { return Ok(None) };
        let engine = Engine { backend, request, vocabulary };
        let terms = request.text.units().map(|unit| engine.explain_unit(unit));
        let filters = given.iter().map(|given| engine.explain_filter(given));
        let terms = terms.collect::<Result<_, _>>()?;
        Ok(Some(Self { terms, filters: filters.collect::<Result<_, _>>()? }))
    }
}

/// Counts within the deadline of a request, and in its unit of values.
struct Engine<'a> {
    backend: &'a dyn SearchBackend,
    request: &'a SearchRequest,
    vocabulary: &'a dyn Vocabulary,
}

impl Engine<'_> {
    fn explain_unit(&self, unit: &TextUnit) -> Result<TermCount, SearchError> {
        Ok(TermCount {
            text: unit.written.clone(),
            count: self.count(Some(unit), self.request.filters.clone())?,
            count_alone: self.count(Some(unit), Filters::default())?,
            did_you_mean: match unit.pattern.word() {
                Some(word) if self.count_word(word)? == 0 => self.nearest_words(word)?,
                _ => Vec::new(),
            },
        })
    }

    fn explain_filter(&self, given: &GivenFilter) -> Result<FilterCount, SearchError> {
        let GivenFilter { parameter, value, filters } = given.clone();
        let list = filters.word_list();
        let count = self.count(None, filters)?;
        let did_you_mean = match list {
            Some(WordList::Words) => self.nearest_to_first(&value)?,
            Some(WordList::Cities) if count == 0 => {
                nearest(self.vocabulary, WordList::Cities, &value, |name| self.count_city(name))?
            }
            _ => Vec::new(),
        };
        Ok(FilterCount { parameter, value, count, did_you_mean })
    }

    /// Suggestions for the first word of a value that occurs nowhere.
    fn nearest_to_first(&self, value: &str) -> Result<Vec<String>, SearchError> {
        for written in value.split_whitespace() {
            if let [word] = words(written).as_slice()
                && is_word(word)
                && self.count_word(word)? == 0
            {
                return self.nearest_words(word);
            }
        }
        Ok(Vec::new())
    }

    fn nearest_words(&self, word: &str) -> Result<Vec<String>, SearchError> {
        nearest(self.vocabulary, WordList::Words, word, |word| self.count_word(word))
    }

    /// How many records a word of `q` finds.
    fn count_word(&self, word: &str) -> Result<u64, SearchError> {
        let Some(pattern) = Pattern::new(word, UnitForm::Word) else { return Ok(0) };
        let (text, written) = (word.to_owned(), word.to_owned());
        let unit = TextUnit { is_excluded: false, written, text, pattern };
        self.count(Some(&unit), Filters::default())
    }

    fn count_city(&self, name: &str) -> Result<u64, SearchError> {
        let Some(city) = CityFilter::new(name) else { return Ok(0) };
        self.count(None, Filters { cities: vec![city], ..Filters::default() })
    }

    fn count(&self, unit: Option<&TextUnit>, filters: Filters) -> Result<u64, SearchError> {
        let clauses = unit.map(|unit| Clause { units: vec![unit.clone()] });
        let SearchRequest { record_kind, value_unit, deadline, ref stop, .. } = *self.request;
        let counted = SearchRequest {
            text: TextQuery { clauses: clauses.into_iter().collect(), ..TextQuery::default() },
            filters,
            value_unit,
            page: Page { start: Start::Offset(0), limit: 0 },
            deadline,
            stop: stop.clone(),
            ..SearchRequest::all(record_kind)
        };
        Ok(self.backend.search(&counted)?.total)
    }
}
