//! Where package managers are configured to fetch from: which of the caller's files they may read for it, and which hosts
//! and ports they may connect to.
//!
//! An installer runs with a home directory of its own. Of the caller's it gets the files that name registries, mirrors,
//! proxies and certificates, each as a file and only in the step that reads it. They may hold a token for a registry,
//! which is why no step that runs a package's code gets them.

use bailiwick_base::files::plain;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use hyper::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use serde_json::Value;

/// Names further hosts of registries: `host` or `host:port`, with commas between them.
pub(super) const HOSTS: &str = "BAILIWICK_REGISTRY_HOSTS";

/// `https:`, and names that do not fit into a datagram.
const ALWAYS: [u16; 2] = [443, 53];

/// Variables that name a file or directory of certificates, or one of packages.
const FILES: &[&str] = &[
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_FIND_LINKS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "UV_FIND_LINKS",
];

/// A package manager with configuration of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    Npm,
    Pip,
    Maven,
    Go,
    Cargo,
}

impl Manager {
    /// Names its directory of downloads.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pip => "pip",
            Self::Maven => "maven",
            Self::Go => "go",
            Self::Cargo => "cargo",
        }
    }

    /// Its public registry, and where that keeps its files.
    fn public(self) -> &'static [&'static str] {
        match self {
            Self::Npm => &["registry.npmjs.org"],
            Self::Pip => &["pypi.org", "files.pythonhosted.org"],
            Self::Maven => &["repo.maven.apache.org", "repo1.maven.org"],
            Self::Go => &["proxy.golang.org", "sum.golang.org", "storage.googleapis.com"],
            Self::Cargo => &["index.crates.io", "static.crates.io", "crates.io"],
        }
    }
}

/// What a step of a package manager gets of the caller's configuration.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Configured {
    /// The user's own file, canonical, if there is one.
    pub(super) file: Option<PathBuf>,
    /// All that may be read, canonical.
    pub(super) read: Vec<PathBuf>,
    /// TCP ports that may be connected to where nothing but ports can be restricted, sorted.
    pub(super) ports: Vec<u16>,
    /// Hosts that may be connected to.
    pub(super) hosts: BTreeSet<Host>,
    /// Whether a configuration names a proxy that is not followed here.
    pub(super) own_proxy: bool,
}

/// A host with a port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Host {
    /// In small letters; that of an address of IPv6 with its brackets.
    pub(super) name: String,
    pub(super) port: u16,
}

impl std::fmt::Display for Host {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, port } = self;
        write!(formatter, "{name}:{port}")
    }
}

impl Host {
    fn new(name: &str, port: u16) -> Option<Self> {
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        (!name.is_empty()).then_some(Self { name, port })
    }

    /// The one that a request to a proxy is for: that of `CONNECT host:port`, or of a whole address without TLS.
    pub(super) fn of(asked: &Uri, connects: bool) -> Option<Self> {
        let port = match (connects, asked.scheme_str()) {
            (true, None) => asked.port_u16()?,
            (false, Some("http")) => asked.port_u16().unwrap_or(80),
            _ => return None,
        };
        Self::new(asked.host()?, port)
    }

    /// Whether a registry of this name may have that address. A name that is not this machine's own leads neither to it nor
    /// to what every machine of a data centre has at a link-local address (RFC 3927, RFC 4291), whatever a name server says.
    pub(super) fn may_be_at(&self, address: IpAddr) -> bool {
        if self.is_local() {
            return true;
        }
        match address.to_canonical() {
            IpAddr::V4(one) => {
                !(one.is_loopback()
                    || one.is_link_local()
                    || one.is_multicast()
                    || one.is_broadcast()
                    || one.octets()[0] == 0)
            }
            IpAddr::V6(one) => {
                !(one.is_loopback() || one.is_unspecified() || one.is_multicast() || one.is_unicast_link_local())
            }
        }
    }

    /// Whether it is this machine.
    pub(super) fn is_local(&self) -> bool {
        let address = self.name.trim_matches(['[', ']']).parse::<IpAddr>();
        self.name == "localhost" || self.name.ends_with(".localhost") || address.is_ok_and(|one| one.is_loopback())
    }
}

type Variables = BTreeMap<OsString, OsString>;

fn variable<'a>(variables: &'a Variables, name: &str) -> Option<&'a OsStr> {
    variables
        .iter()
        .find(|(known, _)| known.to_string_lossy().eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_os_str())
        .filter(|value| !value.is_empty())
}

/// What of the caller's configuration a manager needs.
pub(super) fn configured(manager: Manager, variables: &Variables) -> Configured {
    let home = variable(variables, "HOME").map(PathBuf::from);
    let at_home = |relative: &str| home.as_ref().map(|home| home.join(relative));
    let named = |name: &str| variable(variables, name).map(PathBuf::from);
    let configuration = named("XDG_CONFIG_HOME").or_else(|| at_home(".config"));
    let (own, further): (Vec<Option<PathBuf>>, Vec<Option<PathBuf>>) = match manager {
        Manager::Npm => (
            vec![named("NPM_CONFIG_USERCONFIG").or_else(|| at_home(".npmrc"))],
            vec![named("NPM_CONFIG_GLOBALCONFIG"), Some("/etc/npmrc".into()), Some("/usr/etc/npmrc".into())],
        ),
        Manager::Pip => (
            vec![
                named("PIP_CONFIG_FILE"),
                configuration.map(|directory| directory.join("pip/pip.conf")),
                at_home(".pip/pip.conf"),
            ],
            vec![Some("/etc/pip.conf".into()), Some("/etc/xdg/pip/pip.conf".into())],
        ),
        Manager::Maven => (vec![at_home(".m2/settings.xml")], vec![at_home(".m2/settings-security.xml")]),
        Manager::Go => (Vec::new(), Vec::new()),
        Manager::Cargo => {
            let home = || named("CARGO_HOME").or_else(|| at_home(".cargo"));
            (vec![home().map(|home| home.join("config.toml")), home().map(|home| home.join("config"))], Vec::new())
        }
    };
    let file = |path: PathBuf| path.canonicalize().ok().filter(|path| path.is_file());
    let own = own.into_iter().flatten().find_map(file);
    let mut read: Vec<PathBuf> = own.iter().cloned().chain(further.into_iter().flatten().filter_map(file)).collect();
    let mut ports: Vec<u16> = ALWAYS.into();
    let mut hosts: BTreeSet<Host> = manager.public().iter().filter_map(|name| Host::new(name, 443)).collect();
    let mut own_proxy = false;
    for path in read.clone() {
        let Ok(text) = plain::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) else {
            continue;
        };
        ports.extend(ports_of(&text));
        hosts.extend(hosts_of(&text));
        own_proxy |= names_proxy(&text);
        read.extend(files_of(&text));
    }
    for (name, value) in variables {
        let (name, value) = (name.to_string_lossy().to_ascii_uppercase(), value.to_string_lossy());
        ports.extend(ports_of(&value));
        if name == HOSTS {
            hosts.extend(value.split([',', ' ']).filter_map(named_host));
        } else if !name.ends_with("_PROXY") {
            hosts.extend(hosts_of(&value));
        }
        own_proxy |= (name.starts_with("NPM_CONFIG_") || name.starts_with("PIP_")) && name.ends_with("_PROXY");
        if name.ends_with("_PROXY") && !value.contains("://") {
            ports.extend(value.rsplit_once(':').and_then(|(_, port)| port.trim_end_matches('/').parse::<u16>().ok()));
        }
        if FILES.contains(&name.as_str()) {
            let paths = value.split_whitespace().map(|one| one.strip_prefix("file://").unwrap_or(one));
            read.extend(
                paths.filter(|path| path.starts_with('/')).filter_map(|path| Path::new(path).canonicalize().ok()),
            );
        }
    }
    // A home directory stays unreadable, whatever a variable names.
    let home = home.and_then(|home| home.canonicalize().ok());
    read.retain(|path| home.as_ref().is_none_or(|home| !home.starts_with(path)));
    read.sort();
    read.dedup();
    ports.sort_unstable();
    ports.dedup();
    Configured { file: own, read, ports, hosts, own_proxy }
}

/// The caller's own proxy, which the program's own connections go through. The error is why they cannot.
pub(super) fn upstream(variables: &Variables) -> Result<Option<Matcher>, &'static str> {
    let named = |name: &str| variable(variables, name).map(|value| value.to_string_lossy().into_owned());
    let [all, http, https, no] = ["ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].map(named);
    if [&all, &http, &https].iter().all(|one| one.is_none()) {
        return Ok(None);
    }
    let schemes = [&all, &http, &https].into_iter().flatten().filter_map(|value| value.split_once("://"));
    if schemes.into_iter().any(|(scheme, _)| !scheme.eq_ignore_ascii_case("http")) {
        return Err("the proxy is reached over TLS or SOCKS");
    }
    let value = |value: Option<String>| value.unwrap_or_default();
    let builder = Matcher::builder().all(value(all)).http(value(http)).https(value(https)).no(value(no));
    Ok(Some(builder.build()))
}

/// Whether a configuration file names a proxy: `proxy = …` of npm, pip and cargo, `<proxy>` of Maven.
fn names_proxy(text: &str) -> bool {
    let line = |line: &str| {
        let (key, value) = line.split_once('=')?;
        let named = ["proxy", "https-proxy", "http-proxy"].contains(&key.trim());
        (named && !["", "null", "false"].contains(&value.trim().trim_matches('"'))).then_some(())
    };
    text.contains("<proxy>") || text.lines().any(|one| line(one).is_some())
}

/// `host` or `host:port`.
fn named_host(text: &str) -> Option<Host> {
    match text.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() => Host::new(name, port.parse().ok()?),
        _ => Host::new(text, 443),
    }
}

/// Hosts and ports of the sources in a lock file of npm's.
pub(super) fn hosts_of_lock(lock: &[u8]) -> BTreeSet<Host> {
    let lock: Value = serde_json::from_slice(lock).unwrap_or_default();
    let packages = lock["packages"].as_object().into_iter().flatten();
    packages.filter_map(|(_, package)| package["resolved"].as_str()).flat_map(hosts_of).collect()
}

/// The ports of every URL in a text that are none of every installation's.
fn ports_of(text: &str) -> Vec<u16> {
    addresses(text).filter_map(|(_, port, named)| port.filter(|port| named || *port != 443)).collect()
}

/// The hosts of every URL in a text.
fn hosts_of(text: &str) -> Vec<Host> {
    addresses(text).filter_map(|(name, port, _)| Host::new(name, port?)).collect()
}

/// Of every URL in a text its host, its port, and whether that stands there.
fn addresses(text: &str) -> impl Iterator<Item = (&str, Option<u16>, bool)> {
    text.match_indices("://").map(|(at, _)| {
        let scheme = text[..at].rsplit(|one: char| !one.is_ascii_alphanumeric()).next().unwrap_or_default();
        let authority =
            text[at + 3..].split(['/', '"', '\'', '<', '>', ',', ';', '|', ' ', '\t', '\r', '\n', '?', '#']);
        let authority = authority.into_iter().next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        let (name, port) = match host.rsplit_once(':') {
            // The colons of an address of IPv6 are in brackets.
            Some((name, port)) if !port.ends_with(']') => (name, port.parse::<u16>().ok()),
            _ => (host, None),
        };
        let usual = match scheme.to_ascii_lowercase().as_str() {
            "http" => Some(80),
            "https" => Some(443),
            "socks" | "socks4" | "socks5" | "socks5h" => Some(1080),
            _ => None,
        };
        (name, port.or(usual), port.is_some())
    })
}

/// Files that a configuration file names besides itself: certificates, and directories of packages.
fn files_of(text: &str) -> Vec<PathBuf> {
    const KEYS: [&str; 7] = ["cafile", "cainfo", "certfile", "keyfile", "cert", "client-cert", "find-links"];
    let mut found = Vec::new();
    let mut listed = false;
    for line in text.lines() {
        let (key, value) = line.split_once('=').unwrap_or(("", line));
        // Further lines of a value begin with a space.
        listed = KEYS.contains(&key.trim()) || (listed && line.starts_with([' ', '\t']));
        if !listed {
            continue;
        }
        let words = value.split_whitespace().map(|word| word.trim_matches('"'));
        let paths = words.map(|word| word.strip_prefix("file://").unwrap_or(word)).filter(|word| word.starts_with('/'));
        found.extend(paths.filter_map(|path| Path::new(path).canonicalize().ok()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_those_of_configured_registries_and_proxies() {
        for (text, expected) in [
            ("registry=https://r.example/npm/", vec![]),
            ("registry = http://r.example:4873\n@s:registry=https://s.example:8443/x", vec![4873, 8443]),
            ("<url>http://repo.example/maven</url>", vec![80]),
            ("http://user:pass@proxy.example:3128", vec![3128]),
            ("https://[::1]:9000/x,http://b.example:81|direct", vec![9000, 81]),
            ("socks5://p.example", vec![1080]),
            ("no url, a:b:99", vec![]),
            ("http://", vec![80]),
            ("https://x:99999999/", vec![]),
        ] {
            assert_eq!(ports_of(text), expected, "{text}");
        }
        let hosts = |text: &str| hosts_of(text).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            hosts("registry=https://R.example./npm/\n@s:registry = http://s.example:81"),
            ["r.example:443", "s.example:81"]
        );
        assert_eq!(hosts("https://user:pass@p.example?x,https://[::1]:9000/,ssh://h"), ["p.example:443", "[::1]:9000"]);
        let variables: Variables =
            [("HTTPS_PROXY", "proxy.example:3128"), ("GOPROXY", "http://go.example:81,direct"), ("PATH", "/x:99")]
                .map(|(name, value)| (name.into(), value.into()))
                .into();
        assert_eq!(configured(Manager::Go, &variables).ports, [53, 81, 443, 3128]);
    }

    #[test]
    fn of_the_home_directory_only_configuration_files_are_read() {
        let home = tempfile::tempdir().unwrap();
        let base = home.path().canonicalize().unwrap();
        for directory in [".m2", ".config/pip", "certificates", "wheels"] {
            std::fs::create_dir_all(base.join(directory)).unwrap();
        }
        let write = |path: &str, text: &str| std::fs::write(base.join(path), text).unwrap();
        write("certificates/ca.pem", "x");
        write(
            "real-npmrc",
            &format!("registry=http://r.example:4873\ncafile={}\n", base.join("certificates/ca.pem").display()),
        );
        std::os::unix::fs::symlink("real-npmrc", base.join(".npmrc")).unwrap();
        write(".m2/settings.xml", "<url>http://m.example:8081/x</url>");
        write(
            ".config/pip/pip.conf",
            &format!("[global]\nfind-links =\n    {}\n    /\n", base.join("wheels").display()),
        );
        let variables: Variables =
            [("HOME", base.clone().into_os_string()), ("SSL_CERT_DIR", base.clone().into_os_string())]
                .map(|(name, value)| (name.into(), value))
                .into();
        let npm = configured(Manager::Npm, &variables);
        assert_eq!(npm.file, Some(base.join("real-npmrc")), "a link is resolved before it is granted");
        assert!(npm.ports.contains(&4873));
        let of_home = |configured: &Configured| {
            configured.read.iter().filter(|path| path.starts_with(&base)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(of_home(&npm), [base.join("certificates/ca.pem"), base.join("real-npmrc")]);
        assert_eq!(
            of_home(&configured(Manager::Pip, &variables)),
            [base.join(".config/pip/pip.conf"), base.join("wheels")]
        );
        let maven = configured(Manager::Maven, &variables);
        assert_eq!(of_home(&maven), [base.join(".m2/settings.xml")]);
        assert!(maven.ports.contains(&8081));
        assert!(!maven.read.iter().any(|path| base.starts_with(path)), "never the home or what it lies in");
        assert_eq!(of_home(&configured(Manager::Cargo, &variables)), Vec::<PathBuf>::new());
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    #[test]
    fn package_managers() {
        const WORDS: &[&str] = &[
            "registry=http://r.example:4873",
            "://",
            "socks5://",
            "@",
            "[::1]",
            ":65536",
            "find-links =\n    /",
            "cafile=",
            "<url>",
            "file:///",
            "=",
            "\r\n",
        ];
        Target { name: "package_managers", words: WORDS }.run_text(|text| {
            let urls = text.matches("://").count();
            assert!(super::ports_of(text).len() <= urls);
            assert!(super::hosts_of(text).len() <= urls);
            super::names_proxy(text);
            super::hosts_of_lock(text.as_bytes());
            assert!(super::files_of(text).iter().all(|file| file.is_absolute()));
        });
    }
}
