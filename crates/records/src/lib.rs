//! The data model of Outfall: releases and emissions, the types of their fields, the one definition
//! of their JSON, and the tokens that text is searched by.
//!
//! This crate does no I/O and knows neither files, engines nor HTTP.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod abbreviation;
mod amount;
mod bytes;
mod dataset;
mod decimal;
mod doc;
mod emission;
mod facility;
mod fields;
mod fixed_point;
mod json;
mod medium;
mod naics;
mod province;
mod record;
mod record_kind;
mod release;
mod search_field;
mod site;
mod substance;
mod tables;
pub mod text;
mod unit;
mod year;

pub use abbreviation::{ABBREVIATIONS, Abbreviation};
pub use amount::Amount;
pub use bytes::{push_decimal, push_text, push_varint};
pub use dataset::{DatasetInfo, KindInfo, SourceInfo};
pub use decimal::{DecimalError, parse_plain_decimal, parse_source_decimal};
pub use doc::Doc;
pub use emission::{Emission, Gases};
pub use facility::{FacilityId, FacilityKey, GhgrpId, IdError, NpriId};
pub use fields::{Field, FieldKind, FieldValue, OwnField, RecordField, RecordPart};
pub use fixed_point::FixedPoint;
pub use medium::Medium;
pub use naics::{NaicsBranch, NaicsCode, NaicsError};
pub use province::Province;
pub use record::Record;
pub use record_kind::{PerKind, RecordKind};
pub use release::{BreakdownPart, Category, RELEASE_SOURCE_URL, Release, media_texts};
pub use rust_decimal::Decimal;
pub use search_field::{SearchField, SearchText};
pub use site::Site;
pub use substance::{Substance, SubstanceId, SubstanceIdError};
pub use tables::{
    EmissionEntry, NO_METHOD, PartEntry, RecordTable, ReleaseEntry, Tables, TooLarge, ranks,
};
pub use unit::Unit;
pub use year::{ReportingYear, YearError};
