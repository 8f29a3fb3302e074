//! `q`: its grammar, its parsed form, and the meaning of a unit.

mod ignored;
mod lexer;
mod parse;
mod pattern;
mod query;
mod read_as;

pub use parse::{MAX_LENGTH, MAX_PHRASES, MAX_UNITS, ParseError, parse};
pub use pattern::{Pattern, Sought, UnitForm};
pub use query::{Clause, TextQuery, TextUnit, TextWarning};
