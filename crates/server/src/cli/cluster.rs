//! The flags of a cluster.

use std::path::PathBuf;

use clap::Args;

use crate::engines::{Cluster, ClusterError, ConnectionFiles, Names};

/// How to reach an OpenSearch cluster.
#[derive(Debug, Args)]
pub struct ClusterArgs {
    /// The address of a node of the OpenSearch cluster. For several, repeat the flag or separate
    /// them with commas.
    #[arg(long, value_name = "URL", env = "OUTFALL_URL", value_delimiter = ',')]
    pub url: Vec<String>,
    /// The user of the cluster; the password is in a file or in OUTFALL_OPENSEARCH_PASSWORD.
    #[arg(long, value_name = "NAME", env = "OUTFALL_USER")]
    pub user: Option<String>,
    /// The file that holds the password.
    #[arg(long, value_name = "FILE", env = "OUTFALL_PASSWORD_FILE")]
    pub password_file: Option<PathBuf>,
    /// The file that holds an API key, instead of a user; or OUTFALL_OPENSEARCH_API_KEY.
    #[arg(long, value_name = "FILE", env = "OUTFALL_API_KEY_FILE", conflicts_with = "user")]
    pub api_key_file: Option<PathBuf>,
    /// The certificate authorities of the cluster, in PEM, instead of the public ones.
    #[arg(long, value_name = "FILE", env = "OUTFALL_CA")]
    pub ca: Option<PathBuf>,
    /// How the names of the aliases in the cluster begin.
    #[arg(
        long,
        value_name = "NAME",
        env = "OUTFALL_PREFIX",
        default_value = "outfall",
        value_parser = prefix
    )]
    pub prefix: Names,
}

impl ClusterArgs {
    /// The cluster; this sends it no request yet.
    ///
    /// # Errors
    /// When an address, a secret or a certificate is missing or malformed.
    pub(crate) fn cluster(&self) -> Result<Cluster, ClusterError> {
        let files = ConnectionFiles {
            urls: self.url.clone(),
            user: self.user.clone(),
            password: self.password_file.clone(),
            api_key: self.api_key_file.clone(),
            authorities: self.ca.clone(),
        };
        Cluster::of(&files, &self.prefix)
    }
}

fn prefix(text: &str) -> Result<Names, String> {
    let allowed = "not lower-case letters, digits and hyphens that begin with a letter";
    Names::with_prefix(text).ok_or_else(|| allowed.to_owned())
}
