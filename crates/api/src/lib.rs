//! Outfall's public interface without a network: the requests that it accepts and the answers that
//! it gives.
//!
//! A front end (HTTP or the command line) passes in pairs of names and values, gets back a checked
//! request or every problem with it, searches, and writes the result:
//!
//! ```
//! use outfall_api::{CheckedRequest, Format, Language, RawParams, envelope};
//! use outfall_records::RecordKind;
//!
//! let pairs = [("q", "mercury"), ("provnce", "ON"), ("limit", "2000")];
//! let raw = RawParams::from_pairs(pairs, RecordKind::Release);
//! let problems = CheckedRequest::new(RecordKind::Release, raw, Format::Json).unwrap_err();
//! let details = problems.iter().map(|problem| problem.detail().in_language(Language::English));
//! let details: Vec<_> = details.collect();
//! assert_eq!(details, ["unknown parameter", "limit must be between 0 and 1000."]);
//! ```
//!
//! Nothing here does I/O or depends on a server or an engine.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod canonical;
mod envelope;
mod export;
mod facet_warnings;
mod facets;
mod language;
pub mod mcp;
mod openapi;
mod params;
mod places;
mod problem;
mod quality_values;
mod search;
mod service;

pub use canonical::canonical_query;
pub use envelope::{WARNING_CODES, Warning, envelope, warnings};
pub use export::export;
pub use language::{Bilingual, Language};
pub use openapi::{REQUEST_ID, document as openapi_document, of_language as openapi_value};
pub use params::{
    CheckedRequest, Format, PARAMETER_CODES, PARAMETERS, Parameter, ParameterKind,
    ParameterProblem, RawParams, names_of_answers,
};
pub use places::places;
pub use problem::{Methods, PROBLEM_CODES, Problem, whole_seconds};
pub use quality_values::{Weight, quality_values};
pub use search::search;
pub use service::{DegradedReason, Health, INDEX, Index, Meta, Status};
