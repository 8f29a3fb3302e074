//! What is measured, each part by itself.

pub mod build;
pub mod http;
pub mod latency;
