//! `outfall keys add|list|revoke`.

use std::io::{self, Write};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::{CommandError, KeysArgs, KeysCommand};
use crate::keys::{KeyEntry, KeyFile, printable};

/// Runs a command on the key file.
///
/// # Errors
/// See [`CommandError`].
pub fn run(args: &KeysArgs) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match &args.command {
        KeysCommand::Add { name, expires, file } => {
            let key = KeyFile::add(&file.keys, name, *expires)?;
            let path = file.keys.display();
            // The key is already in the file, so it must be shown even if this line cannot be.
            let _ = writeln!(
                io::stderr(),
                "key {} of {name} was added to `{path}`; this is the only time it is shown:",
                key.id()
            );
            // The key alone on standard output, so that a script can read it.
            writeln!(out, "{}", key.as_str())?;
        }
        KeysCommand::List { file } => {
            let keys = KeyFile::read(&file.keys)?.keys;
            for [id, state, created, expires, client] in
                [HEADER.map(str::to_owned)].into_iter().chain(keys.iter().map(row))
            {
                writeln!(out, "{id:8}  {state:7}  {created:20}  {expires:10}  {client}")?;
            }
        }
        KeysCommand::Revoke { key, file } => {
            let count = KeyFile::revoke(&file.keys, key)?;
            writeln!(out, "{count} revoked")?;
        }
    }
    Ok(out.flush()?)
}

const HEADER: [&str; 5] = ["ID", "STATE", "CREATED", "LAST DAY", "CLIENT"];

fn row(key: &KeyEntry) -> [String; 5] {
    let state = match key.expires_on {
        _ if key.is_disabled => "revoked",
        Some(expiry) if expiry.is_over() => "expired",
        _ => "active",
    };
    let expires = key.expires_on.map_or_else(|| "-".to_owned(), |day| day.to_string());
    // Files of earlier versions have fractions of seconds.
    let created = OffsetDateTime::parse(&key.created_at, &Rfc3339).ok();
    let created = created.and_then(|time| time.truncate_to_second().format(&Rfc3339).ok());
    let created = created.unwrap_or_else(|| printable(&key.created_at));
    [printable(&key.id), state.to_owned(), created, expires, printable(&key.name)]
}
