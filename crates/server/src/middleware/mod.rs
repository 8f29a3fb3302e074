//! What happens around every route: limits before it, headers and a line of the log after it.

mod cors;
mod frame;
mod request_log;

pub(crate) use frame::frame;
pub(crate) use request_log::RequestLog;
