//! Values: which of them a request compares, the documents at the places of their order, and how
//! many of a set are among those.

mod filter;
mod prefixes;
mod units;
mod year_counts;

pub(crate) use filter::ValueFilter;
pub(crate) use prefixes::Prefixes;
pub(crate) use units::{UnitIndex, Units};
