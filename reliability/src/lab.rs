//! The place where experiments run: the binaries under test, and folders that vanish.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::Message;
use tempfile::TempDir;

/// Which binaries are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The binaries that tests run.
    Dev,
    /// The binaries that operators run.
    Release,
}

/// The binaries under test, and a place for what they write.
#[derive(Debug)]
pub struct Lab {
    index_build: PathBuf,
    outfall: PathBuf,
    folder: TempDir,
}

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// Files, processes and sockets of the experiment itself.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried.
        action: String,
        /// Why it failed.
        source: io::Error,
    },
    /// The binaries do not compile.
    #[error("cargo did not build the binaries")]
    NotBuilt,
    /// The experiment could not be set up.
    #[error("{0}")]
    Setup(String),
}

impl LabError {
    pub(crate) fn io(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action: action.into(), source }
    }
}

impl Lab {
    /// Builds the binaries.
    ///
    /// # Errors
    /// [`LabError::NotBuilt`] when they do not compile, [`LabError::Io`].
    pub fn open(profile: Profile) -> Result<Self, LabError> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--package", "index-build", "--package", "outfall-server"]);
        command.args(["--bins", "--message-format", "json-render-diagnostics", "--locked"]);
        if profile == Profile::Release {
            command.arg("--release");
        }
        command.arg("--quiet").current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit());
        let output = command.output().map_err(LabError::io("start cargo"))?;
        if !output.status.success() {
            return Err(LabError::NotBuilt);
        }
        let executable = |name: &str| {
            let messages = Message::parse_stream(output.stdout.as_slice()).filter_map(Result::ok);
            let built = messages.filter_map(|message| match message {
                Message::CompilerArtifact(artifact) if artifact.target.name == name => {
                    artifact.executable
                }
                _ => None,
            });
            built.last().map(PathBuf::from).ok_or(LabError::NotBuilt)
        };
        let folder = tempfile::Builder::new().prefix("reliability-").tempdir();
        Ok(Self {
            index_build: executable("index-build")?,
            outfall: executable("outfall")?,
            folder: folder.map_err(LabError::io("create a folder"))?,
        })
    }

    /// The rebuild command.
    pub(crate) fn index_build(&self) -> &Path {
        &self.index_build
    }

    /// The service.
    pub(crate) fn outfall(&self) -> &Path {
        &self.outfall
    }

    /// A new folder that lasts as long as the experiment keeps it.
    pub(crate) fn folder(&self) -> Result<TempDir, LabError> {
        tempfile::tempdir_in(self.folder.path()).map_err(LabError::io("create a folder"))
    }
}
