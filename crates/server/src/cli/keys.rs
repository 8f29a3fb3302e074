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
        KeysCommand::Add { name, file } => {
            let key = KeyFile::add(&file.keys, name)?;
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
                let state = if key.is_disabled { "revoked" } else { "active" };
                writeln!(out, "{}  {state:7}  {}  {}", key.id, key.created_at, key.name)?;
            }
        }
        KeysCommand::Revoke { key, file } => {
            let count = KeyFile::revoke(&file.keys, key)?;
            writeln!(out, "{count} revoked")?;
        }
    }
    Ok(out.flush()?)
}
