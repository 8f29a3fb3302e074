//! How long each class of request takes, body included.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use outfall_benches::{Corpus, requests, requests_with_facets};
use outfall_query::SearchBackend;
use outfall_query::text::parse;

fn search(criterion: &mut Criterion) {
    let corpus = Corpus::generate();
    let backend = corpus.backend();
    for (group, requests) in [("search", requests()), ("facets", requests_with_facets())] {
        let mut group = criterion.benchmark_group(group);
        for (name, request) in requests {
            group.bench_function(name, |bencher| {
                bencher.iter(|| backend.search(black_box(&request)));
            });
        }
        group.finish();
    }
    criterion.bench_function("parse-q", |bencher| {
        bencher.iter(|| parse(black_box("Sarnia benzene OR toluene -\"et ses composés\" l'usine")));
    });
}

criterion_group!(benches, search);
criterion_main!(benches);
