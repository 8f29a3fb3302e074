//! Switches the served generation, and removes outdated ones.

use std::fs;
use std::path::Path;

use crate::StoreError;
use crate::current::{CURRENT, Current, generation_name, generation_number, generation_numbers};
use crate::durable::{names_in, remove_any, sync_dir, write_synced};
use crate::lock::lock;
use crate::manifest::manifest_hash;
use crate::staging::STAGING_PREFIX;

/// How many generations are kept: the newest one, and two to roll back to.
const GENERATIONS_KEPT: u32 = 3;

/// Switches back to the newest generation before the served one that `is_whole` accepts, and
/// returns its name.
///
/// # Errors
/// [`StoreError::NothingToRollBackTo`], [`StoreError::Locked`], [`StoreError::Io`], and those of
/// [`Current::read`].
pub fn roll_back(data: &Path, is_whole: impl Fn(&str) -> bool) -> Result<String, StoreError> {
    let _lock = lock(data)?;
    let current = Current::read(data)?;
    let served = generation_number(&current.generation);
    let numbers = generation_numbers(data)?;
    let earlier = numbers.into_iter().filter(|number| Some(*number) < served);
    let Some(generation) = earlier.map(generation_name).find(|name| is_whole(name)) else {
        return Err(StoreError::NothingToRollBackTo { path: data.to_owned() });
    };
    let manifest_blake3 = manifest_hash(&data.join(&generation))?;
    replace_current(data, &Current { generation: generation.clone(), manifest_blake3 })?;
    Ok(generation)
}

/// Replaces `CURRENT` atomically, even in a power cut; on failure it stays as it was.
pub(crate) fn replace_current(data: &Path, current: &Current) -> Result<(), StoreError> {
    let before = Current::read(data).ok();
    rename_current(data, current)?;
    let synced = sync_dir(data);
    if let (Err(_), Some(before)) = (&synced, before) {
        // The disk is failing, and its first error is the one to report.
        drop(rename_current(data, &before));
    }
    synced
}

fn rename_current(data: &Path, current: &Current) -> Result<(), StoreError> {
    let new = data.join(format!("{CURRENT}.new"));
    // Left by a killed rebuild, or put there by somebody else.
    remove_any(&new)?;
    write_synced(&new, current.line().as_bytes())?;
    fs::rename(&new, data.join(CURRENT)).map_err(StoreError::io("rename", &new))
}

pub(crate) fn remove_outdated(data: &Path, newest: u32) -> Result<(), StoreError> {
    for old in names_in(data)?.filter(|name| is_outdated(name, newest)) {
        let path = data.join(&old);
        // A half-removed generation must not look whole, so it is renamed first.
        let doomed = data.join(format!("{STAGING_PREFIX}{old}"));
        fs::rename(&path, &doomed).map_err(StoreError::io("rename", &path))?;
        remove_any(&doomed)?;
    }
    Ok(())
}

fn is_outdated(name: &str, newest: u32) -> bool {
    let newest_outdated = newest.checked_sub(GENERATIONS_KEPT);
    generation_number(name).is_some_and(|number| Some(number) <= newest_outdated)
}
