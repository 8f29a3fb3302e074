//! Limits how often a caller may send requests, and reports the limits in answers.

mod addresses;
mod buckets;

use std::time::Duration;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use outfall_api::whole_seconds;

pub(crate) use addresses::AddressLimits;
pub(crate) use buckets::{Buckets, Quota};

use crate::settings::RateLimit;

/// The state of a bucket after a request was counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    quota: Quota,
    /// Requests that may follow at once.
    remaining: u32,
    /// How long to wait, if this request may not pass.
    wait: Option<Duration>,
}

impl RateLimit {
    /// The bucket; `None` when nothing is limited.
    pub(crate) fn quota(self) -> Option<Quota> {
        let interval = Duration::from_secs(60).checked_div(self.per_minute)?;
        Some(Quota { burst: self.burst.max(1), interval })
    }
}

impl Allowance {
    /// How long to wait, if the request may not pass.
    pub(crate) fn wait(&self) -> Option<Duration> {
        self.wait
    }

    /// Writes into the headers of an answer the limit, what is left of it, and when the bucket is
    /// full again or, for a refused request, how long to wait.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let Quota { burst, interval } = self.quota;
        let window = whole_seconds(interval * burst);
        let reset = match self.wait {
            Some(wait) => whole_seconds(wait),
            None => whole_seconds(interval * burst.saturating_sub(self.remaining)),
        };
        let remaining = self.remaining;
        for (name, value) in [
            ("ratelimit-policy", format!("\"burst\";q={burst};w={window}")),
            ("ratelimit", format!("\"burst\";r={remaining};t={reset}")),
            ("x-ratelimit-limit", burst.to_string()),
            ("x-ratelimit-remaining", remaining.to_string()),
            ("x-ratelimit-reset", reset.to_string()),
        ] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}
