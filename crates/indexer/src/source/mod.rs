//! From a file on disk to blocks of whole physical lines.

mod blocks;
mod encoding;
mod open;
mod rows;

pub(crate) use blocks::{Block, Blocks};
pub(crate) use encoding::Encoding;
pub(crate) use open::{Container, Opened, open};
pub(crate) use rows::{Fields, Rows};
