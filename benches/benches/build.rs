//! How long a build takes beside reading the same rows into records only.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use outfall_benches::Corpus;
use outfall_indexer::Silent;

fn build(criterion: &mut Criterion) {
    let corpus = Corpus::generate();
    let mut group = criterion.benchmark_group("build");
    group.throughput(Throughput::Bytes(corpus.bytes())).sample_size(10);
    group.bench_function("read-only", |bencher| {
        bencher.iter(|| outfall_indexer::read(&corpus.options(), &Silent));
    });
    group.bench_function("publish", |bencher| {
        bencher.iter(|| outfall_indexer::build(&corpus.options(), &corpus.data(), &Silent));
    });
    group.finish();
}

criterion_group!(benches, build);
criterion_main!(benches);
