//! The variables that installers see.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Variables that configure where packages come from or how the network is reached. An installer without them would
/// not work behind a proxy or with a mirror; it runs nothing that an agent wrote.
const PASSED: &[&str] = &[
    "ALL_PROXY",
    "CURL_CA_BUNDLE",
    "GONOPROXY",
    "GONOSUMDB",
    "GOPRIVATE",
    "GOPROXY",
    "GOSUMDB",
    "GOVCS",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "JAVA_HOME",
    "LANG",
    "LC_ALL",
    "NODE_EXTRA_CA_CERTS",
    "NO_PROXY",
    "NUGET_PACKAGES",
    "PATH",
    "PYENV_ROOT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TMPDIR",
    "TZ",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
];
const PASSED_PREFIXES: &[&str] = &["NPM_CONFIG_", "PIP_", "UV_"];

/// What of `variables` an installer gets.
pub(super) fn for_installers(variables: impl Iterator<Item = (OsString, OsString)>) -> BTreeMap<OsString, OsString> {
    variables
        .filter(|(name, _)| {
            let name = name.to_string_lossy().to_ascii_uppercase();
            PASSED.contains(&name.as_str()) || PASSED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_and_proxies_pass_and_keys_do_not() {
        let variables = [
            ("npm_config_registry", "https://mirror.example"),
            ("PIP_INDEX_URL", "https://mirror.example/simple"),
            ("https_proxy", "http://proxy.example"),
            ("OPENAI_API_KEY", "sk-1"),
            ("NODE_OPTIONS", "--require x"),
            ("PYTHONPATH", "/tmp"),
        ]
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let passed = for_installers(variables.into_iter());
        let names: Vec<_> = passed.keys().map(|name| name.to_string_lossy()).collect();
        assert_eq!(names, ["PIP_INDEX_URL", "https_proxy", "npm_config_registry"]);
    }
}
