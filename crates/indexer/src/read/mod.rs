//! Reads the rows of the four files into compact rows, each distinct text stored once.

mod begin;
mod block;
mod cell;
mod cell_cache;
mod cesi;
mod emissions;
mod file;
mod ghgrp;
mod locations;
mod pool;
mod releases;

pub use begin::recognise;
pub(crate) use emissions::EmissionLine;
pub(crate) use file::{Inputs, Origin, read_file};
pub(crate) use locations::LocationLine;
pub(crate) use pool::{Pool, numbered};
pub(crate) use releases::{ReleaseLine, ReleaseSite, ReleaseSubstance, SubstanceText};
