//! Decides whether a client still reads its answer, by the bytes that it acknowledges.
//!
//! A client's machine acknowledges bytes before the client reads them, as many as its buffer holds.
//! A machine with the usual 128 KiB takes them at once and then, while a slow client reads them,
//! acknowledges nothing for more than a minute. So bytes that are acknowledged ahead give the
//! client more time.

use std::time::Duration;

use super::SWEEP;
use super::acknowledged::Sent;

/// The bytes of an answer that a client must take in every `stall_timeout`.
const SHARE: u64 = 32 * 1024;
/// The bytes that a client's kernel may acknowledge before the client reads them: the usual buffer.
const AHEAD: u64 = 4 * SHARE;
/// Extra time before a client is cut, so that one that takes each share in one step at the last
/// moment is not cut.
const GRACE: Duration = Duration::from_secs(1);

/// How long a connection may make no progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Without a request in flight.
    pub(super) keep_alive: Duration,
    /// With an answer to read.
    pub(super) stall_timeout: Duration,
}

/// The state of a connection at one look; times are counted from when it was opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) now: Duration,
    /// When a request last began or ended, or the HTTP library last took a piece of an answer.
    pub(super) progress: Duration,
    pub(super) is_in_flight: bool,
    /// `None` where the kernel does not report it.
    pub(super) sent: Option<Sent>,
}

/// The findings of earlier looks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    acknowledged: u64,
    /// The time until which the client has taken its shares.
    taken_until: Duration,
    is_under_way: bool,
}

/// The verdict on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The connection stays open.
    Keep,
    /// The client has just taken the last of what it was sent, which is progress.
    Finished,
    /// It has nothing left to read and asks for nothing.
    Close,
    /// It does not read its answer.
    Cut,
}

impl Look {
    /// How long ago the last progress was.
    fn quiet(&self) -> Duration {
        self.now.saturating_sub(self.progress)
    }
}

impl Reading {
    /// Whether a part of an answer is still to be taken.
    pub(super) const fn is_under_way(&self) -> bool {
        self.is_under_way
    }
}

impl Patience {
    /// Judges a connection after a new look.
    pub(super) fn judge(self, look: &Look, reading: &mut Reading) -> Verdict {
        let Some(sent) = look.sent else { return self.judge_by_progress(look) };
        let taken = sent.acknowledged.saturating_sub(reading.acknowledged);
        reading.acknowledged = sent.acknowledged;
        let taken_until = reading.taken_until.max(look.progress) + self.time_for(taken);
        reading.taken_until = taken_until.min(look.now + self.time_for(AHEAD));
        let was_under_way = reading.is_under_way;
        reading.is_under_way = sent.waiting > 0;
        if reading.is_under_way {
            let is_late = look.now >= reading.taken_until + self.stall_timeout + GRACE;
            return if is_late { Verdict::Cut } else { Verdict::Keep };
        }
        match (was_under_way, look.is_in_flight || look.quiet() < self.keep_alive) {
            (true, _) => Verdict::Finished,
            (false, true) => Verdict::Keep,
            (false, false) => Verdict::Close,
        }
    }

    /// How long a client may take for this many bytes.
    fn time_for(self, bytes: u64) -> Duration {
        self.stall_timeout.mul_f64(bytes as f64 / SHARE as f64)
    }

    /// Judges by the progress that the service itself sees, where the kernel reports nothing.
    fn judge_by_progress(self, look: &Look) -> Verdict {
        // The next look would come too late.
        let is_stalled = look.quiet() + SWEEP >= self.stall_timeout;
        match (is_stalled, look.is_in_flight) {
            (false, _) => Verdict::Keep,
            (true, false) => Verdict::Close,
            (true, true) => Verdict::Cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience =
        Patience { keep_alive: Duration::from_secs(15), stall_timeout: Duration::from_secs(20) };
    const KIB: u64 = 1024;

    /// When (in half seconds) and how a connection is closed if its client acknowledges
    /// `taken(now)` of `size` bytes that were sent at once.
    fn end(size: u64, is_in_flight: bool, taken: impl Fn(u64) -> u64) -> Option<(u64, Verdict)> {
        let (mut reading, mut progress) = (Reading::default(), Duration::ZERO);
        for halves in 1..2_000 {
            let now = SWEEP * halves as u32;
            let acknowledged = taken(halves).min(size);
            let sent = Some(Sent { acknowledged, waiting: (size - acknowledged) as u32 });
            match PATIENCE.judge(&Look { now, progress, is_in_flight, sent }, &mut reading) {
                Verdict::Keep => {}
                Verdict::Finished => progress = now,
                verdict => return Some((halves, verdict)),
            }
        }
        None
    }

    #[test]
    fn who_takes_what_is_promised_is_never_cut() {
        type Taken = fn(u64) -> u64;
        const FILE: u64 = 512 * 1024 * KIB;
        const PAGE: u64 = 1024 * KIB;
        let cut = |halves| Some((halves, Verdict::Cut));
        let closed = |halves| Some((halves, Verdict::Close));
        for (name, size, is_in_flight, taken, expected) in [
            ("nothing", FILE, true, (|_| 0) as Taken, cut(42)),
            ("a little at once, and no more", FILE, true, |_| 8 * KIB, cut(52)),
            ("a byte a second", FILE, true, |halves| halves / 2, cut(43)),
            ("64 KiB at once, and no more", FILE, true, |_| 64 * KIB, cut(122)),
            ("128 MiB at once, and no more", FILE, true, |_| 128 * 1024 * KIB, cut(203)),
            ("half of what it must", FILE, true, |halves| halves * 4 * KIB / 10, cut(84)),
            ("a bit more than it must", FILE, true, |halves| halves * 83 * KIB / 100, None),
            (
                "the same, 128 KiB ahead and in lumps",
                FILE,
                true,
                |halves| 128 * KIB * (1 + halves * 83 / 100 / 128),
                None,
            ),
            ("in steps of 20 s", FILE, true, |halves| halves / 40 * 32 * KIB, None),
            ("in steps of 30 s", FILE, true, |halves| halves / 60 * 64 * KIB, cut(42)),
            ("at once, and more is searched for", PAGE, true, |_| PAGE, None),
            ("at once, and asks no more", PAGE, false, |_| PAGE, closed(30)),
            ("in 40 s, and asks no more", PAGE, false, |halves| 13_200 * halves, closed(110)),
        ] {
            assert_eq!(end(size, is_in_flight, taken), expected, "{name}");
        }
    }

    #[test]
    fn where_the_kernel_does_not_tell_only_requests_and_pieces_are_progress() {
        for (seconds, is_in_flight, expected) in [
            (19, true, Verdict::Keep),
            (20, true, Verdict::Cut),
            (19, false, Verdict::Keep),
            (20, false, Verdict::Close),
        ] {
            let now = Duration::from_secs(seconds);
            let look = Look { now, progress: Duration::ZERO, is_in_flight, sent: None };
            assert_eq!(PATIENCE.judge(&look, &mut Reading::default()), expected, "{seconds} s");
        }
    }

    #[test]
    fn a_new_request_begins_a_new_time() {
        let mut reading = Reading::default();
        let sent = Some(Sent { acknowledged: 0, waiting: 1 });
        for second in 0..60_u64 {
            let now = Duration::from_secs(second);
            let progress = Duration::from_secs(second / 19 * 19);
            let look = Look { now, progress, is_in_flight: true, sent };
            assert_eq!(PATIENCE.judge(&look, &mut reading), Verdict::Keep, "{second} s");
        }
    }
}
