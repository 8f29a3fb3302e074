//! Sets of documents: a range, a list, or one bit for each document.

mod bits;
mod doc_set;
mod popcount;

pub(crate) use bits::Bits;
pub(crate) use doc_set::{DENSE_SHARE, DocSet, Members, overlap};
