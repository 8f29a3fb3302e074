//! Follows `CURRENT`: decides when an index is opened, and when it is tried again.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use outfall_store::{Current, StoreError};

use super::Shared;
use crate::engines::{self, IndexError, Opened};

/// The minimum pause before an index that could not be opened is tried again.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1500);
/// The maximum pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The pause after an attempt, as a multiple of its duration, so that retries on a disk that never
/// recovers leave most of the processor to requests.
const PAUSE_PER_ATTEMPT: u32 = 3;

/// The state of a data directory as of the last look.
pub(super) struct Follower {
    data: PathBuf,
    /// The served generation, if it was opened because `CURRENT` names it.
    served: Option<Current>,
    refused: Option<Refused>,
    /// The last report, while its cause lasts.
    reported: Option<String>,
    /// When a fallback may next be looked for while nothing is served; `None` before the first
    /// look.
    next_fallback: Option<Instant>,
}

/// A published index that could not be opened.
struct Refused {
    published: Current,
    cause: Cause,
    /// When it may be tried again.
    next_attempt: Instant,
}

enum Cause {
    /// It may pass, so the index is tried again.
    MayPass,
    /// It is final until something else is published or the damaged file changes.
    Damage { path: PathBuf, seen: Seen },
}

/// Which version of a file was found damaged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Unknown: the file may have been mended during the attempt that found it damaged.
    DuringTheAttempt,
    /// The version from before the attempt; `None` without a file.
    Before(Option<Stamp>),
}

/// Inode, length and time of change, which differ once a file is mended or replaced.
type Stamp = (u64, u64, i64, i64);

impl Follower {
    pub(super) fn new(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            served: None,
            refused: None,
            reported: None,
            next_fallback: None,
        }
    }

    /// Takes over the published index unless it is already served or known not to open.
    pub(super) fn look(&mut self, shared: &Shared) {
        let current = Current::read(&self.data);
        // Without `CURRENT`, only the first look falls back; later, the first `CURRENT` is about to
        // be written.
        let may_fall_back = match current {
            Err(StoreError::NoIndex { .. }) => self.next_fallback.is_none(),
            _ => self.next_fallback.is_none_or(|next| next <= Instant::now()),
        };
        match current {
            Ok(published) if self.served.as_ref() == Some(&published) => {
                self.refused = None;
                self.clear(shared);
            }
            Ok(published) if self.is_refused(&published) => {}
            Ok(published) => self.take_over(shared, published),
            Err(error) => {
                self.refused = None;
                self.report(shared, None, &error.into());
            }
        }
        if may_fall_back && shared.serves_nothing() {
            self.fall_back(shared);
        }
        self.next_fallback.get_or_insert_with(Instant::now);
    }

    fn is_refused(&self, published: &Current) -> bool {
        let refused = self.refused.as_ref().filter(|refused| refused.published == *published);
        refused.is_some_and(|refused| {
            let is_final = match &refused.cause {
                Cause::MayPass => false,
                Cause::Damage { path, seen } => *seen == Seen::Before(stamp(path)),
            };
            is_final || Instant::now() < refused.next_attempt
        })
    }

    fn take_over(&mut self, shared: &Shared, published: Current) {
        let (before, started) = (self.known_damage(), Instant::now());
        match open(&self.data, &published) {
            Ok(Opened { backend, generation }) => {
                tracing::info!(generation, "a new index is served");
                shared.serve(backend);
                shared.loads.done.inc();
                self.served = Some(published);
                self.refused = None;
                self.reported = None;
                shared.trouble.store(None);
            }
            Err(error) => {
                self.report(shared, Some(&published), &error);
                let cause = Cause::of(&error, before);
                let next_attempt = Instant::now() + pause_after(started.elapsed());
                self.refused = Some(Refused { published, cause, next_attempt });
            }
        }
    }

    /// The file that was found damaged at the last attempt, as it is now.
    fn known_damage(&self) -> Option<(PathBuf, Option<Stamp>)> {
        match &self.refused.as_ref()?.cause {
            Cause::Damage { path, .. } => Some((path.clone(), stamp(path))),
            Cause::MayPass => None,
        }
    }

    /// Serves the newest whole index when the published one cannot be served; the failure stays
    /// reported.
    fn fall_back(&mut self, shared: &Shared) {
        let started = Instant::now();
        if let Ok(Opened { backend, generation }) = engines::open_newest(&self.data) {
            tracing::warn!(generation, "the newest whole index is served");
            shared.serve(backend);
        }
        self.next_fallback = Some(Instant::now() + pause_after(started.elapsed()));
    }

    /// Reports once why the published index is not served.
    fn report(&mut self, shared: &Shared, published: Option<&Current>, error: &IndexError) {
        // A lack of descriptors fails at a different file each time, so the path is left out.
        let reason = match error {
            IndexError::Store(StoreError::Io { source, .. }) => source.to_string(),
            other => other.to_string(),
        };
        let generation = published.map_or("", |published| published.generation.as_str());
        let report = format!("{generation}: {reason}");
        if self.reported.as_ref() == Some(&report) {
            return;
        }
        match error.may_pass() {
            true => tracing::error!(%error, "the published index cannot be opened; trying again"),
            false => tracing::error!(%error, "the published index cannot be served"),
        }
        shared.trouble.store(Some(Arc::new(error.to_string().into())));
        shared.loads.failed.inc();
        self.reported = Some(report);
    }

    fn clear(&mut self, shared: &Shared) {
        if self.reported.take().is_some() {
            tracing::info!("the published index is the one that is served");
            shared.trouble.store(None);
        }
    }
}

impl Cause {
    /// `before` is the file that was damaged at the previous attempt, as it was when this one
    /// began.
    fn of(error: &IndexError, before: Option<(PathBuf, Option<Stamp>)>) -> Self {
        match error {
            error if error.may_pass() => Self::MayPass,
            IndexError::Store(StoreError::Damaged { path, .. }) => {
                let before = before.filter(|(known, _)| known == path);
                let seen = before.map_or(Seen::DuringTheAttempt, |(_, stamp)| Seen::Before(stamp));
                Self::Damage { path: path.clone(), seen }
            }
            // There is no file that could be mended.
            _ => Self::Damage { path: PathBuf::new(), seen: Seen::Before(None) },
        }
    }
}

/// Opens an index and catches panics: damage that no check finds must not end the thread that looks
/// for the next index.
fn open(data: &Path, published: &Current) -> Result<Opened, IndexError> {
    let opened = catch_unwind(AssertUnwindSafe(|| engines::open_named(data, published)));
    opened.unwrap_or_else(|_| {
        let path = data.join(&published.generation);
        Err(IndexError::damaged(path, "opening it failed; please report it"))
    })
}

fn pause_after(attempt: Duration) -> Duration {
    attempt.saturating_mul(PAUSE_PER_ATTEMPT).clamp(SHORTEST_PAUSE, LONGEST_PAUSE)
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::symlink_metadata(path).ok()?;
    Some((metadata.ino(), metadata.len(), metadata.ctime(), metadata.ctime_nsec()))
}
