//! Every dialect against servers of other projects.
//!
//! - `mock_server`: whole agents against a mock server of providers, with the faults it injects.
//! - `request_types`: every form of request against the types of the official Python SDKs.
//! - `secret_service`: a key that a real keyring keeps.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

#[expect(dead_code, reason = "each test file uses its own part")]
#[path = "../it/common/mod.rs"]
mod common;
#[path = "../it/common/desk.rs"]
mod desk;
mod mock_server;
mod request_types;
mod secret_service;

use std::ffi::OsString;
use std::sync::{Arc, Mutex};

use bailiwick_models::{Provider, Retries, Settings};
use common::KEY;

/// The dialects by what a person writes, what stands behind the address of a server, and what Azure wants from its
/// environment.
const CHOICES: [(&str, &str, &str); 8] = [
    ("openai:m", "/v1", ""),
    ("openai-responses:m", "/v1", ""),
    ("openai-compatible:m", "/v1", ""),
    ("azure:m", "", "2024-10-21"),
    ("azure:m", "", ""),
    ("anthropic:m", "/v1", ""),
    ("gemini:m", "/v1beta", ""),
    ("ollama:m", "", ""),
];

/// A provider of a choice at an address. What it says goes to `said` as well.
fn provider(
    choice: &str,
    version: &str,
    retries: Retries,
    said: impl Fn(&str) + Send + Sync + 'static,
) -> (Provider, common::Lines) {
    let environment = |name: &str| match name {
        "AZURE_OPENAI_API_VERSION" => (!version.is_empty()).then(|| OsString::from(version)),
        name => name.ends_with("_API_KEY").then(|| OsString::from(KEY)),
    };
    let settings = Settings::resolve(choice.parse().unwrap(), &environment).unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let progress = Arc::new(move |line: &str| {
        kept.lock().unwrap().push(line.to_owned());
        said(line);
    });
    (Provider::new(settings, retries, progress).unwrap(), lines)
}
