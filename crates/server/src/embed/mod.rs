//! Charts in frames on other sites: which sites may show them, and the pass that a frame sends.

mod origin;
mod pass;

pub use origin::{Origin, OriginError};
pub(crate) use pass::EmbedPasses;
