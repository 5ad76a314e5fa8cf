//! The few variables of the caller that a child may see.

use std::collections::BTreeMap;
use std::ffi::OsString;

use bailiwick_base::programs::absolute_entries;

/// Names that pass. Each says where something is, who the user is or how text is written; none is
/// known to hold a secret, and none makes a program load code. Proxy variables are left out because
/// they often hold a password.
const PASSED: &[&str] = &[
    "CURL_CA_BUNDLE",
    "DOTNET_ROOT",
    "GIT_SSL_CAINFO",
    "GOROOT",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LOGNAME",
    "NODE_EXTRA_CA_CERTS",
    "PATH",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TZ",
    "USER",
];

/// The caller's variables that are on a short list of harmless names, and, sorted, the names of all others.
///
/// Entries of `PATH` that are not absolute are removed: they would be looked up in the working
/// directory, which an agent may write.
pub fn scrubbed_environment() -> (BTreeMap<OsString, OsString>, Vec<String>) {
    scrub(std::env::vars_os())
}

fn scrub(variables: impl Iterator<Item = (OsString, OsString)>) -> (BTreeMap<OsString, OsString>, Vec<String>) {
    let mut kept = BTreeMap::new();
    let mut dropped = Vec::new();
    for (name, value) in variables {
        if name == "PATH" {
            kept.insert(name, absolute_entries(&value));
        } else if PASSED.iter().any(|passed| name == *passed) {
            kept.insert(name, value);
        } else {
            dropped.push(name.to_string_lossy().into_owned());
        }
    }
    dropped.sort();
    (kept, dropped)
}

#[cfg(test)]
mod tests {
    use super::scrub;
    use std::ffi::OsString;

    fn variables(pairs: &[(&str, &str)]) -> impl Iterator<Item = (OsString, OsString)> {
        pairs.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn keys_and_code_loading_variables_are_dropped_by_name() {
        let (kept, dropped) = scrub(variables(&[
            ("OPENAI_API_KEY", "sk-1"),
            ("OPENAI_COMPATIBLE_API_KEY", "sk-1"),
            ("AZURE_OPENAI_API_KEY", "sk-1"),
            ("ANTHROPIC_API_KEY", "sk-1"),
            ("GEMINI_API_KEY", "sk-1"),
            ("OLLAMA_API_KEY", "sk-1"),
            ("BAILIWICK_KEY_FILE", "/home/user/key"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer x"),
            ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=Bearer x"),
            ("TRACEPARENT", "00-1-1-01"),
            ("LD_PRELOAD", "/tmp/x.so"),
            ("NODE_OPTIONS", "--require /tmp/x.js"),
            ("HTTPS_PROXY", "http://user:word@proxy"),
            ("LANG", "C.UTF-8"),
        ]));
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[&OsString::from("LANG")], "C.UTF-8");
        assert_eq!(
            dropped,
            [
                "ANTHROPIC_API_KEY",
                "AZURE_OPENAI_API_KEY",
                "BAILIWICK_KEY_FILE",
                "GEMINI_API_KEY",
                "HTTPS_PROXY",
                "LD_PRELOAD",
                "NODE_OPTIONS",
                "OLLAMA_API_KEY",
                "OPENAI_API_KEY",
                "OPENAI_COMPATIBLE_API_KEY",
                "OTEL_EXPORTER_OTLP_HEADERS",
                "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
                "TRACEPARENT"
            ]
        );
    }

    #[test]
    fn relative_path_entries_are_removed() {
        let (kept, _) = scrub(variables(&[("PATH", "/usr/bin:.::node_modules/.bin:/bin")]));
        assert_eq!(kept[&OsString::from("PATH")], "/usr/bin:/bin");
    }
}
