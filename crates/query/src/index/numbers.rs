//! Lists of numbers that are as large as a kind: read once, or made once, and shared from then on.
//!
//! A file is used where it was read to, so that nothing of it is copied. The memory is anonymous,
//! never a file's, and the kernel hands out all of it at once: page by page that took a third of the
//! time of opening an index. Large pages are not asked for: on virtual machines whose memory is
//! handed out late they took twice as long.

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use memmap2::{MmapMut, MmapOptions};
use tantivy::directory::OwnedBytes;
use zerocopy::{FromBytes, Immutable, IntoBytes};

#[cfg(target_endian = "big")]
compile_error!("the numbers of a generation are little-endian and are used where they were read");

/// What every list begins at a multiple of.
pub(crate) const ALIGNMENT: usize = size_of::<u64>();

/// A number of which a list consists.
pub trait Number: FromBytes + IntoBytes + Immutable {}

impl<T: FromBytes + IntoBytes + Immutable> Number for T {}

/// Memory that is all zero.
pub(crate) fn zeroed(bytes: usize) -> io::Result<MmapMut> {
    MmapOptions::new().len(bytes).populate().map_anon()
}

/// A list of numbers that is shared, not copied.
pub struct Numbers<T> {
    bytes: OwnedBytes,
    of: PhantomData<T>,
}

impl<T: Number> Numbers<T> {
    /// The list whose bytes these are; `None` when they are not aligned or end amid a number.
    pub(crate) fn new(bytes: OwnedBytes) -> Option<Self> {
        <[T]>::ref_from_bytes(&bytes).is_ok().then_some(Self { bytes, of: PhantomData })
    }

    /// A list that is still to be filled, of zeros.
    #[must_use]
    pub fn zeroed(len: usize) -> NumbersMut<T> {
        let bytes = len.saturating_mul(size_of::<T>());
        let layout = Layout::array::<T>(len).unwrap_or(Layout::new::<T>());
        // Out of memory: abort, as `Vec` does.
        let memory = zeroed(bytes).unwrap_or_else(|_| handle_alloc_error(layout));
        NumbersMut { memory, bytes, of: PhantomData }
    }

    /// A list of these numbers.
    #[must_use]
    pub fn copied(numbers: &[T]) -> Self
    where
        T: Copy,
    {
        let mut copy = Self::zeroed(numbers.len());
        copy.copy_from_slice(numbers);
        copy.shared()
    }
}

impl<T: Number> Numbers<T> {
    /// Some of the numbers, as a list of their own.
    ///
    /// # Panics
    /// When there are not that many.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let bytes = range.start * size_of::<T>()..range.end * size_of::<T>();
        Self { bytes: self.bytes.slice(bytes), of: PhantomData }
    }
}

impl<T: Number> Deref for Numbers<T> {
    type Target = [T];

    #[inline]
    #[expect(
        clippy::expect_used,
        reason = "alignment and length were checked when the list was made"
    )]
    fn deref(&self) -> &[T] {
        // An empty list may stand anywhere.
        if self.bytes.is_empty() {
            return &[];
        }
        <[T]>::ref_from_bytes(&self.bytes).expect("an aligned list of whole numbers")
    }
}

impl<T> Clone for Numbers<T> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), of: PhantomData }
    }
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { bytes: OwnedBytes::empty(), of: PhantomData }
    }
}

impl<T: Number + fmt::Debug> fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A list of numbers that is being filled.
pub struct NumbersMut<T> {
    memory: MmapMut,
    /// How many of them the list has; a system may not map none.
    bytes: usize,
    of: PhantomData<T>,
}

impl<T: Number> NumbersMut<T> {
    /// The finished list.
    #[must_use]
    pub fn shared(self) -> Numbers<T> {
        let bytes = OwnedBytes::new(self.memory).slice(0..self.bytes);
        Numbers { bytes, of: PhantomData }
    }
}

impl<T: Number> Deref for NumbersMut<T> {
    type Target = [T];

    #[expect(
        clippy::expect_used,
        reason = "the memory begins at a page and has the length of the list"
    )]
    fn deref(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.memory[..self.bytes]).expect("a page of whole numbers")
    }
}

impl<T: Number> DerefMut for NumbersMut<T> {
    #[expect(
        clippy::expect_used,
        reason = "the memory begins at a page and has the length of the list"
    )]
    fn deref_mut(&mut self) -> &mut [T] {
        <[T]>::mut_from_bytes(&mut self.memory[..self.bytes]).expect("a page of whole numbers")
    }
}
