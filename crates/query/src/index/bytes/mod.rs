//! Numbers, lists and texts in the bytes of a file, from where they are used without a copy.

mod codec;
mod numbers;
mod strings;

pub(crate) use codec::{Decoder, Encoder, FileDecoder};
pub(crate) use numbers::{ALIGNMENT, AlignedBytes, numbered};
pub use numbers::{Number, Numbers, NumbersMut};
pub use strings::Strings;
pub(crate) use strings::StringsMut;
