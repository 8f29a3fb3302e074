//! Opens a file, cuts it into blocks of whole physical lines, and splits these into rows.

mod blocks;
mod content;
mod encoding;
mod fields;
mod open;
mod rows;
mod split;
mod unpacked;
mod wrong_format;

pub(crate) use blocks::{Block, Blocks};
pub(crate) use content::{Content, Hashes};
pub(crate) use encoding::Encoding;
pub(crate) use fields::Fields;
pub(crate) use open::{Container, Opened, Stamp, open};
pub(crate) use rows::CsvRows;
pub(crate) use wrong_format::wrong_format;
