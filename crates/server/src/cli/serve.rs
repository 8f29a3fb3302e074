//! `outfall serve`: from flags to a service that runs until it is told to stop.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::{System, SystemRunner};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::log::Log;
use super::signals::{self, Taken};
use super::{AuthFlag, CommandError, DEFAULT_DATA, KEY_FILE, ServeArgs};
use crate::generations::SharedBackend;
use crate::keys::KeyStore;
use crate::sample::{self, DemoKey};
use crate::settings::{GatewaySecret, HostName, RateLimit};
use crate::{Application, Settings};

/// Serves until a signal stops it.
///
/// # Errors
/// See [`CommandError`].
pub fn run(args: &ServeArgs) -> Result<(), CommandError> {
    let log = Log::start(args.log)?;
    let system = System::new();
    let signals = system.block_on(async { signals::take() })?;
    raise_descriptor_limit();
    let settings = Settings {
        dropped_log_lines: Some(log.dropped_lines.clone()),
        malformed_requests: log.malformed_requests.clone(),
        ..settings(args)?
    };
    let data = args.data.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_DATA));
    let key_file = args.keys.clone().unwrap_or_else(|| data.join(KEY_FILE));
    // A data directory that was named is the operator's; the sample is only for those who just
    // look.
    if args.data.is_none() {
        sample::ensure_index(&data)?;
    }
    let demo_key = match (args.data.is_none() && args.keys.is_none(), args.auth) {
        (true, AuthFlag::Required) => Some(sample::ensure_key(&data, &key_file)?),
        _ => None,
    };
    let keys = match args.auth {
        AuthFlag::Required => KeyStore::watching(&key_file)?,
        AuthFlag::Off => Arc::new(KeyStore::empty()),
    };
    serve(&system, signals, settings, &data, keys, demo_key.as_ref())
}

fn serve(
    system: &SystemRunner,
    signals: Taken,
    settings: Settings,
    data: &Path,
    keys: Arc<KeyStore>,
    demo_key: Option<&DemoKey>,
) -> Result<(), CommandError> {
    let host = settings.host_names.first().cloned();
    let backend = SharedBackend::watching(data)?;
    system.block_on(async move {
        let application = Application::build(settings, backend.clone(), Arc::clone(&keys))?;
        let address = application.address();
        signals::stop_when_told(application.stop_handle())?;
        signals.handle(backend, keys, application.stop_handle());
        tracing::info!(%address, data = %data.display(), "serving");
        sample::welcome(address, host.as_ref(), demo_key)?;
        Ok(application.run().await?)
    })
}

fn settings(args: &ServeArgs) -> Result<Settings, CommandError> {
    let host = |url: &String| {
        let host = HostName::of_base_url(url);
        host.map_err(|error| CommandError::Usage(format!("--base-url `{url}`: {error}")))
    };
    let defaults = Settings::default();
    Ok(Settings {
        listen: args.listen,
        metrics_listen: args.metrics_listen,
        slow_query: args.slow_query_ms.map(Duration::from_millis),
        host_names: args.base_url.iter().map(host).collect::<Result<_, _>>()?,
        auth: args.auth.into(),
        gateway_secret: args.gateway_secret.clone().map(GatewaySecret::new),
        rate_limit: RateLimit { per_minute: args.rate_limit, burst: args.rate_burst },
        demo_key: args.demo_key,
        workers: args.workers.map_or(defaults.workers, usize::from),
        ..defaults
    })
}

/// Takes as many descriptors as the system allows: a connection takes two, and the usual soft limit
/// is a fraction of the connections that the settings allow.
fn raise_descriptor_limit() {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(%error, "the limit of descriptors stays as it is");
    }
}
