//! What the contract promises, held by a few records made by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers;
mod backends;
mod classes;
mod facets;
mod filters;
mod laws;
mod order;
mod paging;
mod reading;
mod records;
mod requests;
mod text;
