//! Times each class of request, and the parts of a search by themselves.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use outfall_benches::agreement::check;
use outfall_benches::corpus::{Corpus, reference};
use outfall_benches::workload::{Question, questions};
use outfall_query::EmbeddedBackend;
use outfall_request::SearchBackend;
use outfall_request::text::parse;

/// Requests of each class, asked in turn.
const EACH: usize = 4;

fn search(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().unwrap();
    let corpus = Corpus::generate(dir.path(), 120_000).unwrap();
    corpus.build().unwrap();
    let dataset = corpus.read().unwrap();
    let backend = EmbeddedBackend::open(&corpus.data()).unwrap();
    let questions = questions(&dataset, &backend, EACH, 1).unwrap();
    let reference = reference(&dataset);
    for question in &questions {
        check(&[("reference", &reference), ("embedded", &backend)], question).unwrap();
    }
    drop((dataset, reference));
    of_classes(criterion, "search", &backend, &questions, 25);
    of_classes(criterion, "lower-and-count", &backend, &questions, 0);
    bodies(criterion, &backend, &questions);
}

fn of_classes(
    criterion: &mut Criterion,
    name: &str,
    backend: &EmbeddedBackend,
    questions: &[Question],
    limit: u32,
) {
    let mut group = criterion.benchmark_group(name);
    // There are many classes, and each takes microseconds.
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(1));
    for of_class in questions.chunks(EACH) {
        let mut requests: Vec<_> =
            of_class.iter().map(|question| question.request.clone()).collect();
        requests.iter_mut().for_each(|request| request.page.limit = limit);
        let mut turns = requests.iter().cycle();
        group.bench_function(of_class[0].class, |bencher| {
            bencher.iter(|| backend.search(black_box(turns.next().unwrap())).unwrap());
        });
    }
    group.finish();
}

/// Times a thousand records in the default order, where almost all the work is the body.
fn bodies(criterion: &mut Criterion, backend: &EmbeddedBackend, questions: &[Question]) {
    let mut request = questions[0].request.clone();
    request.page.limit = 1_000;
    let mut group = criterion.benchmark_group("body");
    group.throughput(Throughput::Elements(1_000));
    group.bench_function("1000 records", |bencher| {
        bencher.iter(|| backend.search(black_box(&request)).unwrap());
    });
    group.finish();
}

fn text(criterion: &mut Criterion) {
    criterion.bench_function("parse-q", |bencher| {
        bencher.iter(|| parse(black_box("Sarnia benzene OR toluene -\"et ses composés\" l'usine")));
    });
}

criterion_group!(benches, text, search);
criterion_main!(benches);
