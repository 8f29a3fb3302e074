//! From pairs of names and values to a request that is checked and complete: the only way in.
//!
//! Every problem of a request is found before any is reported.

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

pub(crate) use fault::ParameterFault;
pub use fault::{PARAMETER_CODES, ParameterProblem};
pub use format::Format;
pub(crate) use raw::MAX_PARAMETER_LENGTH;
pub use raw::RawParams;
pub use request::CheckedRequest;
pub(crate) use table::nearest_of;
pub use table::{PARAMETERS, Parameter, ParameterKind};
