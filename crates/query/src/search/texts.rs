//! Looks up words, phrases and keywords among the distinct texts.

use outfall_request::SearchError;
use tantivy::postings::SegmentPostings;
use tantivy::query::{EnableScoring, PhraseQuery, Query};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, TERMINATED, TantivyError, Term};

use crate::search::deadline::Deadline;
use crate::search::index::KindIndex;

/// Calls `found` with each text that holds `tokens` in a row in `field`.
pub(crate) fn with_tokens(
    kind: &KindIndex,
    field: Field,
    tokens: &[String],
    deadline: &Deadline,
    found: impl FnMut(u32) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    match tokens {
        [] => Ok(()),
        [token] => with_term(kind, field, token, deadline, found),
        _ => with_phrase(kind, field, tokens, deadline, found),
    }
}

/// Calls `found` with each text that has `term` in `field`.
pub(crate) fn with_term(
    kind: &KindIndex,
    field: Field,
    term: &str,
    deadline: &Deadline,
    mut found: impl FnMut(u32) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    let term = Term::from_field_text(field, term);
    let read = |segment: &tantivy::SegmentReader| -> Result<Option<SegmentPostings>, TantivyError> {
        Ok(segment.inverted_index(field)?.read_postings(&term, IndexRecordOption::Basic)?)
    };
    for segment in kind.texts.segment_readers() {
        if let Some(mut postings) = read(segment).map_err(engine)? {
            collect(&mut postings, deadline, &mut found)?;
        }
    }
    Ok(())
}

fn with_phrase(
    kind: &KindIndex,
    field: Field,
    tokens: &[String],
    deadline: &Deadline,
    mut found: impl FnMut(u32) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    let terms = tokens.iter().map(|token| Term::from_field_text(field, token)).collect();
    let scoring = EnableScoring::disabled_from_searcher(&kind.texts);
    let weight = PhraseQuery::new(terms).weight(scoring).map_err(engine)?;
    for segment in kind.texts.segment_readers() {
        let mut scorer = weight.scorer(segment, 1.0).map_err(engine)?;
        collect(scorer.as_mut(), deadline, &mut found)?;
    }
    Ok(())
}

fn collect(
    texts: &mut (impl DocSet + ?Sized),
    deadline: &Deadline,
    found: &mut impl FnMut(u32) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    while texts.doc() != TERMINATED {
        deadline.spend(1)?;
        found(texts.doc())?;
        texts.advance();
    }
    Ok(())
}

fn engine(error: TantivyError) -> SearchError {
    SearchError::Engine(error.to_string())
}
