//! Times a build and, for comparison, only reading the same rows into records.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use outfall_benches::corpus::Corpus;

fn build(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().unwrap();
    let corpus = Corpus::generate(dir.path(), 120_000).unwrap();
    let mut group = criterion.benchmark_group("build");
    group.throughput(Throughput::Bytes(corpus.bytes().unwrap())).sample_size(10);
    group.bench_function("read-only", |bencher| bencher.iter(|| corpus.read().unwrap()));
    group.bench_function("publish", |bencher| bencher.iter(|| corpus.build().unwrap()));
    group.finish();
}

criterion_group!(benches, build);
criterion_main!(benches);
