//! Outfall's HTTP service and command line: routes, the gateway's headers, limits.

#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod admission;
mod application;
mod caller;
pub mod cli;
mod connections;
mod day_pass;
mod embed;
mod engine_calls;
mod engines;
mod export;
mod exposition;
mod gateway;
pub mod generations;
mod http;
pub mod keys;
mod metrics;
mod middleware;
mod page_pass;
mod problem;
mod rate_limit;
mod routes;
pub mod sample;
mod search;
mod settings;
mod state;
mod updater;
mod watcher;
mod welcome;

pub use application::{Application, StartError, Stop, StopHandle};
pub use embed::{Origin, OriginError};
pub use engine_calls::EngineCalls;
pub use settings::{Auth, BaseUrlError, GatewaySecret, HostName, RateLimit, Settings};
pub use updater::UpdateCounts;
