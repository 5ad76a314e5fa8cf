//! Where requests go, and whether a key may go there.

use std::ffi::OsString;
use std::net::IpAddr;

use reqwest::Url;

use crate::choice::{self, Choice, Dialect};
use crate::keys::KeySource;
use crate::settings::{Address, KeyHeader, SettingsError};

/// Names the one host that a key may be sent to over plain http, beside this machine.
pub const PLAIN_HTTP: &str = "BAILIWICK_PLAIN_HTTP_HOST";

/// The address of a choice: its own, the environment's, or the provider's usual one.
pub(crate) fn address(
    choice: &Choice,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Address, SettingsError> {
    match (choice.dialect, &choice.url) {
        (Dialect::Azure, url) => azure(choice, url.as_ref(), environment),
        (Dialect::OpenAiCompatible, Some(url)) => {
            let url = below(url, "chat/completions");
            Ok(Address::Whole { url, header: KeyHeader::Bearer })
        }
        (_, Some(url)) => Ok(Address::Base(url.clone())),
        (_, None) => Ok(Address::Usual),
    }
}

/// With `AZURE_OPENAI_API_VERSION` the form with deployments, without it the form `v1`.
fn azure(
    choice: &Choice,
    url: Option<&Url>,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Address, SettingsError> {
    const ENDPOINT: &str = "AZURE_OPENAI_ENDPOINT";
    let set = |name: &str| environment(name).filter(|value| !value.is_empty());
    let endpoint = match (url, set(ENDPOINT)) {
        (Some(url), _) => url.clone(),
        (None, Some(text)) => choice::parse_url(&text.to_string_lossy())
            .map_err(|source| SettingsError::Endpoint { variable: ENDPOINT, source })?,
        (None, None) => return Err(SettingsError::NoEndpoint(choice.to_string())),
    };
    let url = match set("AZURE_OPENAI_API_VERSION") {
        None => below(&endpoint, "openai/v1/chat/completions"),
        Some(version) => {
            let version = version.to_str().filter(|text| {
                text.starts_with("20") && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            });
            let version = version.ok_or(SettingsError::ApiVersion)?;
            let mut url = below(&endpoint, "openai/deployments/");
            if let Ok(mut segments) = url.path_segments_mut() {
                segments.pop_if_empty().extend([choice.model.as_str(), "chat", "completions"]);
            }
            url.set_query(Some(&format!("api-version={version}")));
            url
        }
    };
    Ok(Address::Whole { url, header: KeyHeader::ApiKey })
}

fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path()));
    url
}

/// Whether everyone between here and there could read a key.
pub(crate) fn check_private(
    address: &Address,
    source_of_key: &KeySource,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<(), SettingsError> {
    let (Address::Base(url) | Address::Whole { url, .. }) = address else { return Ok(()) };
    if url.scheme() == "https" || is_local(url) {
        return Ok(());
    }
    let host = url.host_str().unwrap_or_default();
    if environment(PLAIN_HTTP).is_some_and(|allowed| allowed == host) {
        return Ok(());
    }
    Err(SettingsError::PlainHttp { host: host.to_owned(), source_of_key: source_of_key.clone() })
}

/// Whether an address is this machine's by its very form. What a name such as `mine.localhost` leads to is up to a
/// resolver.
pub(crate) fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machine() {
        for here in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.8.9.1:1", "[::1]", "[::1]:80", "0x7f.1"] {
            assert!(is_local(&format!("http://{here}/v1").parse().unwrap()), "{here}");
        }
        let elsewhere = [
            "localhost.example.com",
            "mine.localhost",
            "127.0.0.1.example.com",
            "0.0.0.0",
            "10.0.0.1",
            "[::ffff:10.0.0.1]",
            "[fe80::1]",
            "128.0.0.1",
        ];
        for there in elsewhere {
            assert!(!is_local(&format!("http://{there}/v1").parse().unwrap()), "{there}");
        }
    }
}
