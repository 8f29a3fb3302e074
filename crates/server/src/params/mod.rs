//! From a query string to a request that is checked and complete: the only way in.
//!
//! Every problem of a request is found before any is told.

mod dates;
mod facets;
mod fault;
mod filters;
mod format;
mod page;
mod raw;
mod read;
mod request;
pub(crate) mod table;

pub use fault::PARAMETER_CODES;
pub(crate) use fault::{Fault, ParameterProblem};
pub(crate) use format::Format;
pub(crate) use raw::RawParams;
pub(crate) use request::{CheckedRequest, emission_request, release_request};
pub(crate) use table::nearest_of;
pub use table::{PARAMETERS, Parameter, ParameterKind};
