//! What every answer has, whatever was asked: the frame around the routes.

mod conditional;
mod cors;
mod encoding;
mod frame;
mod request_id;
mod request_log;
mod weighted;

use std::time::Duration;

pub(crate) use conditional::EntityTag;
pub(crate) use encoding::{Compressor, Encoding};
pub(crate) use frame::frame;
pub(crate) use request_id::RequestId;
pub(crate) use request_log::RequestLog;
pub(crate) use weighted::weighted;

/// Whole seconds that are surely over after `duration`, at least one.
pub(crate) fn seconds(duration: Duration) -> u64 {
    let has_rest = duration.subsec_nanos() > 0;
    (duration.as_secs() + u64::from(has_rest)).max(1)
}
