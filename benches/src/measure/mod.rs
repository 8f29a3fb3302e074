//! The measurements: builds, latencies within one process, and the service over HTTP.

pub mod build;
pub mod http;
pub mod latency;
