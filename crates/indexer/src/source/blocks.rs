//! Cuts a stream into blocks of whole lines that can be parsed in parallel.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr_iter, memrchr};

use super::split::MAX_ROW;

/// Some physical lines of a file. A row may continue past the end of a block.
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The number of the first line; the header is line 1.
    pub(crate) first_line: u64,
}

/// The blocks of a stream.
pub(crate) struct Blocks<R> {
    reader: R,
    /// The bytes read past the end of the last block.
    rest: Vec<u8>,
    /// The memory of earlier blocks, for reuse.
    spent: Vec<Vec<u8>>,
    next_line: u64,
    is_at_end: bool,
    target: usize,
}

/// Large enough that cutting costs nothing, small enough that a few fit the memory budget.
const TARGET: usize = 1 << 19;

impl<R: Read> Blocks<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self::with_target(reader, TARGET)
    }

    pub(crate) fn with_target(reader: R, target: usize) -> Self {
        let (rest, spent) = (Vec::new(), Vec::new());
        Self { reader, rest, spent, next_line: 1, is_at_end: false, target }
    }

    pub(crate) fn into_reader(self) -> R {
        self.reader
    }

    /// The next block, or `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Block>> {
        let mut bytes = self.spent.pop().unwrap_or_default();
        let mut len = self.rest.len();
        // The old contents are overwritten: clearing them first would take time too.
        bytes.resize(bytes.len().max(len), 0);
        bytes[..len].copy_from_slice(&self.rest);
        self.rest.clear();
        let mut end = None;
        while end.is_none() && !self.is_at_end {
            if len > MAX_ROW {
                bytes.truncate(len);
                return self.giant_line(bytes).map(Some);
            }
            len = self.fill(&mut bytes, len)?;
            end = memrchr(b'\n', &bytes[..len]).map(|place| place + 1);
        }
        bytes.truncate(len);
        if bytes.is_empty() {
            return Ok(None);
        }
        if let (Some(end), false) = (end, self.is_at_end) {
            self.rest.extend_from_slice(&bytes[end..]);
            bytes.truncate(end);
        }
        Ok(Some(self.block(bytes)))
    }

    /// Takes back the memory of a parsed block: mapping new memory for every block takes longer
    /// than reading it.
    pub(crate) fn recycle(&mut self, block: Block) {
        self.spent.push(block.bytes);
    }

    /// The next blocks, at most `width` of them; none at the end.
    pub(crate) fn next_batch(&mut self, width: usize) -> io::Result<Vec<Block>> {
        let mut batch = Vec::with_capacity(width);
        while batch.len() < width {
            let Some(block) = self.next()? else { break };
            batch.push(block);
        }
        Ok(batch)
    }

    /// Reads one more piece of the stream after the first `len` bytes; returns the new length.
    fn fill(&mut self, bytes: &mut Vec<u8>, mut len: usize) -> io::Result<usize> {
        let wanted = len + self.target.saturating_sub(len).max(self.target / 2);
        bytes.reserve_exact(wanted.saturating_sub(bytes.len()));
        bytes.resize(bytes.len().max(wanted), 0);
        while len < wanted && !self.is_at_end {
            match self.reader.read(&mut bytes[len..wanted]) {
                Ok(read) => {
                    len += read;
                    self.is_at_end = read == 0;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(len)
    }

    /// A line longer than any row. Keeps just enough of it to be rejected as such.
    fn giant_line(&mut self, mut bytes: Vec<u8>) -> io::Result<Block> {
        bytes.truncate(MAX_ROW + 1);
        let mut piece = Vec::new();
        while !self.is_at_end {
            let len = self.fill(&mut piece, 0)?;
            piece.truncate(len);
            if let Some(place) = piece.iter().position(|byte| *byte == b'\n') {
                bytes.push(b'\n');
                self.rest = piece.split_off(place + 1);
                break;
            }
        }
        Ok(self.block(bytes))
    }

    fn block(&mut self, bytes: Vec<u8>) -> Block {
        let first_line = self.next_line;
        self.next_line += memchr_iter(b'\n', &bytes).count() as u64;
        Block { bytes, first_line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_lines_and_lose_nothing() {
        let text = "a,\"b\nc\"\nd\n\"e\n\nf\",g\nh\n".repeat(20);
        for text in [text.trim_end(), &text] {
            for target in [2, 5, 16, 64, 10_000] {
                let mut blocks = Blocks::with_target(text.as_bytes(), target);
                let (mut whole, mut line) = (Vec::new(), 1);
                while let Some(block) = blocks.next().unwrap() {
                    assert_eq!(block.first_line, line);
                    line += block.bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
                    whole.extend(block.bytes);
                    assert!(whole.ends_with(b"\n") || whole.len() == text.len());
                }
                assert_eq!(whole, text.as_bytes(), "{target}");
            }
        }
    }

    #[test]
    fn a_line_longer_than_a_row_is_cut_and_what_follows_is_kept() {
        let text = format!("a\n{}\nb\n", "x".repeat(5 * MAX_ROW));
        let mut blocks = Blocks::with_target(text.as_bytes(), MAX_ROW / 2);
        let mut kept = Vec::new();
        while let Some(block) = blocks.next().unwrap() {
            assert!(block.bytes.len() <= 2 * MAX_ROW);
            kept.extend(block.bytes);
        }
        let expected = format!("a\n{}\nb\n", "x".repeat(MAX_ROW + 1));
        assert_eq!(kept, expected.as_bytes());
        assert_eq!(blocks.next_line, 4);
    }
}
