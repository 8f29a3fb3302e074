//! Folds rows into records: one for each facility, year, substance and medium, or for each facility
//! and year.

mod emissions;
mod exact;
mod latest;
mod releases;
mod run;
mod shown_site;
mod substances;

pub(crate) use emissions::fold as fold_emissions;
pub(crate) use releases::fold as fold_releases;
