//! Lists of numbers that are as large as a kind: read once, or made once, and shared from then on.
//!
//! A file is used in the memory that it was read into, so that nothing is copied.

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};

use tantivy::directory::OwnedBytes;
use zerocopy::{FromBytes, Immutable, IntoBytes};

#[cfg(target_endian = "big")]
compile_error!("the numbers of a generation are little-endian and are used where they were read");

#[cfg(not(target_pointer_width = "64"))]
compile_error!("files of an index may be longer than a pointer of 32 bits reaches");

/// The number of a place, or of places, in a list.
///
/// No list is as long as 2^32. [`encode`](crate::index::encode) refuses more records than that, and
/// more bytes of their values; everything else is fewer. Opening an index checks that its lists fit
/// together, which they would not if numbers had been truncated.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "see above")]
pub(crate) const fn numbered(place: usize) -> u32 {
    place as u32
}

/// Every list begins at a multiple of this many bytes.
pub(crate) const ALIGNMENT: usize = size_of::<u64>();

/// A number that lists can consist of.
pub trait Number: FromBytes + IntoBytes + Immutable {}

impl<T: FromBytes + IntoBytes + Immutable> Number for T {}

/// Bytes that begin at a multiple of [`ALIGNMENT`].
pub(crate) struct AlignedBytes {
    memory: Vec<u8>,
    range: Range<usize>,
}

impl AlignedBytes {
    /// `len` zeros.
    ///
    /// # Errors
    /// [`io::ErrorKind::OutOfMemory`].
    pub(crate) fn zeroed(len: usize) -> io::Result<Self> {
        let mut memory = Vec::new();
        let room = len.saturating_add(ALIGNMENT);
        memory.try_reserve_exact(room).map_err(|_| io::ErrorKind::OutOfMemory)?;
        memory.resize(room, 0);
        // Unaligned bytes are refused when numbers are read from them.
        let start = memory.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        Ok(Self { memory, range: start..start + len })
    }

    /// The same bytes, to be shared.
    pub(crate) fn shared(self) -> OwnedBytes {
        OwnedBytes::new(self.memory).slice(self.range)
    }
}

impl Deref for AlignedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.range.clone()]
    }
}

impl DerefMut for AlignedBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.range.clone()]
    }
}

/// A list of numbers that is shared, not copied.
pub struct Numbers<T> {
    bytes: OwnedBytes,
    of: PhantomData<T>,
}

impl<T: Number> Numbers<T> {
    /// The list in these bytes; `None` if they are not aligned or end within a number.
    pub(crate) fn new(bytes: OwnedBytes) -> Option<Self> {
        <[T]>::ref_from_bytes(&bytes).is_ok().then_some(Self { bytes, of: PhantomData })
    }

    /// A list of zeros, to be filled.
    #[must_use]
    pub fn zeroed(len: usize) -> NumbersMut<T> {
        let bytes = len.saturating_mul(size_of::<T>());
        let layout = Layout::array::<T>(len).unwrap_or(Layout::new::<T>());
        // Out of memory: abort, as `Vec` does.
        let bytes = AlignedBytes::zeroed(bytes).unwrap_or_else(|_| handle_alloc_error(layout));
        NumbersMut { bytes, of: PhantomData }
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
    /// Some of the numbers as another list, without a copy.
    ///
    /// # Panics
    /// If the range is out of bounds.
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
        // An empty list need not be aligned.
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
    bytes: AlignedBytes,
    of: PhantomData<T>,
}

impl<T: Number> NumbersMut<T> {
    /// The finished list.
    #[must_use]
    pub fn shared(self) -> Numbers<T> {
        Numbers { bytes: self.bytes.shared(), of: PhantomData }
    }
}

impl<T: Number> Deref for NumbersMut<T> {
    type Target = [T];

    #[expect(clippy::expect_used, reason = "the bytes are aligned and as long as the list")]
    fn deref(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.bytes).expect("an aligned list of whole numbers")
    }
}

impl<T: Number> DerefMut for NumbersMut<T> {
    #[expect(clippy::expect_used, reason = "the bytes are aligned and as long as the list")]
    fn deref_mut(&mut self) -> &mut [T] {
        <[T]>::mut_from_bytes(&mut self.bytes).expect("an aligned list of whole numbers")
    }
}
