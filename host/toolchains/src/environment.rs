//! The variables that installers see, and the fewer that scripts of packages see.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Variables that configure where packages come from or how the network is reached. An installer without them would
/// not work behind a proxy or with a mirror.
const PASSED: &[&str] = &[
    "ALL_PROXY",
    "BAILIWICK_REGISTRY_HOSTS",
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

/// What a script of a package gets of those: nothing that names a registry, because such a name may hold a password,
/// unless it has to fetch packages itself.
const OF_SCRIPTS: &[&str] = &[
    "CURL_CA_BUNDLE",
    "LANG",
    "LC_ALL",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TZ",
];
const OF_FETCHING_SCRIPTS: &[&str] = &["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
const OF_FETCHING_SCRIPTS_PREFIXES: &[&str] = &["PIP_", "UV_"];

/// What of an installer's variables a script of a package gets.
pub(super) fn for_scripts(variables: &BTreeMap<OsString, OsString>, fetches: bool) -> BTreeMap<OsString, OsString> {
    let passes = |name: &OsString| {
        let name = name.to_string_lossy().to_ascii_uppercase();
        let fetching = OF_FETCHING_SCRIPTS.contains(&name.as_str())
            || OF_FETCHING_SCRIPTS_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        OF_SCRIPTS.contains(&name.as_str()) || (fetches && fetching)
    };
    variables.iter().filter(|(name, _)| passes(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
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

    #[test]
    fn scripts_of_packages_get_no_registry_unless_they_fetch_and_never_the_settings_of_npm() {
        let variables = ["HOME", "LANG", "NPM_CONFIG__AUTH", "PIP_INDEX_URL", "https_proxy", "GOPROXY"]
            .map(|name| (OsString::from(name), OsString::from("x")))
            .into();
        let names = |fetches: bool| {
            let passed = for_scripts(&variables, fetches);
            passed.keys().map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(false), ["LANG"]);
        assert_eq!(names(true), ["LANG", "PIP_INDEX_URL", "https_proxy"]);
    }
}
