//! The plain way, the embedded backend and the reference give the same answer to every class of
//! timed request and to mixtures of them.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

use std::sync::LazyLock;

use outfall_benches::agreement::check;
use outfall_benches::baseline::{PlainBackend, Segments};
use outfall_benches::corpus::{Corpus, reference};
use outfall_benches::workload::{Question, questions};
use outfall_indexer::Dataset;
use outfall_query::EmbeddedBackend;
use outfall_records::RecordKind;
use outfall_records::text::EQUIVALENTS;
use outfall_request::text::parse;
use outfall_request::{ReferenceBackend, SearchBackend, SearchRequest, Start};
use proptest::prelude::*;
use proptest::sample::Index;

struct Backends {
    reference: ReferenceBackend,
    embedded: EmbeddedBackend,
    naive: PlainBackend,
    stock: PlainBackend,
    questions: Vec<Question>,
    dataset: Dataset,
    _dir: tempfile::TempDir,
}

static BACKENDS: LazyLock<Backends> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let corpus = Corpus::generate(dir.path(), 3_000).unwrap();
    corpus.build().unwrap();
    let dataset = corpus.read().unwrap();
    let embedded = EmbeddedBackend::open(&corpus.data()).unwrap();
    let plain = |segments| {
        let mut backend = PlainBackend::build(&dataset, segments).unwrap();
        backend.count_facets(&dataset);
        backend
    };
    Backends {
        reference: reference(&dataset),
        naive: plain(Segments::Several),
        stock: plain(Segments::One),
        questions: questions(&dataset, &embedded, 8, 7).unwrap(),
        embedded,
        dataset,
        _dir: dir,
    }
});

impl Backends {
    fn agree(&self, question: &Question) {
        let backends: [(&str, &dyn SearchBackend); 4] = [
            ("reference", &self.reference),
            ("embedded", &self.embedded),
            ("naive", &self.naive),
            ("stock", &self.stock),
        ];
        check(&backends, question).unwrap();
    }
}

#[test]
fn every_class_has_one_answer() {
    for question in &BACKENDS.questions {
        BACKENDS.agree(question);
    }
}

#[test]
fn every_word_of_the_table_has_one_answer_with_its_plural() {
    for spelling in EQUIVALENTS.iter().flat_map(|(one, others)| others.iter().chain([one])) {
        for q in ["", "s", "x"].map(|ending| format!("{spelling}{ending}")) {
            for q in [format!("-{q}"), format!("\"{q}\""), format!("gold OR {q}"), q] {
                for record_kind in RecordKind::ALL {
                    let text = parse(&q).unwrap();
                    let request = SearchRequest { text, ..SearchRequest::all(record_kind) };
                    let target = format!("/{record_kind}?q={q}");
                    BACKENDS.agree(&Question { class: "words", target, request });
                }
            }
        }
    }
}

#[test]
fn the_same_seed_draws_the_same_requests() {
    let targets = |seed| {
        let drawn = questions(&BACKENDS.dataset, &BACKENDS.embedded, 2, seed).unwrap();
        drawn.into_iter().map(|question| question.target).collect::<Vec<_>>()
    };
    assert_eq!(targets(1), targets(1));
    assert_ne!(targets(1), targets(2));
}

#[test]
fn most_requests_find_something() {
    let found = BACKENDS
        .questions
        .iter()
        .filter(|question| BACKENDS.embedded.search(&question.request).unwrap().total > 0);
    assert!(found.count() * 10 > BACKENDS.questions.len() * 7);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn mixtures_have_one_answer(parts: [Index; 4], limit in prop::sample::select(vec![0, 1, 7, 25, 1000])) {
        let [text, filters, sort, page] = parts.map(|index| index.get(&BACKENDS.questions));
        let mut mixture = text.clone();
        mixture.target = [text, filters, sort, page].map(|part| part.target.as_str()).join(" + ");
        if filters.request.record_kind == text.request.record_kind {
            mixture.request.filters = filters.request.filters.clone();
            mixture.request.facets = filters.request.facets.clone();
        }
        if sort.request.record_kind == text.request.record_kind {
            mixture.request.sort = sort.request.sort;
            mixture.request.value_unit = sort.request.value_unit;
        }
        mixture.request.page.start = match page.request.page.start {
            Start::Offset(offset) => Start::Offset(offset / 50),
            // A cursor belongs to its own request.
            Start::After(_) => Start::Offset(3),
        };
        mixture.request.page.limit = limit;
        BACKENDS.agree(&mixture);
        // The next page, by cursor.
        if let Some(next) = BACKENDS.reference.search(&mixture.request).unwrap().next {
            mixture.request.page.start = Start::After(next);
            BACKENDS.agree(&mixture);
        }
    }
}
