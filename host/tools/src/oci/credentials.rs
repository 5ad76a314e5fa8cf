//! Credentials of registries, as Docker's configuration keeps them: `auths`, `credHelpers` and `credsStore` of
//! `config.json` in `$DOCKER_CONFIG` or `~/.docker`.
//!
//! They are looked up once a registry asks for them, and are not kept.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::helper;
use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The longest configuration that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Docker Hub's registry answers under another name than its images and its credentials have.
const HUB: &str = "docker.io";
const HUB_CREDENTIALS: &str = "https://index.docker.io/v1/";

/// Padding is there or not, depending on who wrote the file.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why no credential could be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CredentialError {
    /// The configuration cannot be read, or is not one.
    #[error("the Docker configuration `{path}` cannot be used: {reason}")]
    Configuration {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The name of a program could be a path.
    #[error("a credential helper of the Docker configuration has an invalid name")]
    HelperName,
    /// A program that keeps credentials gave none, and did not say that it has none.
    #[error("`{program}`, which the Docker configuration names, {reason}")]
    Helper {
        /// The program.
        program: String,
        /// What it did.
        reason: String,
    },
}

/// What a registry is told to know a person.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(pub(super) Kind);

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Password {
        user: String,
        password: String,
    },
    /// Exchanged for a token at the registry's token server.
    Identity(String),
}

impl Credential {
    /// A name and a password.
    #[must_use]
    pub fn password(user: String, password: String) -> Self {
        Self(Kind::Password { user, password })
    }

    /// A refresh token.
    #[must_use]
    pub fn identity(token: String) -> Self {
        Self(Kind::Identity(token))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Credential(…)")
    }
}

/// Where credentials are looked up.
#[derive(Debug, Clone)]
pub enum Credentials {
    /// Nowhere.
    None,
    /// In Docker's configuration of this directory, which need not be there.
    Docker(PathBuf),
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Configuration {
    #[serde(default)]
    auths: BTreeMap<String, Kept>,
    #[serde(default)]
    cred_helpers: BTreeMap<String, String>,
    creds_store: Option<String>,
}

#[derive(Default, Deserialize)]
struct Kept {
    auth: Option<String>,
    username: Option<String>,
    password: Option<String>,
    identitytoken: Option<String>,
}

impl Credentials {
    /// Docker's configuration of this person: `DOCKER_CONFIG`, else `.docker` in the home directory.
    #[must_use]
    pub fn of_environment() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        match set("DOCKER_CONFIG").or_else(|| Some(set("HOME")?.join(".docker"))) {
            Some(directory) => Self::Docker(directory),
            None => Self::None,
        }
    }

    /// The credential for a registry, which may run a program and wait for a person.
    ///
    /// # Errors
    /// The configuration cannot be read, or a program that it names gives none without saying that it has none.
    pub fn find(&self, host: &str) -> Result<Option<Credential>, CredentialError> {
        let Self::Docker(directory) = self else { return Ok(None) };
        let path = directory.join("config.json");
        let Some(configuration) = read(&path)? else { return Ok(None) };
        let key = if host == HUB { HUB_CREDENTIALS } else { host };
        let helper = configuration.cred_helpers.iter().find(|(own, _)| names(own, key)).map(|(_, helper)| helper);
        if let Some(helper) = helper.or(configuration.creds_store.as_ref())
            && let Some(credential) = helper::ask(helper, key, helper::LIMITS)?
        {
            return Ok(Some(credential));
        }
        let Some((_, kept)) = configuration.auths.iter().find(|(own, _)| names(own, key)) else { return Ok(None) };
        kept.credential().ok_or_else(|| CredentialError::Configuration {
            path: path.display().to_string(),
            reason: format!("what it keeps for `{host}` is not a credential"),
        })
    }
}

impl Kept {
    /// `Some(None)` where there is an entry without anything in it, as there is beside a credential store.
    fn credential(&self) -> Option<Option<Credential>> {
        if let Some(token) = self.identitytoken.as_ref().filter(|token| !token.is_empty()) {
            return Some(Some(Credential::identity(token.clone())));
        }
        if let Some(both) = self.auth.as_ref().filter(|both| !both.is_empty()) {
            let text = String::from_utf8(BASE64.decode(both).ok()?).ok()?;
            let (user, password) = text.split_once(':')?;
            return Some(Some(Credential::password(user.to_owned(), password.trim_end_matches('\0').to_owned())));
        }
        Some(match (&self.username, &self.password) {
            (Some(user), Some(password)) => Some(Credential::password(user.clone(), password.clone())),
            _ => None,
        })
    }
}

/// Whether a key of the configuration, which may be written as the address of an old registry, means this host.
fn names(key: &str, host: &str) -> bool {
    let bare = |text: &str| {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or(text);
        let rest = rest.trim_end_matches('/');
        rest.strip_suffix("/v1").or_else(|| rest.strip_suffix("/v2")).unwrap_or(rest).to_ascii_lowercase()
    };
    bare(key) == bare(host)
}

fn read(path: &Path) -> Result<Option<Configuration>, CredentialError> {
    let wrong = |reason: String| CredentialError::Configuration { path: path.display().to_string(), reason };
    let bytes = match crate::oci::cache::plain_file(path, LONGEST) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(wrong(error.to_string())),
    };
    // What the parser says could repeat a piece of the file.
    serde_json::from_slice(&bytes).map(Some).map_err(|error| wrong(format!("line {} is not understood", error.line())))
}

/// `Basic …` of HTTP.
pub(super) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", general_purpose::STANDARD.encode(format!("{user}:{password}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn find(config: &str, host: &str) -> Result<Option<Credential>, CredentialError> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("config.json"), config).unwrap();
        Credentials::Docker(directory.path().to_owned()).find(host)
    }

    #[test]
    fn kept_credentials_are_found_by_the_host_alone() {
        let config = r#"{ "auths": {
            "r.example.com": { "auth": "dXNlcjpwYTpzcw==" },
            "https://old.example.com/v1/": { "auth": "dTpw" },
            "plain.example.com": { "username": "u", "password": "p" },
            "azure.example.com": { "auth": "MDA6", "identitytoken": "t" },
            "store.example.com": {},
            "https://index.docker.io/v1/": { "auth": "aDpo" } } }"#;
        let password = |user: &str, password: &str| Some(Credential::password(user.into(), password.into()));
        let cases = [
            ("r.example.com", password("user", "pa:ss")),
            ("old.example.com", password("u", "p")),
            ("plain.example.com", password("u", "p")),
            ("azure.example.com", Some(Credential::identity("t".into()))),
            ("store.example.com", None),
            ("docker.io", password("h", "h")),
            ("r.example.com:8080", None),
            ("example.com", None),
            ("x.r.example.com", None),
        ];
        for (host, expected) in cases {
            assert!(find(config, host) == Ok(expected), "{host}");
        }
        assert!(find("{}", "h") == Ok(None));
        assert!(Credentials::Docker("/nowhere/at/all".into()).find("h") == Ok(None));
    }

    #[test]
    fn broken_configuration_is_an_error_that_repeats_none_of_it() {
        let cases = [
            "{ \"auths\": \"canary\" }",
            "canary",
            r#"{ "auths": { "h": { "auth": "canary" } } }"#,
            r#"{"auths":{"h":{"auth":"Y2FuYXJ5"}}}"#,
        ];
        for config in cases {
            let error = find(config, "h").unwrap_err();
            assert!(!error.to_string().contains("canary"), "{error}");
        }
        assert!(!format!("{:?}", Credential::password("canary".into(), "canary".into())).contains("canary"));
    }

    #[test]
    fn helper_whose_name_is_a_path_is_not_run() {
        for name in ["../x", "a/b", "", "x y", "x;y"] {
            let config = serde_json::json!({ "credHelpers": { "h": name } }).to_string();
            assert_eq!(find(&config, "h"), Err(CredentialError::HelperName), "{name}");
        }
    }

    /// A helper beside the test's own program, which is asked by its path: `PATH` belongs to the whole process.
    #[test]
    fn helper_answers_or_says_that_it_has_nothing_and_is_ended_when_it_does_neither() {
        let directory = tempfile::tempdir().unwrap();
        let limits = helper::Limits { deadline: std::time::Duration::from_millis(400), output_bytes: 1000 };
        let cases = [
            (
                "read host; echo '{\"Username\":\"'$host'\",\"Secret\":\"s\"}'",
                Ok(Some(Credential::password("h".into(), "s".into()))),
            ),
            ("echo '{\"Username\":\"<token>\",\"Secret\":\"s\"}'", Ok(Some(Credential::identity("s".into())))),
            ("echo 'credentials not found in native keychain'; exit 1", Ok(None)),
            ("echo canary; exit 1", Err("ended without success")),
            ("echo canary", Err("printed no credential")),
            ("sleep 60", Err("did not end")),
            ("yes canary", Err("printed more than")),
        ];
        for (number, (script, expected)) in cases.into_iter().enumerate() {
            let name = format!("bailiwick-test-{number}");
            let path = directory.path().join(format!("docker-credential-{name}"));
            std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            match (helper::ask_at(path.to_str().unwrap(), "h", limits), expected) {
                (Ok(found), Ok(expected)) => assert!(found == expected, "{script}"),
                (Err(error), Err(part)) => {
                    let text = error.to_string();
                    assert!(text.contains(part) && !text.contains("canary"), "{script}: {text}");
                }
                (found, _) => panic!("{script}: {found:?}"),
            }
        }
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    use super::{Configuration, names};

    /// Docker's configuration, which other programs write.
    #[test]
    fn docker_configurations() {
        const WORDS: &[&str] = &[
            "{\"auths\":{",
            "\"https://index.docker.io/v1/\":{",
            "\"auth\":\"dXNlcjpwYXNz\"",
            "\"auth\":\"=\"",
            "\"identitytoken\":\"t\"",
            "\"credHelpers\":{\"a\":\"b\"}",
            "\"credsStore\":\"../x\"",
            "/v1",
            "/v2/",
            "null",
        ];
        Target { name: "docker_configurations", words: WORDS }.run(|bytes| {
            let Ok(read) = serde_json::from_slice::<Configuration>(bytes) else { return };
            for (key, kept) in &read.auths {
                let _ = (names(key, "ghcr.io"), kept.credential());
            }
        });
    }
}
