//! What a dataset of the portal lists.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use serde::Deserialize;

use crate::client::CallError;
use crate::{Portal, PortalError};

/// A file that a dataset lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its names, in any language.
    pub names: Vec<String>,
    /// Its format as the portal calls it, `CSV`.
    pub format: String,
    /// Where it is.
    pub url: String,
}

/// The answer of `package_show`, as far as it is used.
#[derive(Deserialize)]
struct Answer {
    success: bool,
    result: Option<Package>,
    error: Option<Fault>,
}

#[derive(Deserialize)]
struct Package {
    resources: Vec<Listed>,
}

#[derive(Deserialize)]
struct Fault {
    message: Option<String>,
}

#[derive(Deserialize)]
struct Listed {
    name: Option<Text>,
    name_translated: Option<Text>,
    format: Option<String>,
    url: Option<String>,
}

/// A text, or one for each language.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    One(String),
    Each(BTreeMap<String, Option<String>>),
}

impl Text {
    fn all(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Each(texts) => texts.into_values().flatten().collect(),
        }
    }
}

impl Portal {
    /// The files that a dataset lists.
    ///
    /// # Errors
    /// See [`PortalError`].
    pub(crate) fn resources(&self, dataset: &str) -> Result<Vec<Resource>, PortalError> {
        let url = format!("{}/api/3/action/package_show?id={dataset}", self.url());
        let no_progress = || 0;
        self.persist(&url, no_progress, || {
            let mut answer = self.get(&url, &[])?;
            let status = answer.status();
            let limit = self.limits.longest_description;
            let body = answer.body_mut().with_config().limit(limit).read_to_vec();
            let body = body.map_err(|error| match error {
                ureq::Error::BodyExceedsLimit(_) => {
                    let reason = format!("the description is longer than {limit} bytes");
                    CallError::Lasting(PortalError::unexpected(&url, reason))
                }
                error => CallError::Passing(error.to_string()),
            })?;
            // CKAN gives the reason in the body even with status 404.
            let parsed = parse(&body).map_err(|reason| match status.is_success() {
                true => reason,
                false => format!("status {}; {reason}", status.as_u16()),
            });
            Ok(parsed.map_err(|reason| PortalError::unexpected(&url, reason))?)
        })
    }
}

fn parse(body: &[u8]) -> Result<Vec<Resource>, String> {
    let not_ckan = |error: serde_json::Error| format!("it is no answer of CKAN's API ({error})");
    let Answer { success, result, error } = serde_json::from_slice(body).map_err(not_ckan)?;
    let package = result.filter(|_| success).ok_or_else(|| {
        let message = error.and_then(|error| error.message);
        format!("CKAN did not succeed ({})", message.as_deref().unwrap_or("it does not say why"))
    })?;
    let resource = |Listed { name, name_translated, format, url }| {
        let names = [name, name_translated].into_iter().flatten().flat_map(Text::all);
        Some(Resource { names: names.collect(), format: format.unwrap_or_default(), url: url? })
    };
    Ok(package.resources.into_iter().filter_map(resource).collect())
}

impl Resource {
    /// The name of the file: the last part of the address's path, or of a `path` or `file` in its
    /// query.
    #[must_use]
    pub fn file_name(&self) -> String {
        let address = self.url.split('#').next().unwrap_or_default();
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let named = query.split('&').filter_map(|pair| pair.split_once('='));
        let mut named = named.filter(|(name, _)| matches!(*name, "path" | "file" | "filename"));
        let given = named.next().map_or(path, |(_, value)| value);
        let given = percent_decode_str(given).decode_utf8_lossy().replace('+', " ");
        given.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_is_in_its_address() {
        for (url, expected) in [
            ("https://x.example/a/b.csv", "b.csv"),
            ("https://x.example/a/b.csv?version=2#top", "b.csv"),
            ("https://x.example/api/file?path=%2Fa%2Fb%20c.csv", "b c.csv"),
            ("https://x.example/get?x=1&file=..%2F..%2Fetc%2Fpasswd", "passwd"),
            ("https://x.example/", ""),
        ] {
            let resource = Resource { names: vec![], format: String::new(), url: url.to_owned() };
            assert_eq!(resource.file_name(), expected, "{url}");
        }
    }

    #[test]
    fn answers_of_ckan_are_read_and_others_are_not() {
        for (body, expected) in [
            (
                r#"{"success":true,"result":{"resources":[
                    {"name":"A","name_translated":{"en":"A","fr":"B","xx":null},"format":"CSV",
                     "url":"https://x.example/a.csv","size":null},
                    {"name":{"en":"no address"}}, {"url":"https://x.example/b"}]}}"#,
                Ok(vec![(vec!["A", "A", "B"], "CSV"), (vec![], "")]),
            ),
            (r#"{"success":true,"result":{"resources":[]}}"#, Ok(vec![])),
            (r#"{"success":false,"error":{"message":"Not found"}}"#, Err("Not found")),
            (r#"{"success":false,"result":{"resources":[]}}"#, Err("does not say why")),
            (r#"{"success":true}"#, Err("did not succeed")),
            (r#"{"success":true,"result":{}}"#, Err("no answer of CKAN")),
            ("<html>", Err("no answer of CKAN")),
            ("", Err("no answer of CKAN")),
        ] {
            let found = parse(body.as_bytes());
            match (&found, expected) {
                (Ok(found), Ok(expected)) => {
                    let found: Vec<(Vec<&str>, &str)> = found
                        .iter()
                        .map(|found| {
                            let names = found.names.iter().map(String::as_str).collect();
                            (names, found.format.as_str())
                        })
                        .collect();
                    assert_eq!(found, expected, "{body}");
                }
                (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{reason}"),
                _ => panic!("{body}: {found:?}"),
            }
        }
    }
}
