//! `outfall health`: asks a service on this machine whether it is ready, for containers and scripts
//! on machines without an HTTP client.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::Args;
use serde_json::Value;
use ureq::Agent;

use super::{CommandError, ListenAddress};

/// Which service to ask.
#[derive(Debug, Args)]
pub struct HealthArgs {
    /// The address that the service listens on; one that listens on all of them is asked on the
    /// loopback.
    #[arg(long, value_name = "ADDRESS", env = "OUTFALL_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: ListenAddress,
}

/// How long the service may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// More bytes than any answer about health has.
const LONGEST: u64 = 64 * 1024;

/// Prints what the service answers if it is ready; `degraded` counts as ready, because such a
/// service answers searches and would gain nothing from a restart.
///
/// # Errors
/// [`CommandError::NotReady`] when the service is not ready, or does not answer.
pub fn run(args: &HealthArgs) -> Result<(), CommandError> {
    let address = args.listen.resolve();
    let address = address
        .map_err(|source| CommandError::NoAddress { name: args.listen.to_string(), source })?;
    let address = reachable(address);
    let said = ask(address).map_err(|reason| CommandError::NotReady { address, reason })?;
    Ok(writeln!(io::stdout(), "{said}")?)
}

/// Where to reach a service that listens on this address: one that listens on all of them is asked
/// on the loopback.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The answer of a service that is ready, or why there is none.
fn ask(address: SocketAddr) -> Result<String, String> {
    let agent = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE))
        // Proxies that the environment names are for other machines.
        .proxy(None)
        .build()
        .new_agent();
    let answer = agent.get(format!("http://{address}/health/ready")).call();
    let mut answer = answer.map_err(|error| error.to_string())?;
    let body = answer.body_mut().with_config().limit(LONGEST).read_to_string();
    let body = body.map_err(|error| error.to_string())?;
    match answer.status().as_u16() {
        200 => Ok(body),
        status => {
            let problem: Option<Value> = serde_json::from_str(&body).ok();
            let code = problem.as_ref().and_then(|problem| problem["code"].as_str());
            Err(format!("{status} {}", code.unwrap_or("without a reason")))
        }
    }
}
