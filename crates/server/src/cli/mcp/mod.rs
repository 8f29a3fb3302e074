//! `outfall mcp`: answers an agent on standard input and output, over a local index. A line is a
//! message, and nothing else is written to standard output.

mod calls;
mod line;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use clap::{Args, ValueEnum};
use outfall_api::Language;
use outfall_api::mcp::{MAX_MESSAGE, McpFault, Reply, Step, receive};
use outfall_request::BackendSource;
use parking_lot::Mutex;

use self::calls::Calls;
use self::line::{Line, read_line};
use super::log::Log;
use super::{CommandError, DEFAULT_DATA, LogFormat};
use crate::engines;
use crate::generations::SharedBackend;

/// The most and the fewest calls that run at once. There are at least two, so that a short call
/// need not wait for a long one.
const MOST_AT_ONCE: usize = 8;
const LEAST_AT_ONCE: usize = 2;
/// How many more calls are read ahead; after them, nothing is read until one of them begins.
const MOST_WAITING: usize = 64;

/// The index to answer from, and in which language.
#[derive(Debug, Args)]
pub struct McpArgs {
    /// The data directory that `index-build` publishes in.
    #[arg(long, value_name = "DIR", env = "OUTFALL_DATA", default_value = DEFAULT_DATA)]
    pub data: PathBuf,
    /// The language of what tools say of themselves, and of warnings and problems unless a call
    /// names another.
    #[arg(long, value_enum, env = "OUTFALL_LANGUAGE", default_value_t = LanguageFlag::En)]
    pub language: LanguageFlag,
}

/// A language, by its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageFlag {
    /// English.
    En,
    /// French.
    Fr,
}

impl From<LanguageFlag> for Language {
    fn from(flag: LanguageFlag) -> Self {
        match flag {
            LanguageFlag::En => Self::English,
            LanguageFlag::Fr => Self::French,
        }
    }
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
    match answer_all(&source, args.language.into(), &mut io::stdin().lock(), io::stdout()) {
        // The agent is gone.
        Err(CommandError::Failed(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// Answers messages until the input ends, and then the calls that are still open.
fn answer_all(
    source: &dyn BackendSource,
    language: Language,
    input: &mut impl BufRead,
    output: impl Write + Send,
) -> Result<(), CommandError> {
    let calls = Calls::new(source, output);
    let (queue, waiting) = mpsc::sync_channel(MOST_WAITING);
    let waiting = Mutex::new(waiting);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let needed = cores.clamp(LEAST_AT_ONCE, MOST_AT_ONCE);
    thread::scope(|scope| {
        // Dropped with this closure, which ends the threads.
        let queue = queue;
        for _ in 0..needed {
            let thread = thread::Builder::new().name("call".to_owned());
            let started = thread.spawn_scoped(scope, || calls.work(&waiting));
            started.map_err(|source| CommandError::TooFewThreads { needed, source })?;
        }
        while let Some(line) = read_line(input)? {
            let step = match line {
                Line::Whole(line) if line.trim_ascii().is_empty() => continue,
                Line::Whole(line) => receive(&line, None, language),
                Line::TooLong => {
                    let fault = McpFault::TooLong { limit: MAX_MESSAGE };
                    Step::Reply(Reply::refused(&fault, language))
                }
            };
            match step {
                Step::Silence => {}
                Step::Reply(reply) => calls.write(&reply),
                Step::Call(call) => calls.begin(call, &queue),
                Step::Cancelled(id) => calls.cancel(&id),
            }
            if calls.has_failed() {
                break;
            }
        }
        Ok::<(), CommandError>(())
    })?;
    Ok(calls.end()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::io::{BufReader, PipeReader};
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender};
    use std::time::{Duration, Instant};

    use outfall_records::DatasetInfo;
    use outfall_request::{SearchBackend, SearchError, SearchPage, SearchRequest};
    use serde_json::{Value, json};

    use super::*;

    /// How long a test waits for something before it fails; no test measures this time.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// Searches until it is stopped, and reports when a search begins and when it ends.
    struct Endless {
        told: Mutex<Sender<&'static str>>,
        dataset: DatasetInfo,
    }

    impl SearchBackend for Endless {
        fn search(&self, request: &SearchRequest) -> Result<SearchPage, SearchError> {
            self.told.lock().send("begins").unwrap();
            let began = Instant::now();
            while !request.stop.as_ref().unwrap().is_set() && began.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(1));
            }
            self.told.lock().send("ends").unwrap();
            Err(SearchError::TimedOut)
        }

        fn dataset(&self) -> &DatasetInfo {
            &self.dataset
        }
    }

    struct Source(Arc<Endless>);

    impl BackendSource for Source {
        fn current(&self) -> Option<Arc<dyn SearchBackend>> {
            Some(Arc::clone(&self.0) as _)
        }

        fn trouble(&self) -> Option<Arc<str>> {
            None
        }
    }

    /// Lets an agent talk to the service over an index whose searches do not end.
    fn talk(
        agent: impl FnOnce(&dyn Fn(Value), &mut BufReader<PipeReader>, &Receiver<&'static str>),
    ) {
        let (sender, told) = mpsc::channel();
        let told_by = Mutex::new(sender);
        let source = Source(Arc::new(Endless { told: told_by, dataset: DatasetInfo::default() }));
        let (input, to) = io::pipe().unwrap();
        let (from, output) = io::pipe().unwrap();
        thread::scope(|scope| {
            let ended = scope.spawn(move || {
                answer_all(&source, Language::English, &mut BufReader::new(input), output)
            });
            let mut from = BufReader::new(from);
            let write = |message: Value| writeln!(&to, "{message}").unwrap();
            agent(&write, &mut from, &told);
            drop(to);
            assert_eq!(next(&mut from), None);
            ended.join().unwrap().unwrap();
        });
    }

    fn next(from: &mut impl BufRead) -> Option<Value> {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    fn call(id: impl Into<Value>, tool: &str) -> Value {
        let (id, params) = (id.into(), json!({"name": tool}));
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    }

    fn cancel(params: &Value) -> Value {
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    }

    #[test]
    fn a_call_that_runs_holds_nothing_up_and_can_be_cancelled() {
        talk(|write, from, told| {
            write(call("endless", "search_releases"));
            assert_eq!(told.recv_timeout(PATIENCE).unwrap(), "begins");
            write(json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
            assert_eq!(next(from).unwrap()["id"], 1);
            write(call(2, "what_is_served"));
            assert_eq!(next(from).unwrap()["id"], 2);
            for stranger in [
                json!({"requestId": 1}),
                json!({"requestId": "Endless"}),
                json!({"requestId": ["endless"]}),
                json!({}),
            ] {
                write(cancel(&stranger));
            }
            write(call(3, "what_is_served"));
            assert_eq!(next(from).unwrap()["id"], 3);
            assert!(told.try_recv().is_err(), "it still runs");
            write(cancel(&json!({"requestId": "endless", "reason": "late"})));
            assert_eq!(told.recv_timeout(PATIENCE).unwrap(), "ends");
            write(call("endless", "what_is_served"));
            assert_eq!(next(from).unwrap()["id"], "endless");
        });
    }

    #[test]
    fn a_call_that_waits_is_not_begun_once_it_is_cancelled() {
        talk(|write, from, told| {
            // As many calls as run at once on this machine.
            let cores = thread::available_parallelism().map_or(1, usize::from);
            let first = cores.clamp(LEAST_AT_ONCE, MOST_AT_ONCE);
            for id in 0..first {
                write(call(id, "search_releases"));
                assert_eq!(told.recv_timeout(PATIENCE).unwrap(), "begins");
            }
            write(call("waits", "search_emissions"));
            write(call("last", "what_is_served"));
            write(cancel(&json!({"requestId": "waits"})));
            write(cancel(&json!({"requestId": 0})));
            assert_eq!(told.recv_timeout(PATIENCE).unwrap(), "ends");
            assert_eq!(next(from).unwrap()["id"], "last");
            for id in 1..first {
                write(cancel(&json!({"requestId": id})));
                assert_eq!(told.recv_timeout(PATIENCE).unwrap(), "ends");
            }
            assert!(told.try_recv().is_err());
        });
    }
}
