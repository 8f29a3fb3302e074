//! The command line: every flag and its variable, in one place.

mod cluster;
mod explanation;
mod facet_table;
mod health;
mod interval;
mod keys;
mod limits;
mod listen;
mod log;
mod manual;
mod mcp;
mod search;
mod serve;
mod signals;
mod table;
mod update;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use cluster::ClusterArgs;
pub use health::{HealthArgs, run as run_health};
pub use interval::{Interval, IntervalError};
pub use keys::run as run_keys;
pub use listen::{ListenAddress, ListenAddressError};
pub use manual::{ManualArgs, run as run_manual};
pub use mcp::{McpArgs, run as run_mcp};
pub use search::{SearchArgs, run as run_search};
pub use serve::run as run_serve;
pub use update::{PortalArgs, UpdateArgs, run as run_update};

use crate::Auth;
use crate::keys::{ClientName, Expiry, KeyFileError, parse_new_expiry};

/// The default data directory.
const DEFAULT_DATA: &str = "data";
/// The name of the key file in a data directory.
pub(crate) const KEY_FILE: &str = "keys.json";

const EXAMPLES: &str = "\
Examples:
  outfall                  serve ./data, made of the sample data if there is none
  outfall serve --data /var/lib/outfall --keys /etc/outfall/keys.json \\
      --base-url https://api.example.org
  outfall serve --backend opensearch --url https://search.example.org:9200 \\
      --keys /etc/outfall/keys.json --base-url https://api.example.org
  outfall update --data /srv/outfall
  outfall keys add newsroom --keys /etc/outfall/keys.json
  outfall search 'benzene OR toluene' --province ON --sort-by value --value-unit kg
  outfall search --emission --facility-id G10001 --format csv > emissions.csv
  outfall mcp --data /srv/outfall

Exit codes, but for those of `outfall update`:
   0  stopped as asked
  64  invalid command line
  66  the keys, the index, the sample data or what a cluster needs cannot be read, or the
      keys cannot be changed
  69  the address cannot be listened on, or no service that is ready answers there
  70  something failed that should not; please report it
  71  the system allows too few open files or threads
  75  another command is changing the keys; nothing was changed, try again";

/// Serves the pollutant releases of the NPRI and the greenhouse-gas emissions of the GHGRP.
#[derive(Debug, Parser)]
#[command(name = "outfall", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do; serving is the default.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The flags of `serve`, when no command is named.
    #[command(flatten)]
    pub serve: ServeArgs,
}

impl Cli {
    /// Parses the arguments of the program, the first of which is its name.
    ///
    /// # Errors
    /// When the command line is invalid, or asks for help or the version.
    pub fn of_arguments(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        Self::try_parse_from(search::with_exclusions(arguments))
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer GET /release and GET /emission.
    Serve(Box<ServeArgs>),
    /// Search a local index: a table on a terminal, JSON or CSV in a pipe.
    Search(SearchArgs),
    /// Bring an index up to date: download the official files that have changed, and build.
    Update(UpdateArgs),
    /// Answer an agent on standard input and output (Model Context Protocol), from a local index.
    Mcp(McpArgs),
    /// Make, list and revoke the keys of clients.
    Keys(KeysArgs),
    /// Ask a service on this machine whether it is ready.
    Health(HealthArgs),
    /// Write the manual pages and shell completions, as packages do.
    #[command(hide = true)]
    Manual(ManualArgs),
}

/// How to serve.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The data directory that `index-build` publishes to [default: ./data, filled with the sample
    /// data if it holds no index].
    #[arg(long, value_name = "DIR", env = "OUTFALL_DATA")]
    pub data: Option<PathBuf>,
    /// The engine that answers. With `opensearch`, --url is required, and --keys unless --auth is
    /// off.
    #[arg(long, value_enum, env = "OUTFALL_BACKEND", default_value_t = BackendFlag::Embedded)]
    pub backend: BackendFlag,
    /// The cluster, with `--backend opensearch`.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// The address to listen on: `127.0.0.1:8080`, `localhost:8080`, or a port alone; port 0 picks
    /// a free one.
    #[arg(long, value_name = "ADDRESS", env = "OUTFALL_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: ListenAddress,
    /// A separate address for GET /metrics and health [default: the same as for clients].
    #[arg(long, value_name = "ADDRESS", env = "OUTFALL_METRICS_LISTEN")]
    pub metrics_listen: Option<ListenAddress>,
    /// The base URL that clients use; `x-gateway-host` must be its host name. May be repeated.
    #[arg(
        long,
        value_name = "URL",
        env = "OUTFALL_BASE_URL",
        value_delimiter = ',',
        default_value = "http://localhost:8080,http://127.0.0.1:8080"
    )]
    pub base_url: Vec<String>,
    /// The file of keys [default: keys.json in the data directory].
    #[arg(long, value_name = "FILE", env = "OUTFALL_KEYS")]
    pub keys: Option<PathBuf>,
    /// Whether requests need a key and the host.
    #[arg(long, value_enum, env = "OUTFALL_AUTH", default_value_t = Auth::Required)]
    pub auth: Auth,
    /// The secret that every request must carry in `x-gateway-secret`; prefer the variable.
    #[arg(long, value_name = "SECRET", env = "OUTFALL_GATEWAY_SECRET", hide_env_values = true)]
    pub gateway_secret: Option<String>,
    /// Requests per minute that a key may make; 0 means unlimited.
    #[arg(long, value_name = "N", env = "OUTFALL_RATE_LIMIT", default_value_t = 240)]
    pub rate_limit: u32,
    /// Requests that a key may make in one burst.
    #[arg(long, value_name = "N", env = "OUTFALL_RATE_BURST", default_value_t = 60)]
    pub rate_burst: u32,
    /// Requests per hour that an address may make with `DEMO_KEY`; 0 turns that key off.
    #[arg(long, value_name = "N", env = "OUTFALL_DEMO_KEY", default_value_t = 0)]
    pub demo_key: u32,
    /// Requests per hour that the explorer, the page at /, may make from one address; 0 means that
    /// there is no page [default: 1200 for the embedded engine without `--data`, or with `--auth off`; else
    /// 0].
    #[arg(long, value_name = "N", env = "OUTFALL_EXPLORER")]
    pub explorer: Option<u32>,
    /// Sites that may show charts of the explorer in a frame, by their origins, such as
    /// `https://news.example`; separate several with spaces, or repeat the flag [default: none].
    #[arg(long, value_name = "ORIGINS", env = "OUTFALL_EMBED_ORIGINS")]
    pub embed_origins: Vec<String>,
    /// Open connections that an address may hold; 0, right behind a gateway, means unlimited.
    #[arg(long, value_name = "N", env = "OUTFALL_CONNECTIONS_PER_ADDRESS", default_value_t = 0)]
    pub connections_per_address: u16,
    /// Bring the index up to date this often, with `outfall update`: `7d`, `12h`. Needs --data
    /// [default: never].
    #[arg(long, value_name = "INTERVAL", env = "OUTFALL_UPDATE_EVERY")]
    pub update_every: Option<Interval>,
    /// Where updates come from.
    #[command(flatten)]
    pub portal: PortalArgs,
    /// Threads that answer requests [default: as many as there are cores].
    #[arg(long, value_name = "N", env = "OUTFALL_WORKERS", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub workers: Option<u16>,
    /// Log what was searched for when it took this many milliseconds or more; otherwise no text of
    /// a caller is ever logged.
    #[arg(long, value_name = "MS", env = "OUTFALL_SLOW_QUERY_MS")]
    pub slow_query_ms: Option<u64>,
    /// The format of the log on standard error.
    #[arg(long, value_enum, env = "OUTFALL_LOG", default_value_t = LogFormat::Text)]
    pub log: LogFormat,
}

/// The engine that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendFlag {
    /// The index in the data directory.
    Embedded,
    /// The index in an OpenSearch cluster.
    Opensearch,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One object a line, for programs.
    Json,
}

/// What to do with keys.
#[derive(Debug, Args)]
pub struct KeysArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: KeysCommand,
}

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make a key for a client, and print it once; only its hash is kept.
    Add {
        /// The client.
        name: ClientName,
        /// The last day, in UTC, on which the key is good [default: it does not expire].
        #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_new_expiry)]
        expires: Option<Expiry>,
        /// Where the keys are kept.
        #[command(flatten)]
        file: KeyFileArg,
    },
    /// List the keys by id, name and state.
    List {
        /// Where the keys are kept.
        #[command(flatten)]
        file: KeyFileArg,
    },
    /// Disable a key, or all keys of a client; a running service refuses them within seconds.
    Revoke {
        /// The id, the client, the whole key, or its `sha256` in the key file.
        key: String,
        /// Where the keys are kept.
        #[command(flatten)]
        file: KeyFileArg,
    },
}

/// Where the keys are kept.
#[derive(Debug, Args)]
pub struct KeyFileArg {
    /// The file of keys.
    #[arg(long, value_name = "FILE", env = "OUTFALL_KEYS", default_value = "data/keys.json")]
    pub keys: PathBuf,
}

/// Why a command failed; each reason has an exit code.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// A flag or a variable has an invalid value.
    #[error("{0}")]
    Usage(String),
    /// The keys cannot be read or written.
    #[error(transparent)]
    Keys(#[from] KeyFileError),
    /// The index cannot be opened.
    #[error(transparent)]
    Index(#[from] crate::engines::IndexError),
    /// What is needed to reach the cluster is missing.
    #[error(transparent)]
    Cluster(#[from] crate::engines::ClusterError),
    /// The index cannot be searched.
    #[error(transparent)]
    Search(#[from] outfall_request::SearchError),
    /// The index cannot be brought up to date.
    #[error(transparent)]
    Update(#[from] outfall_portal::UpdateError<crate::engines::IndexError>),
    /// The sample data cannot be indexed.
    #[error(transparent)]
    Sample(#[from] crate::sample::SampleError),
    /// The service does not start.
    #[error(transparent)]
    Start(#[from] crate::StartError),
    /// The service could start, but not accept any connection.
    #[error(
        "this process may open {allowed} files, and the service needs {needed} before anybody can \
         connect; raise the limit (`ulimit -n`, or `LimitNOFILE=` in a systemd unit)"
    )]
    TooFewDescriptors {
        /// The limit.
        allowed: u64,
        /// The minimum that the service needs.
        needed: u64,
    },
    /// The system allows too few threads; a library would panic where it starts one.
    #[error(
        "the system does not let this process start the {needed} threads that the service needs \
         ({source}); raise the limit (`TasksMax=` in a systemd unit, `ulimit -u`) or give it more \
         memory (`ulimit -v`)"
    )]
    TooFewThreads {
        /// How many threads the service needs.
        needed: usize,
        /// Why the next one did not start.
        source: std::io::Error,
    },
    /// No ready service answers.
    #[error("the service at {address} is not ready: {reason}")]
    NotReady {
        /// The address that was asked.
        address: SocketAddr,
        /// The answer or the error that came instead.
        reason: String,
    },
    /// The name to listen on has no address.
    #[error("cannot find the address of `{name}`: {source}")]
    NoAddress {
        /// The name.
        name: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The service or its output failed.
    #[error("{0}")]
    Failed(#[from] std::io::Error),
}

impl CommandError {
    /// The exit code for an invalid command line, the same as that of `index-build`.
    pub const USAGE: u8 = 64;

    /// The exit code, as listed in the help.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => Self::USAGE,
            Self::Keys(KeyFileError::Locked { .. }) => 75,
            Self::Keys(_) | Self::Index(_) | Self::Cluster(_) | Self::Sample(_) => 66,
            Self::Update(error) => error.exit_code(crate::engines::IndexError::exit_code),
            Self::Start(_) | Self::NoAddress { .. } | Self::NotReady { .. } => 69,
            Self::Search(_) | Self::Failed(_) => 70,
            Self::TooFewDescriptors { .. } | Self::TooFewThreads { .. } => 71,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
