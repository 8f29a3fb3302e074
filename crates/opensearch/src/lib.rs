//! OpenSearch as an engine of Outfall: the records are loaded into a cluster, and requests are
//! answered from it.
//!
//! The cluster only compares, counts and adds whole numbers: the tokens of texts are made here, for
//! records and requests alike; decimals are compared by keys in byte order and added in limbs; the
//! JSON of a record is kept as one string. So answers are those of any other engine, byte by byte.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod answer;
mod backend;
mod client;
mod connection;
mod document;
mod error;
mod facet_key;
mod facets;
mod limbs;
mod lists;
mod load;
mod lower;
mod mapping;
mod names;
mod observer;
mod open;
mod opened;
mod order_key;
mod page;

pub use backend::OpenSearchBackend;
pub use client::Client;
pub use connection::{Connection, ConnectionFiles, Credentials};
pub use error::ClusterError;
pub use load::{LoadOptions, Loader, remove_all, roll_back};
pub use mapping::Layout;
pub use names::Names;
pub use observer::{Observer, Outcome};
