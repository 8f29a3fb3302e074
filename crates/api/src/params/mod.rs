//! Turns pairs of names and values into a checked, complete request. There is no other way to make
//! one.
//!
//! All problems of a request are found before any is reported.

pub(crate) mod advice;
mod dates;
mod facets;
mod fault;
mod filters;
mod format;
mod page;
mod places;
mod raw;
mod read;
mod request;
pub(crate) mod table;
mod years;

pub(crate) use fault::{CrossFault, ParameterFault, PlaceFault};
pub use fault::{PARAMETER_CODES, ParameterProblem};
pub use format::Format;
pub(crate) use raw::MAX_PARAMETER_LENGTH;
pub use raw::RawParams;
pub(crate) use read::integer;
pub use request::CheckedRequest;
pub use table::{PARAMETERS, Parameter, ParameterKind, names_of_answers};
