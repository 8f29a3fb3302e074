//! The request language of Outfall and the backends that answer it.
//!
//! A [`SearchRequest`] holds all that a backend needs, a [`SearchPage`] all that it gives.
//! [`ReferenceBackend`] is the executable meaning of the contract; every other backend answers
//! with the same count, the same ids in the same order and the same bytes.
//!
//! ```
//! # use std::sync::Arc;
//! # use outfall_records::*;
//! use outfall_request::{ReferenceBackend, SearchBackend, SearchRequest, text};
//!
//! # let id = FacilityId::Ghgrp(GhgrpId::parse("G10001").unwrap());
//! # let name = "Aluminerie de Baie-Comeau".to_owned();
//! # let smelter = Site {
//! #     facility_id: id, cross_reference: None, linked_ids: vec![], every_name: vec![name.clone()],
//! #     facility_name: Some(name), company_name: None, trade_name: None, city: None,
//! #     province: Some(Province::Qc), naics_code: None, naics_en: None, naics_fr: None,
//! #     latitude: None, longitude: None,
//! # };
//! let emission = Record::Emission(Emission {
//!     site: Arc::new(smelter),
//!     year: ReportingYear::new(2022).unwrap(),
//!     total_co2e: Decimal::new(1_234_567, 1),
//!     gases: Gases::default(),
//! });
//! let backend = ReferenceBackend::new([emission], DatasetInfo::default());
//!
//! let mut request = SearchRequest::all(RecordKind::Emission);
//! request.text = text::parse("aluminerie -\"Sept-Iles\"").unwrap();
//! request.filters.provinces.push(Province::Qc);
//! let page = backend.search(&request).unwrap();
//! assert_eq!(page.total, 1);
//! let record: &[u8] = page.records.iter().next().unwrap();
//! assert!(record.starts_with(br#"{"record_id":"G10001:2022","facility_name":"Aluminerie"#));
//! ```

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod backend;
mod bound;
mod cursor;
mod edition;
mod explanation;
mod facet;
mod filter;
mod identity;
mod page;
mod reference;
mod request;
mod sink;
mod suggestion;
pub mod text;

pub use backend::{BackendSource, SearchBackend, SearchError};
pub use bound::{Bound, BoundError};
pub use cursor::{Cursor, CursorError, CursorKey};
pub use edition::{
    Change, Edit, Edition, EditionNames, EditionRecord, EditionRecords, OwnValues, Quantity,
    RecordNames, compare, edition_records,
};
pub use explanation::{Explanation, FilterCount, GivenFilter, TermCount};
pub use facet::{
    CrossedEntry, CrossedFacet, CrossedTable, Facet, FacetDetails, FacetEntry, FacetInfo,
    FacetPlace, FacetSort, FacetSum, FacetTable, FacetTables, FacetValue, Facets, unit_name_fr,
};
pub use filter::*;
pub use identity::{build_id, records_hash};
pub use page::{RecordsJson, SearchPage, UnitCounts};
pub use reference::ReferenceBackend;
pub use request::{Page, SearchRequest, Sort, SortKey, SortOrder, Start, Stop};
pub use sink::{Published, RecordSink, ServedRecords};
pub use suggestion::{Vocabulary, WordList};
