//! Temporary: parse only with the csv crate.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(path).unwrap();
    let mut record = csv::ByteRecord::new();
    let mut n = 0u64;
    while reader.read_byte_record(&mut record).unwrap() {
        n += record.len() as u64;
    }
    println!("{n}");
}
