//! The embedded engine: writing, opening and searching the index of each kind.
//!
//! The only crate that names tantivy. `index` writes and opens the files of an index; `search`
//! translates a request (`q`, ranges, terms) into look-ups and sets of documents.
//!
//! ```
//! # use std::sync::Arc;
//! # use outfall_records::*;
//! use outfall_query::{EmbeddedBackend, Staging};
//! use outfall_request::{RecordSink, SearchBackend, SearchRequest};
//!
//! # let id = FacilityId::Ghgrp(GhgrpId::parse("G10001").unwrap());
//! # let name = "Aluminerie de Baie-Comeau".to_owned();
//! # let smelter = Site {
//! #     facility_id: id, cross_reference: None, linked_ids: vec![], every_name: vec![name.clone()],
//! #     facility_name: Some(name), company_name: None, trade_name: None, city: None,
//! #     province: Some(Province::Qc), naics_code: None, naics_en: None, naics_fr: None,
//! #     latitude: None, longitude: None,
//! # };
//! let year = ReportingYear::new(2022).unwrap();
//! let total_co2e = Decimal::new(1_234_567, 1);
//! let records = vec![EmissionEntry { site: 0, year, total_co2e, gases: Gases::default() }];
//! let emissions =
//!     Tables { sites: vec![Arc::new(smelter)], rows: RecordTable::Emission { records } };
//!
//! # let releases = Tables {
//! #     sites: vec![],
//! #     rows: RecordTable::Release {
//! #         substances: vec![], categories: vec![], methods: vec![], records: vec![], parts: vec![],
//! #     },
//! # };
//!
//! let data = tempfile::tempdir()?;
//! let mut staging = Staging::begin(data.path())?;
//! staging.write(PerKind { releases, emissions })?;
//! staging.publish(Vec::new())?;
//!
//! let backend = EmbeddedBackend::open(data.path())?;
//! let page = backend.search(&SearchRequest::all(RecordKind::Emission))?;
//! assert_eq!(page.total, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod index;
mod search;

pub use index::*;
pub use search::EmbeddedBackend;
