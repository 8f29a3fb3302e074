//! Reads messages from the input: each is a line.

use std::io::{self, BufRead, Read as _};

use outfall_api::mcp::MAX_MESSAGE;

/// A line of input, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// Longer than a message may be, and therefore skipped.
    TooLong,
}

/// The next line; `None` at the end.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let most = MAX_MESSAGE as u64 + 1;
    if input.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MAX_MESSAGE {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_read_over() {
        let longest = vec![b'a'; MAX_MESSAGE];
        let too_long = vec![b'b'; 3 * MAX_MESSAGE];
        let input = [&b"first\n"[..], &longest, b"\n", &too_long, b"\n\nlast"].concat();
        let mut input = io::Cursor::new(input);
        let mut read = || read_line(&mut input).unwrap();
        assert_eq!(read(), Some(Line::Whole(b"first".to_vec())));
        assert_eq!(read(), Some(Line::Whole(longest.clone())));
        assert_eq!(read(), Some(Line::TooLong));
        assert_eq!(read(), Some(Line::Whole(Vec::new())));
        assert_eq!(read(), Some(Line::Whole(b"last".to_vec())));
        assert_eq!(read(), None);
    }
}
