//! `q`: its grammar, its parsed form, and the meaning of a unit.

mod lexer;
mod parse;
mod query;

pub use parse::{MAX_LENGTH, MAX_PHRASES, MAX_UNITS, ParseError, parse};
pub use query::{Clause, Sought, TextQuery, TextUnit, TextWarning, UnitForm};
