//! Outfall's HTTP service: parameters, routes, the gateway's headers, problems, limits.

mod admission;
mod application;
mod caller;
mod canonical;
pub mod cli;
mod connections;
mod envelope;
mod export;
mod exposition;
mod facets;
#[doc(hidden)]
pub mod fuzzing;
mod gateway;
pub mod generations;
mod http;
pub mod keys;
mod language;
mod metrics;
mod openapi;
mod params;
mod problem;
mod rate_limit;
mod routes;
pub mod sample;
mod search;
mod settings;
mod state;
mod welcome;

pub use application::{Application, StartError, Stop, StopHandle};
pub use envelope::WARNING_CODES;
pub use params::{PARAMETER_CODES, PARAMETERS, Parameter, ParameterKind};
pub use problem::PROBLEM_CODES;
pub use settings::{Auth, BaseUrlError, GatewaySecret, HostName, RateLimit, Settings};
