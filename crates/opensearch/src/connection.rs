//! How to reach a cluster, and the credentials for it.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::ClusterError;

/// The variables that hold secrets, which are never given as flags.
const PASSWORD: &str = "OUTFALL_OPENSEARCH_PASSWORD";
const API_KEY: &str = "OUTFALL_OPENSEARCH_API_KEY";

/// The credentials of the client. They are never logged.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// A user and a password.
    Basic {
        /// The user.
        user: String,
        /// The password.
        password: String,
    },
    /// The text of an API key.
    ApiKey(String),
}

impl Credentials {
    /// The value of the header `authorization`.
    pub(crate) fn header(&self) -> String {
        match self {
            Self::Basic { user, password } => {
                format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
            }
            Self::ApiKey(key) => format!("ApiKey {key}"),
        }
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Credentials")
    }
}

/// How to reach a cluster.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// The nodes to ask, `https://search.example.org:9200`: at least one.
    pub urls: Vec<String>,
    /// The credentials, if the cluster requires any.
    pub credentials: Option<Credentials>,
    /// The certificate authorities to trust, as PEM, instead of the public ones.
    pub authorities: Option<Vec<u8>>,
}

/// Where an operator keeps what a connection needs.
#[derive(Clone, Debug, Default)]
pub struct ConnectionFiles {
    /// The nodes to ask.
    pub urls: Vec<String>,
    /// The user.
    pub user: Option<String>,
    /// The file that holds the password of the user; without it, the password is in
    /// `OUTFALL_OPENSEARCH_PASSWORD`.
    pub password: Option<PathBuf>,
    /// The file that holds an API key; without it, and without a user, the key is in
    /// `OUTFALL_OPENSEARCH_API_KEY`, if there is one.
    pub api_key: Option<PathBuf>,
    /// The file of the certificate authorities to trust.
    pub authorities: Option<PathBuf>,
}

impl ConnectionFiles {
    /// Reads the secrets and certificates.
    ///
    /// # Errors
    /// [`ClusterError::Connection`], [`ClusterError::Certificates`].
    pub fn read(&self) -> Result<Connection, ClusterError> {
        let bad = |reason: String| ClusterError::Connection { reason };
        if self.urls.is_empty() {
            return Err(bad("no node is named; give its address with --url".to_owned()));
        }
        for url in &self.urls {
            let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
            // A user and password in the address would be logged with it.
            if rest.is_none_or(|rest| rest.is_empty() || rest.contains(['@', '?', '#'])) {
                return Err(bad(
                    "an address is not like `https://search.example.org:9200`".to_owned()
                ));
            }
        }
        let credentials = match &self.user {
            Some(user) => {
                let password = secret(self.password.as_deref(), PASSWORD)?;
                let missing =
                    || bad(format!("the password of the user is missing; set {PASSWORD}"));
                let password = password.ok_or_else(missing)?;
                Some(Credentials::Basic { user: user.clone(), password })
            }
            None => secret(self.api_key.as_deref(), API_KEY)?.map(Credentials::ApiKey),
        };
        let read = |path: &PathBuf| {
            let failed = |error| format!("{}: {error}", path.display());
            fs::read(path).map_err(|error| ClusterError::Certificates { reason: failed(error) })
        };
        let authorities = self.authorities.as_ref().map(read).transpose()?;
        Ok(Connection { urls: self.urls.clone(), credentials, authorities })
    }
}

/// The first line of a file, or else the value of a variable.
fn secret(path: Option<&Path>, variable: &str) -> Result<Option<String>, ClusterError> {
    let Some(path) = path else {
        return Ok(env::var(variable).ok().filter(|secret| !secret.is_empty()));
    };
    let failed = |reason: String| ClusterError::Connection {
        reason: format!("cannot read `{}`: {reason}", path.display()),
    };
    let text = fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let line = text.lines().next().filter(|line| !line.is_empty());
    Ok(Some(line.ok_or_else(|| failed("its first line is empty".to_owned()))?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(url: &str) -> ConnectionFiles {
        ConnectionFiles { urls: vec![url.to_owned()], ..ConnectionFiles::default() }
    }

    #[test]
    fn addresses_have_a_scheme_and_no_secret() {
        for (url, is_good) in [
            ("http://127.0.0.1:9200", true),
            ("https://search.example.org/prefix", true),
            ("search.example.org", false),
            ("ftp://search.example.org", false),
            ("https://", false),
            ("https://user:word@search.example.org", false),
        ] {
            assert_eq!(at(url).read().is_ok(), is_good, "{url}");
        }
        assert!(ConnectionFiles::default().read().is_err());
    }

    #[test]
    fn a_secret_is_the_first_line_of_its_file() {
        let file = env::temp_dir().join(format!("outfall-secret-{}", std::process::id()));
        for (text, expected) in
            [("pass word\n", Some("pass word")), ("p\nq", Some("p")), ("\n", None)]
        {
            fs::write(&file, text).unwrap();
            let user = Some("loader".to_owned());
            let password = Some(file.clone());
            let files = ConnectionFiles { user, password, ..at("http://localhost") };
            let expected = expected.map(|password| Credentials::Basic {
                user: "loader".to_owned(),
                password: password.to_owned(),
            });
            assert_eq!(files.read().ok().and_then(|read| read.credentials), expected);
        }
        fs::remove_file(&file).unwrap();
        let user = Some("loader".to_owned());
        let files = ConnectionFiles { user, password: Some(file), ..at("http://localhost") };
        assert!(matches!(files.read(), Err(ClusterError::Connection { .. })));
    }
}
