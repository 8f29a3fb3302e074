//! Looking words, phrases and keywords up among the descriptions.

use outfall_layout::Kind;
use tantivy::query::{EnableScoring, PhraseQuery, Query};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, TERMINATED, TantivyError, Term};

/// The numbers of the descriptions that hold `tokens` in a row in one value of `field`.
pub(crate) fn with_tokens(
    kind: &Kind,
    field: Field,
    tokens: &[String],
) -> Result<Vec<u32>, TantivyError> {
    match tokens {
        [] => Ok(Vec::new()),
        [token] => with_term(kind, field, token),
        _ => with_phrase(kind, field, tokens),
    }
}

/// The numbers of the descriptions that have `term` in `field`.
pub(crate) fn with_term(kind: &Kind, field: Field, term: &str) -> Result<Vec<u32>, TantivyError> {
    let term = Term::from_field_text(field, term);
    let mut found = Vec::new();
    for segment in kind.descriptions.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        if let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? {
            collect(&mut postings, &mut found);
        }
    }
    Ok(found)
}

fn with_phrase(kind: &Kind, field: Field, tokens: &[String]) -> Result<Vec<u32>, TantivyError> {
    let terms = tokens.iter().map(|token| Term::from_field_text(field, token)).collect();
    let scoring = EnableScoring::disabled_from_searcher(&kind.descriptions);
    let weight = PhraseQuery::new(terms).weight(scoring)?;
    let mut found = Vec::new();
    for segment in kind.descriptions.segment_readers() {
        collect(weight.scorer(segment, 1.0)?.as_mut(), &mut found);
    }
    Ok(found)
}

fn collect(documents: &mut (impl DocSet + ?Sized), found: &mut Vec<u32>) {
    while documents.doc() != TERMINATED {
        found.push(documents.doc());
        documents.advance();
    }
}
