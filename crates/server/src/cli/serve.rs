//! `outfall serve`: from flags to a service that runs until it is told to stop.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::{System, SystemRunner};
use outfall_request::BackendSource;

use super::log::Log;
use super::signals::{self, Taken};
use super::{
    BackendFlag, CommandError, DEFAULT_DATA, Interval, KEY_FILE, ListenAddress, ServeArgs, limits,
};
use crate::generations::SharedBackend;
use crate::keys::KeyStore;
use crate::settings::{Auth, GatewaySecret, HostName, RateLimit};
use crate::updater::{UpdatePlan, Updater};
use crate::welcome::{Access, Served, Welcome};
use crate::{Application, Origin, Settings, sample};

/// How many requests an hour the explorer may make by default, if there is one: about ten times as
/// many as a person who clicks all the time.
const EXPLORER: u32 = 1200;

/// Serves until a signal stops it.
///
/// # Errors
/// See [`CommandError`].
pub fn run(args: &ServeArgs) -> Result<(), CommandError> {
    let settings = settings(args)?;
    require_flags(args)?;
    limits::require_threads(&settings)?;
    let log = Log::start(args.log)?;
    let settings = Settings { dropped_log_lines: Some(log.dropped_lines.clone()), ..settings };
    limits::require_descriptors(&settings)?;
    let system = System::new();
    let signals = system.block_on(async { signals::take() })?;
    let is_plain = is_plain(args);
    let data = args.data.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_DATA));
    let key_file = args.keys.clone().unwrap_or_else(|| data.join(KEY_FILE));
    // A data directory that was named belongs to the operator; the sample is only for a first look.
    if is_plain {
        sample::ensure_index(&data)?;
    }
    let _updater = updater(args, &data, &settings)?;
    let (backend, engine_calls) = match args.backend {
        BackendFlag::Embedded => (SharedBackend::watching(&data)?, None),
        BackendFlag::Opensearch => {
            let cluster = args.cluster.cluster()?;
            let calls = cluster.calls().clone();
            (SharedBackend::following(cluster)?, Some(calls))
        }
    };
    let settings = Settings { index_loads: backend.loads().clone(), engine_calls, ..settings };
    // Keeps only the description, so that the index is freed when another one is published.
    let served = backend.current().map(|index| index.dataset().clone());
    let is_sample = is_plain
        && served.as_ref().is_some_and(|dataset| sample::is_sample(&data, &dataset.build_id));
    let keys = match args.auth {
        Auth::Required => {
            if is_sample && args.keys.is_none() {
                sample::ensure_key(&data, &key_file)?;
            }
            KeyStore::watching(&key_file)?
        }
        Auth::Off => Arc::new(KeyStore::empty()),
    };
    let host = settings.host_names.first().cloned();
    let demo_key = if is_plain { sample::kept_key(&data, &keys) } else { None };
    let access = match (args.auth, &settings.gateway_secret, &host) {
        (Auth::Off, ..) => Some(Access::Open),
        (Auth::Required, None, Some(host)) => Some(Access::Key(host, demo_key.as_ref())),
        (Auth::Required, ..) => None,
    };
    let (explorer, host_names) = (settings.explorer, settings.host_names.clone());
    let trouble = backend.trouble();
    let served = match &served {
        Some(_) if is_sample => Served::Sample,
        Some(dataset) => Served::Other(dataset),
        None => Served::Nothing,
    };
    let welcome = |address| match is_plain {
        true => {
            let trouble = trouble.as_deref();
            let page = (explorer > 0).then(|| page_address(address, &host_names));
            Welcome { address, data: &data, served, trouble, access, page }.to_string()
        }
        false => format!("Outfall listens on http://{address}\n"),
    };
    let data = match args.backend {
        BackendFlag::Embedded => data.display().to_string(),
        BackendFlag::Opensearch => args.cluster.url.join(", "),
    };
    serve(&system, signals, settings, &data, backend, keys, welcome)
}

/// Starts the thread that keeps the index up to date, if `--update-every` is given.
fn updater(
    args: &ServeArgs,
    data: &Path,
    settings: &Settings,
) -> Result<Option<Updater>, CommandError> {
    let Some(Interval(every)) = args.update_every else { return Ok(None) };
    let plan = UpdatePlan {
        every,
        data: data.to_owned(),
        downloads: args.portal.downloads(data),
        portal: args.portal.portal.to_string(),
    };
    Ok(Some(Updater::start(plan, settings.updates.clone())?))
}

/// Whether this is a first look, at the index in the default directory or at the sample.
fn is_plain(args: &ServeArgs) -> bool {
    args.data.is_none() && args.backend == BackendFlag::Embedded
}

/// Refuses flags that do not fit the engine, and an engine without the flags that it needs.
fn require_flags(args: &ServeArgs) -> Result<(), CommandError> {
    let has_url = !args.cluster.url.is_empty();
    let fault = match args.backend {
        BackendFlag::Embedded if has_url => "--url is of a cluster; give `--backend opensearch`",
        BackendFlag::Opensearch if !has_url => {
            "`--backend opensearch` needs the --url of a cluster"
        }
        BackendFlag::Opensearch if args.data.is_some() => {
            "--data is of an index on this machine; leave it out with `--backend opensearch`"
        }
        BackendFlag::Opensearch if args.keys.is_none() && args.auth == Auth::Required => {
            "`--backend opensearch` needs the --keys of clients"
        }
        BackendFlag::Opensearch if args.update_every.is_some() => {
            "--update-every is for an index on this machine; with `--backend opensearch`, run \
             `index-build --to opensearch --from-portal` now and then"
        }
        BackendFlag::Embedded if args.update_every.is_some() && args.data.is_none() => {
            "--update-every needs the --data to bring up to date"
        }
        BackendFlag::Embedded | BackendFlag::Opensearch => return Ok(()),
    };
    Err(CommandError::Usage(fault.to_owned()))
}

fn serve(
    system: &SystemRunner,
    signals: Taken,
    settings: Settings,
    data: &str,
    backend: SharedBackend,
    keys: Arc<KeyStore>,
    welcome: impl FnOnce(SocketAddr) -> String,
) -> Result<(), CommandError> {
    system.block_on(async move {
        let application =
            Application::build(settings, Arc::new(backend.clone()), Arc::clone(&keys))?;
        let address = application.address();
        signals::stop_when_told(application.stop_handle())?;
        signals.handle(backend, keys, application.stop_handle());
        tracing::info!(%address, data, "serving");
        // Written in one piece, because a script may wait for the first line.
        let mut out = io::stdout().lock();
        out.write_all(welcome(address).as_bytes())?;
        out.flush()?;
        drop(out);
        Ok(application.run().await?)
    })
}

/// The address of the explorer for a browser on this machine. The explorer only answers at known
/// host names.
fn page_address(address: SocketAddr, host_names: &[HostName]) -> String {
    let own = HostName::parse(&address.ip().to_string());
    let is_known = own.is_some_and(|own| host_names.contains(&own));
    match host_names.first().filter(|_| !is_known) {
        Some(host) => format!("http://{host}:{}/", address.port()),
        None => format!("http://{address}/"),
    }
}

/// The sites that may show charts. Fails if any are named without the explorer.
fn embed_origins(given: &[String], explorer: u32) -> Result<Vec<Origin>, CommandError> {
    let origin = |text: &str| {
        let origin = text.parse();
        origin.map_err(|error| CommandError::Usage(format!("--embed-origins `{text}`: {error}")))
    };
    let named = given.iter().flat_map(|origins| origins.split_whitespace());
    let origins: Vec<Origin> = named.map(origin).collect::<Result<_, _>>()?;
    if explorer == 0 && !origins.is_empty() {
        let fault = "--embed-origins needs the explorer; give --explorer as well";
        return Err(CommandError::Usage(fault.to_owned()));
    }
    Ok(origins)
}

fn settings(args: &ServeArgs) -> Result<Settings, CommandError> {
    let host = |url: &String| {
        let host = HostName::of_base_url(url);
        host.map_err(|error| CommandError::Usage(format!("--base-url `{url}`: {error}")))
    };
    let address = |listen: &ListenAddress| {
        let failed = |source| CommandError::NoAddress { name: listen.to_string(), source };
        listen.resolve().map_err(failed)
    };
    let is_for_oneself = is_plain(args) || args.auth == Auth::Off;
    let explorer = args.explorer.unwrap_or(if is_for_oneself { EXPLORER } else { 0 });
    let defaults = Settings::default();
    Ok(Settings {
        listen: address(&args.listen)?,
        metrics_listen: args.metrics_listen.as_ref().map(address).transpose()?,
        slow_query: args.slow_query_ms.map(Duration::from_millis),
        host_names: args.base_url.iter().map(host).collect::<Result<_, _>>()?,
        auth: args.auth,
        gateway_secret: args.gateway_secret.clone().map(GatewaySecret::new),
        rate_limit: RateLimit { per_minute: args.rate_limit, burst: args.rate_burst },
        demo_key: args.demo_key,
        explorer,
        embed_origins: embed_origins(&args.embed_origins, explorer)?,
        max_connections_of_address: args.connections_per_address.into(),
        workers: args.workers.map_or(defaults.workers, usize::from),
        ..defaults
    })
}
