//! Charts in frames on other sites: which sites those are, and how such a frame asks.

mod origin;
mod pass;

pub use origin::{Origin, OriginError};
pub(crate) use pass::EmbedPasses;
