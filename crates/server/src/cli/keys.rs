//! `outfall keys add|list|revoke`.

use std::io::{self, Write};

use super::{CommandError, KeysArgs, KeysCommand};
use crate::keys::KeyFile;

/// Does what is asked of the file of keys.
///
/// # Errors
/// See [`CommandError`].
pub fn run(args: &KeysArgs) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match &args.command {
        KeysCommand::Add { name, expires, file } => {
            let key = KeyFile::add(&file.keys, name, *expires)?;
            let path = file.keys.display();
            writeln!(
                io::stderr(),
                "key {} of {name} was added to `{path}`; this is the only time it is shown:",
                key.id()
            )?;
            // The key alone on the last line, so that a script can take it.
            writeln!(out, "{}", key.as_str())?;
        }
        KeysCommand::List { file } => {
            let keys = KeyFile::read(&file.keys)?.keys;
            for key in keys {
                let state = match key.expires_on {
                    _ if key.is_disabled => "revoked",
                    Some(expiry) if expiry.is_over() => "expired",
                    _ => "active",
                };
                let expires = key.expires_on.map_or_else(|| "-".to_owned(), |day| day.to_string());
                let (id, created, name) = (key.id, key.created_at, key.name);
                writeln!(out, "{id}  {state:7}  {created}  {expires:10}  {name}")?;
            }
        }
        KeysCommand::Revoke { key, file } => {
            let count = KeyFile::revoke(&file.keys, key)?;
            writeln!(out, "{count} revoked")?;
        }
    }
    Ok(out.flush()?)
}
