//! The package managers: how they are started, and what their variables are called.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use bailiwick_base::files::plain;
use bailiwick_process::PROXY_PORT;

use super::super::cache::Failure;
use super::super::error::ToolchainError;
use super::super::registries::Manager;

/// The files that a package's install scripts start with `tsx`, if that is all they do. That command listens on a Unix
/// socket first, which nothing confined can make; Node loads the same files with tsx's loader and without a socket.
pub(super) fn typescript_files(package: &Path) -> Result<Option<Vec<String>>, ToolchainError> {
    let path = package.join("package.json");
    let manifest = plain::read(&path).map_err(ToolchainError::io(&path, "read"))?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap_or_default();
    let scripts = ["preinstall", "install", "postinstall"];
    let scripts = scripts.iter().filter_map(|name| manifest["scripts"][name].as_str());
    let file = |script: &str| match script.split_whitespace().collect::<Vec<_>>()[..] {
        ["tsx", file] if file.starts_with("./") && file.ends_with(".ts") => Some(file.to_owned()),
        _ => None,
    };
    Ok(scripts.map(file).collect())
}

/// The machine's npm, and what starting it takes.
pub(super) struct Npm {
    pub(super) program: PathBuf,
    pub(super) script: Option<String>,
    pub(super) path: OsString,
    pub(super) read: Vec<PathBuf>,
}

impl Npm {
    pub(super) fn arguments<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        self.script.as_deref().into_iter().chain(arguments.iter().copied()).collect()
    }
}

/// The path of a script: programs of the home directory cannot be started there, so they are not found either.
pub(super) fn script_path(node: &Path) -> Result<OsString, Failure> {
    let entries = node.parent().map(Path::to_owned).into_iter();
    let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    std::env::join_paths(entries.chain(system))
        .map_err(|_| Failure::Lasting(ToolchainError::UnusablePath { path: node.to_owned() }))
}

/// Has every package manager go through the proxy, whatever the caller's settings say.
pub(super) fn point_at_proxy(environment: &mut BTreeMap<OsString, OsString>) {
    let settles = |name: &str| name.ends_with("_PROXY") || name == "NPM_CONFIG_NOPROXY";
    environment.retain(|name, _| !settles(&name.to_string_lossy().to_ascii_uppercase()));
    let url = format!("http://127.0.0.1:{PROXY_PORT}");
    let url = |name: &str| (OsString::from(name), OsString::from(&url));
    environment.extend(["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "npm_config_proxy"].map(url));
    environment.extend(["npm_config_https_proxy", "PIP_PROXY", "CARGO_HTTP_PROXY"].map(url));
    environment.insert("npm_config_noproxy".into(), OsString::new());
    // Of Maven and of everything else that runs in a JVM.
    let options = environment.entry("JAVA_TOOL_OPTIONS".into()).or_default();
    for scheme in ["http", "https"] {
        options.push(format!(" -D{scheme}.proxyHost=127.0.0.1 -D{scheme}.proxyPort={PROXY_PORT}"));
    }
    options.push(" -Dhttp.nonProxyHosts= -Daether.connector.http.useSystemProperties=true");
}

/// Where a manager keeps what it fetched.
pub(super) fn download_variables(manager: Manager, directory: &Path) -> Vec<(OsString, OsString)> {
    let name = match manager {
        Manager::Npm => "npm_config_cache",
        Manager::Pip => "PIP_CACHE_DIR",
        // Maven's repository and Go's module cache are part of the set, and cargo's home is given by the caller.
        Manager::Maven | Manager::Go | Manager::Cargo => return Vec::new(),
    };
    vec![(name.into(), directory.into())]
}

#[cfg(test)]
mod tests {
    #[test]
    fn scripts_that_only_start_typescript_are_told_from_all_others() {
        let directory = tempfile::tempdir().unwrap();
        let files = |scripts: &str| {
            std::fs::write(directory.path().join("package.json"), format!(r#"{{"scripts":{scripts}}}"#)).unwrap();
            super::typescript_files(directory.path()).unwrap()
        };
        assert_eq!(files(r#"{"install":"tsx ./eng/install.ts","test":"x"}"#), Some(vec!["./eng/install.ts".into()]));
        assert_eq!(files(r#"{"install":"tsx ./eng/install.ts","postinstall":"node x.js"}"#), None);
        assert_eq!(files(r#"{"install":"tsx ./eng/install.ts && x"}"#), None);
        assert_eq!(files("{}"), Some(vec![]));
    }
}
