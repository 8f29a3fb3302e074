//! Temporary.
#![allow(missing_docs, clippy::unwrap_used)]
fn main() {
    let mut args = std::env::args().skip(1);
    let dir = args.next().unwrap();
    let rows: u64 = args.next().unwrap().parse().unwrap();
    let s = outfall_fixtures::write_corpus(
        std::path::Path::new(&dir),
        &outfall_fixtures::Shape::sized(rows, 7),
    )
    .unwrap();
    std::fs::write(format!("{dir}/summary.txt"), format!("{s:?}")).unwrap();
}
