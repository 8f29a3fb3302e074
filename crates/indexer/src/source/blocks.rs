//! Cutting a stream into blocks of whole lines that can be parsed side by side.

use std::io::{self, Read};

/// Some physical lines of a file.
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The number of the first line; the header is line 1.
    pub(crate) first_line: u64,
}

/// The blocks of a stream.
pub(crate) struct Blocks<R> {
    reader: R,
    /// What was read past the end of the last block.
    rest: Vec<u8>,
    next_line: u64,
    is_at_end: bool,
    target: usize,
}

/// Large enough that cutting costs nothing, small enough that a few fit the memory budget.
const TARGET: usize = 4 << 20;

impl<R: Read> Blocks<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self::with_target(reader, TARGET)
    }

    fn with_target(reader: R, target: usize) -> Self {
        Self {
            reader,
            rest: Vec::new(),
            next_line: 1,
            is_at_end: false,
            target,
        }
    }

    /// The next block, or `None` at the end.
    ///
    /// A block ends after a line break before which the quotes are even, so that no row reaches
    /// over its end. A stray quote leaves no such place; then it ends after its last line.
    pub(crate) fn next(&mut self) -> io::Result<Option<Block>> {
        let mut bytes = std::mem::take(&mut self.rest);
        while !self.is_at_end {
            let wanted = (self.target - bytes.len().min(self.target)).max(self.target / 2);
            let read = self
                .reader
                .by_ref()
                .take(wanted as u64)
                .read_to_end(&mut bytes)?;
            self.is_at_end = read < wanted;
            if bytes.contains(&b'\n') || bytes.len() > 4 * self.target {
                break;
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        if !self.is_at_end {
            let end = end_of_block(&bytes);
            self.rest = bytes.split_off(end);
        }
        let first_line = self.next_line;
        self.next_line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        Ok(Some(Block { bytes, first_line }))
    }
}

fn end_of_block(bytes: &[u8]) -> usize {
    let mut is_quoted = bytes.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
    let mut last = None;
    for (place, byte) in bytes.iter().enumerate().rev() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => return place + 1,
            b'\n' => last = last.or(Some(place + 1)),
            _ => {}
        }
    }
    last.unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_between_rows_and_lose_nothing() {
        let text = "a,\"b\nc\"\nd\n\"e\n\nf\",g\nh\n".repeat(20);
        for target in [2, 5, 16, 64, 10_000] {
            let mut blocks = Blocks::with_target(text.as_bytes(), target);
            let (mut whole, mut line) = (Vec::new(), 1);
            while let Some(block) = blocks.next().unwrap() {
                assert_eq!(block.first_line, line);
                line += block.bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
                whole.extend(block.bytes);
            }
            assert_eq!(whole, text.as_bytes(), "{target}");
        }
    }

    #[test]
    fn a_stray_quote_does_not_keep_a_block_from_ending() {
        let text = format!("a\n\"b\n{}", "c\n".repeat(100));
        let mut blocks = Blocks::with_target(text.as_bytes(), 16);
        let mut count = 0;
        while let Some(block) = blocks.next().unwrap() {
            assert!(block.bytes.ends_with(b"\n") && block.bytes.len() < 64);
            count += 1;
        }
        assert!(count > 5);
    }
}
