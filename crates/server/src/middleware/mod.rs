//! Runs around every route: limits before it, headers and a log line after it.

mod cors;
mod frame;
mod request_log;

pub(crate) use frame::{complete, frame};
pub(crate) use request_log::RequestLog;
