//! The measurements: builds, latencies within one process, the service over HTTP, and a
//! cluster.

pub mod build;
pub mod cluster;
pub mod http;
pub mod latency;
