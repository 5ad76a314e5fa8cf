//! Where package managers are configured to fetch from: which of the caller's files they may read for it, and which ports
//! they may connect to.
//!
//! An installer runs with a home directory of its own. Of the caller's it gets the files that name registries, mirrors,
//! proxies and certificates, each as a file and only in the step that reads it. They may hold a token for a registry,
//! which is why no step that runs a package's code gets them.

use bailiwick_base::files::plain;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

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
}

/// What a step of a package manager gets of the caller's configuration.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Configured {
    /// The user's own file, canonical, if there is one.
    pub(super) file: Option<PathBuf>,
    /// All that may be read, canonical.
    pub(super) read: Vec<PathBuf>,
    /// TCP ports that may be connected to, sorted.
    pub(super) ports: Vec<u16>,
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
    for path in read.clone() {
        let Ok(text) = plain::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) else {
            continue;
        };
        ports.extend(ports_of(&text));
        read.extend(files_of(&text));
    }
    for (name, value) in variables {
        let (name, value) = (name.to_string_lossy().to_ascii_uppercase(), value.to_string_lossy());
        ports.extend(ports_of(&value));
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
    Configured { file: own, read, ports }
}

/// The ports of every URL in a text.
fn ports_of(text: &str) -> Vec<u16> {
    let mut ports = Vec::new();
    for (at, _) in text.match_indices("://") {
        let scheme = text[..at].rsplit(|one: char| !one.is_ascii_alphanumeric()).next().unwrap_or_default();
        let authority = text[at + 3..].split(['/', '"', '\'', '<', '>', ',', ';', '|', ' ', '\t', '\r', '\n']);
        let authority = authority.into_iter().next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        let port = host.rsplit_once(':').map(|(_, port)| port).and_then(|port| port.parse::<u16>().ok());
        ports.extend(port.or(match scheme.to_ascii_lowercase().as_str() {
            "http" => Some(80),
            "socks" | "socks4" | "socks5" | "socks5h" => Some(1080),
            _ => None,
        }));
    }
    ports
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
            assert!(super::files_of(text).iter().all(|file| file.is_absolute()));
        });
    }
}
