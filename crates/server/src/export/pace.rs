//! Measures how fast a client takes a file.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The window of the average, in seconds of waiting for the client.
const WINDOW: f64 = 10.0;

/// The pace of a client: a moving average over the time in which the service waits for the client,
/// so that a slow service does not make a client look slow.
#[derive(Debug)]
pub(super) struct Pace(Mutex<Taken>);

#[derive(Debug)]
struct Taken {
    /// Bytes that the client took; older ones count less.
    bytes: f64,
    /// When the client got its last piece; `None` while the service fetches the next one.
    since: Option<Instant>,
}

impl Pace {
    /// A new client, whose pace falls below `least` bytes a second once it has taken nothing for
    /// the length of the window.
    pub(super) fn new(least: f64) -> Self {
        let bytes = least * WINDOW * std::f64::consts::E;
        Self(Mutex::new(Taken { bytes, since: None }))
    }

    /// The client asks for the next piece.
    pub(super) fn asked(&self) {
        self.0.lock().ask(Instant::now());
    }

    /// The client got a piece.
    pub(super) fn gave(&self, bytes: usize) {
        let mut taken = self.0.lock();
        taken.bytes += bytes as f64;
        taken.since = Some(Instant::now());
    }

    /// The pace in bytes a second.
    pub(super) fn now(&self) -> f64 {
        let taken = self.0.lock();
        let waited = taken.since.map_or(Duration::ZERO, |since| since.elapsed());
        taken.after(waited) / WINDOW
    }
}

impl Taken {
    fn ask(&mut self, now: Instant) {
        if let Some(since) = self.since.take() {
            self.bytes = self.after(now.saturating_duration_since(since));
        }
    }

    fn after(&self, waited: Duration) -> f64 {
        self.bytes * (-waited.as_secs_f64() / WINDOW).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: f64 = 64.0 * 1024.0;

    /// The pace after `lasts` seconds of 32 KiB pieces at a steady rate.
    fn steady(rate: f64, lasts: f64) -> f64 {
        let pace = Pace::new(LEAST);
        let (mut now, piece) = (Instant::now(), 32_768);
        let between = Duration::from_secs_f64(f64::from(piece) / rate);
        for _ in 0..(lasts / between.as_secs_f64()) as u32 {
            let mut taken = pace.0.lock();
            taken.bytes += f64::from(piece);
            taken.since = Some(now);
            now += between;
            taken.ask(now);
        }
        pace.now()
    }

    #[test]
    fn a_pace_is_known_after_a_window() {
        for (rate, lasts, is_slow) in [
            (18_000.0, 5.0, false),
            (18_000.0, 20.0, true),
            (60_000.0, 120.0, true),
            (90_000.0, 10.0, false),
            (90_000.0, 600.0, false),
            (5_000_000.0, 60.0, false),
        ] {
            let pace = steady(rate, lasts);
            assert_eq!(pace < LEAST, is_slow, "{rate} for {lasts} s: {pace}");
        }
    }

    #[test]
    fn time_counts_while_the_client_has_a_piece() {
        let pace = Pace::new(LEAST);
        let before = pace.now();
        let long_ago = Instant::now().checked_sub(Duration::from_secs(60));
        pace.0.lock().since = long_ago;
        assert!(pace.now() < LEAST, "a client that took nothing for a minute");
        pace.0.lock().since = None;
        assert!((pace.now() - before).abs() < 1.0, "a client that waits for the service");
    }
}
