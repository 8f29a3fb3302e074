//! Which generation is served, and which are kept.

use std::fs;
use std::path::Path;

use super::STAGING_PREFIX;
use super::durable::{names_in, remove_any, sync_dir, write_synced};
use super::lock::lock;
use crate::index::generation::generation_numbers;
use crate::index::manifest::{CURRENT, Current, Manifest, generation_name, generation_number};
use crate::index::{Generation, LayoutError};

/// The served generation and the two before it, to roll back to.
const GENERATIONS_KEPT: u32 = 3;

/// Serves the newest whole generation before the served one again; tells its name.
///
/// # Errors
/// [`LayoutError::NothingToRollBackTo`], [`LayoutError::Locked`], [`LayoutError::Io`], and those of
/// [`Current::read`].
pub fn roll_back(data: &Path) -> Result<String, LayoutError> {
    let _lock = lock(data)?;
    let current = Current::read(data)?;
    let served = generation_number(&current.generation);
    let mut earlier = generation_numbers(data)?;
    earlier.retain(|number| Some(*number) < served);
    earlier.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
    for number in earlier {
        let generation = generation_name(number);
        if Generation::open_number(data, number).is_ok() {
            let (_, manifest_blake3) = Manifest::read(&data.join(&generation))?;
            replace_current(data, &Current { generation: generation.clone(), manifest_blake3 })?;
            return Ok(generation);
        }
    }
    Err(LayoutError::NothingToRollBackTo { path: data.to_owned() })
}

/// Replaces `CURRENT` in one step that a power cut cannot halve; on failure it is what it was.
pub(super) fn replace_current(data: &Path, current: &Current) -> Result<(), LayoutError> {
    let before = Current::read(data).ok();
    rename_current(data, current)?;
    let synced = sync_dir(data);
    if let (Err(_), Some(before)) = (&synced, before) {
        // The disk is failing, and the error that it gave first is the one to tell.
        drop(rename_current(data, &before));
    }
    synced
}

fn rename_current(data: &Path, current: &Current) -> Result<(), LayoutError> {
    let new = data.join(format!("{CURRENT}.new"));
    // What a rebuild left that was killed, or what somebody else put there.
    remove_any(&new)?;
    write_synced(&new, current.line().as_bytes())?;
    fs::rename(&new, data.join(CURRENT)).map_err(LayoutError::io("rename", &new))
}

pub(super) fn remove_outdated(data: &Path, newest: u32) -> Result<(), LayoutError> {
    for old in names_in(data)?.filter(|name| is_outdated(name, newest)) {
        let path = data.join(&old);
        // A generation half removed must not look whole, so its name goes first.
        let doomed = data.join(format!("{STAGING_PREFIX}{old}"));
        fs::rename(&path, &doomed).map_err(LayoutError::io("rename", &path))?;
        remove_any(&doomed)?;
    }
    Ok(())
}

fn is_outdated(name: &str, newest: u32) -> bool {
    let newest_outdated = newest.checked_sub(GENERATIONS_KEPT);
    generation_number(name).is_some_and(|number| Some(number) <= newest_outdated)
}
