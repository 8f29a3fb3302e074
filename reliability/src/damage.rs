//! Ways in which the files of a generation go bad.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::random::Random;

/// A kind of damage to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    BitFlip,
    Truncation,
    ZeroedBlock,
    Swapped,
    Missing,
    Extra,
    Pipe,
    Link,
}

impl Damage {
    pub(crate) const ALL: [Self; 8] = [
        Self::BitFlip,
        Self::Truncation,
        Self::ZeroedBlock,
        Self::Swapped,
        Self::Missing,
        Self::Extra,
        Self::Pipe,
        Self::Link,
    ];
}

/// A generation with a known good copy of each file.
#[derive(Debug)]
pub(crate) struct Patient {
    dir: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Patient {
    /// The generation in the folder `dir`.
    pub(crate) fn new(dir: &Path) -> io::Result<Self> {
        let mut files = Vec::new();
        collect(dir, &mut files)?;
        files.sort();
        Ok(Self { dir: dir.to_owned(), files })
    }

    pub(crate) fn files(&self) -> usize {
        self.files.len()
    }

    /// The size of all files, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }

    /// Damages the file `number`. Returns files, one of which the error must name; returns none if
    /// the damage would change nothing.
    pub(crate) fn harm(
        &self,
        number: usize,
        damage: Damage,
        random: &mut Random,
    ) -> io::Result<Vec<PathBuf>> {
        let (path, bytes) = &self.files[number % self.files.len()];
        let mut damaged = bytes.clone();
        let at = random.below(bytes.len().max(1) as u64) as usize;
        match damage {
            Damage::BitFlip => match damaged.get_mut(at) {
                Some(byte) => *byte ^= 1 << random.below(8),
                None => return Ok(Vec::new()),
            },
            Damage::Truncation => damaged.truncate(at),
            Damage::ZeroedBlock => damaged.iter_mut().skip(at).take(512).for_each(|byte| *byte = 0),
            Damage::Swapped => {
                let (other, others) = &self.files[random.below(self.files.len() as u64) as usize];
                if others == bytes {
                    return Ok(Vec::new());
                }
                fs::write(path, others)?;
                fs::write(other, bytes)?;
                return Ok(vec![path.clone(), other.clone()]);
            }
            Damage::Missing => {
                fs::remove_file(path)?;
                return Ok(vec![path.clone()]);
            }
            Damage::Extra => {
                let extra = path.with_extension("extra");
                fs::write(&extra, bytes)?;
                return Ok(vec![extra]);
            }
            Damage::Pipe => {
                fs::remove_file(path)?;
                let made = Command::new("mkfifo").arg(path).status()?;
                return if made.success() {
                    Ok(vec![path.clone()])
                } else {
                    Err(io::ErrorKind::Other.into())
                };
            }
            Damage::Link => {
                // The link's target is intact, but may not stay so.
                let elsewhere = self.dir.with_extension("elsewhere");
                fs::rename(path, &elsewhere)?;
                symlink(&elsewhere, path)?;
                return Ok(vec![path.clone()]);
            }
        }
        if damaged == *bytes {
            return Ok(Vec::new());
        }
        fs::write(path, damaged)?;
        Ok(vec![path.clone()])
    }

    /// Restores damaged files.
    pub(crate) fn heal(&self, damaged: &[PathBuf]) -> io::Result<()> {
        for path in damaged {
            // The file may be missing, a pipe or a link; writing through those would not heal it.
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            if let Some((_, bytes)) = self.files.iter().find(|(known, _)| known == path) {
                fs::write(path, bytes)?;
            }
        }
        Ok(())
    }
}

fn collect(dir: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push((path.clone(), fs::read(&path)?)),
        }
    }
    Ok(())
}
