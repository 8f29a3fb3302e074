//! Passes that only this service can make. Each names a day, and is valid on that day and the next.

use std::time::{SystemTime, UNIX_EPOCH};

use blake3::Hasher;

pub(crate) const SECONDS_OF_DAY: u64 = 24 * 60 * 60;

/// Makes and checks passes with a secret of this start. Passes of an earlier start are invalid, and
/// their holders must fetch new ones.
pub(crate) struct DayPasses([u8; 32]);

impl DayPasses {
    /// Passes with a new secret.
    ///
    /// # Errors
    /// When the operating system provides no randomness.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)?;
        Ok(Self(secret))
    }

    /// Today's pass for `subject`, which may be empty.
    pub(crate) fn today(&self, subject: &[&str]) -> String {
        self.of_day(today(), subject)
    }

    /// Whether a pass is of today or yesterday and was made for `subject`.
    pub(crate) fn is_good(&self, pass: &str, subject: &[&str]) -> bool {
        let Some((day, _)) = pass.split_once('.') else { return false };
        let Ok(day) = day.parse::<u64>() else { return false };
        let age = today().checked_sub(day);
        // Hashes are compared in constant time.
        let seal = |text: &str| blake3::keyed_hash(&self.0, text.as_bytes());
        age.is_some_and(|age| age <= 1) && seal(pass) == seal(&self.of_day(day, subject))
    }

    fn of_day(&self, day: u64, subject: &[&str]) -> String {
        let mut hasher = Hasher::new_keyed(&self.0);
        hasher.update(&day.to_le_bytes());
        for part in subject {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        format!("{day}.{}", hasher.finalize().to_hex())
    }
}

/// Days since 1970, in UTC.
fn today() -> u64 {
    // With a clock before 1970, passes are valid until the clock is set.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / SECONDS_OF_DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_good_for_two_days_at_the_service_that_made_them() {
        let (own, other) = (DayPasses([1; 32]), DayPasses([2; 32]));
        let today = today();
        for subject in [&[][..], &["/release"], &["/release", "q", "lead"]] {
            for (pass, expected) in [
                (own.today(subject), true),
                (own.of_day(today, subject), true),
                (own.of_day(today - 1, subject), true),
                (own.of_day(today - 2, subject), false),
                (own.of_day(today + 1, subject), false),
                (own.of_day(today, &["/emission"]), false),
                (other.of_day(today, subject), false),
                (own.of_day(today, subject).replace('.', ".0"), false),
                (
                    own.of_day(today - 2, subject)
                        .replace(&(today - 2).to_string(), &today.to_string()),
                    false,
                ),
                (today.to_string(), false),
                (String::new(), false),
            ] {
                assert_eq!(own.is_good(&pass, subject), expected, "{pass} {subject:?}");
            }
        }
        let parts = own.today(&["ab", "c"]);
        assert!(!own.is_good(&parts, &["a", "bc"]));
    }
}
