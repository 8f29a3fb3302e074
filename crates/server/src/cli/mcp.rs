//! `outfall mcp`: answers an agent on standard input and output, over a local index. A line is a
//! message, and nothing else is written to standard output.

use std::io::{self, BufRead, Read as _, Write};
use std::path::PathBuf;

use clap::Args;
use outfall_api::mcp::{Call, Fault, MAX_MESSAGE, Reply, Step, receive};
use outfall_api::{Language, Problem, search};
use outfall_request::{BackendSource, SearchError};

use super::log::Log;
use super::{CommandError, DEFAULT_DATA, LogFormat};
use crate::engines;
use crate::generations::SharedBackend;

/// The index to answer from.
#[derive(Debug, Args)]
pub struct McpArgs {
    /// The data directory that `index-build` publishes in.
    #[arg(long, value_name = "DIR", env = "OUTFALL_DATA", default_value = DEFAULT_DATA)]
    pub data: PathBuf,
}

/// Answers messages until standard input ends.
///
/// # Errors
/// See [`CommandError`].
pub fn run(args: &McpArgs) -> Result<(), CommandError> {
    let _log = Log::start(LogFormat::Text)?;
    let source = SharedBackend::watching(&args.data)?;
    if source.current().is_none() {
        // The error says why there is nothing to answer from.
        engines::open(&args.data)?;
    }
    match answer_all(&source, &mut io::stdin().lock(), &mut io::stdout().lock()) {
        // The agent is gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

fn answer_all(
    source: &dyn BackendSource,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    while let Some(line) = read_line(input)? {
        let step = match line {
            Line::Whole(line) if line.trim_ascii().is_empty() => continue,
            Line::Whole(line) => receive(&line, None, Language::English),
            Line::TooLong => {
                let fault = Fault::TooLong { limit: MAX_MESSAGE };
                Step::Reply(Reply::refused(&fault, Language::English))
            }
        };
        let reply = match step {
            Step::Silence => continue,
            Step::Reply(reply) => reply,
            Step::Call(call) => found(source, &call),
        };
        output.write_all(&reply.body)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

/// Does the searches of a call, all in the same index.
fn found(source: &dyn BackendSource, call: &Call) -> Reply {
    let Some(backend) = source.current() else { return call.refused(Problem::NoIndex) };
    let pages: Result<Vec<_>, SearchError> =
        call.searches().map(|checked| search(backend.as_ref(), checked, None)).collect();
    match pages {
        Ok(pages) => call.answer(&pages, backend.dataset()),
        Err(error) => {
            tracing::error!(%error, "the search failed");
            call.refused(Problem::Internal)
        }
    }
}

/// A line of input, without its end.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    /// Longer than a message may be; it was read over.
    TooLong,
}

/// The next line; `None` at the end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
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
