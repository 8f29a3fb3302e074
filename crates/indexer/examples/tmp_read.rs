//! Temporary.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
fn main() {
    let mut args = std::env::args().skip(1);
    let threads = args.next().unwrap().parse().ok();
    let options = outfall_indexer::BuildOptions {
        threads,
        max_rejects: 1.0,
        ..outfall_indexer::BuildOptions::of_files(args.map(Into::into))
    };
    let d = outfall_indexer::read(&options, &outfall_indexer::Silent).unwrap();
    println!("{:?} {}", d.report.stages, d.releases.len());
}
