//! The request language of Outfall and the backends that answer it.
//!
//! A [`SearchRequest`] holds all that a backend needs, a [`SearchPage`] all that it gives.
//! [`ReferenceBackend`] is the executable meaning of the contract; every other backend answers
//! with the same count, the same ids in the same order and the same bytes.

mod backend;
mod bound;
mod cursor;
mod exact_sum;
mod facet;
mod filter;
mod page;
mod reference;
mod request;
pub mod text;

pub use backend::{BackendSource, SearchBackend, SearchError};
pub use bound::{Bound, BoundError};
pub use cursor::{Cursor, CursorError, CursorKey};
pub use exact_sum::ExactSum;
pub use facet::{
    Facet, FacetEntry, FacetSum, FacetTable, FacetValue, Facets, places_to_sum, unit_name_fr,
};
pub use filter::{Filters, SubstanceFilter, ValueRange, ValueUnit, YearRange};
pub use page::{RecordsJson, SearchPage, TermCount, UnitCounts};
pub use reference::ReferenceBackend;
pub use request::{Page, SearchRequest, Sort, SortKey, SortOrder, Start};
