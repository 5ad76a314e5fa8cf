//! `oci://host[:port]/repository[:tag][@sha256:…]`.
//!
//! The host is always written: a name without one means another registry to every program.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use crate::digest::Digest;
use std::fmt;
use std::str::FromStr;

/// What a reference begins with.
pub const SCHEME: &str = "oci://";

/// The longest reference that is read, in bytes.
const LONGEST: usize = 512;

/// The longest tag, as the distribution specification has it.
const LONGEST_TAG: usize = 128;

/// An artifact in a registry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    host: String,
    repository: String,
    tag: Option<String>,
    digest: Option<Digest>,
}

/// It is not written as a reference is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoReference {
    /// It begins otherwise.
    #[error("a reference begins with `oci://`")]
    Scheme,
    /// It is longer than is read.
    #[error("a reference has at most {LONGEST} bytes")]
    TooLong,
    /// There is no `/` after the host, or nothing that is one.
    #[error("a reference names a host, and then a repository, as in `oci://registry.example.com/team/tool:1.0`")]
    Host,
    /// The repository is not written as one.
    #[error("a repository is lower-case letters, digits, `.`, `_` and `-`, in parts between `/`")]
    Repository,
    /// The tag is not written as one.
    #[error("a tag is up to {LONGEST_TAG} letters, digits, `.`, `_` and `-`, and does not begin with `.` or `-`")]
    Tag,
    /// The digest is not written as one.
    #[error("the digest of a reference is `sha256:` and 64 hexadecimal digits in lower case")]
    Digest,
}

impl Reference {
    /// The host, with its port where one was written.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The repository: parts between `/`.
    #[must_use]
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// The tag that was written. Without tag and digest it is `latest`.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        match (&self.tag, &self.digest) {
            (None, None) => Some("latest"),
            (tag, _) => tag.as_deref(),
        }
    }

    /// The digest that was written.
    #[must_use]
    pub fn digest(&self) -> Option<&Digest> {
        self.digest.as_ref()
    }

    /// The same, by this digest alone: what a resolved reference is.
    #[must_use]
    pub fn at(&self, digest: Digest) -> Self {
        Self { tag: None, digest: Some(digest), ..self.clone() }
    }

    /// Host and repository, as sources are named by: without a port that is one of HTTP's own, so that one place is not
    /// two sources.
    #[must_use]
    pub fn source(&self) -> String {
        let host = self.host.strip_suffix(":80").unwrap_or(&self.host);
        format!("{host}/{}", self.repository)
    }

    /// Whether the host is this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback(host_name(&self.host))
    }
}

/// Whether a host, without a port, is this machine: by its name or its address, not by what a name resolves to.
pub(super) fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || address.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

/// A host without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => name,
        _ => host,
    }
}

impl FromStr for Reference {
    type Err = NoReference;

    fn from_str(text: &str) -> Result<Self, NoReference> {
        let rest = text.strip_prefix(SCHEME).ok_or(NoReference::Scheme)?;
        if text.len() > LONGEST {
            return Err(NoReference::TooLong);
        }
        let (rest, digest) = match rest.split_once('@') {
            Some((rest, digest)) => (rest, Some(digest.parse().map_err(|_| NoReference::Digest)?)),
            None => (rest, None),
        };
        let (host, rest) = rest.split_once('/').ok_or(NoReference::Host)?;
        if !is_host(host) {
            return Err(NoReference::Host);
        }
        let (repository, tag) = match rest.split_once(':') {
            Some((repository, tag)) => (repository, Some(tag)),
            None => (rest, None),
        };
        if !repository.split('/').all(is_part) {
            return Err(NoReference::Repository);
        }
        if tag.is_some_and(|tag| !is_tag(tag)) {
            return Err(NoReference::Tag);
        }
        let (host, repository) = (canonical(host)?, repository.to_owned());
        Ok(Self { host, repository, tag: tag.map(str::to_owned), digest })
    }
}

/// A host in the one way of writing it, so that another spelling does not get around a rule: `R.example.com:443` and
/// `r.example.com` are one, as `127.1` and `127.0.0.1` are, and the names of Docker Hub.
fn canonical(host: &str) -> Result<String, NoReference> {
    let url = reqwest::Url::parse(&format!("https://{host}/")).map_err(|_| NoReference::Host)?;
    let name = url.host_str().ok_or(NoReference::Host)?;
    Ok(match (name, url.port()) {
        ("index.docker.io" | "registry-1.docker.io", None) => "docker.io".to_owned(),
        (name, None) => name.to_owned(),
        (name, Some(port)) => format!("{name}:{port}"),
    })
}

fn is_host(host: &str) -> bool {
    let name = host_name(host);
    let Some(port) = host.strip_prefix(name) else { return false };
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return false;
    }
    if let Some(address) = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let label = |label: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(plain) && !label.starts_with('-') && !label.ends_with('-')
    };
    name.split('.').all(label)
}

/// Runs of lower-case letters and digits, with one `.`, one or two `_`, or any number of `-` between them.
fn is_part(part: &str) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let bytes = part.as_bytes();
    is_end(bytes.first())
        && is_end(bytes.last())
        && bytes.iter().all(|byte| is_end(Some(byte)) || matches!(byte, b'.' | b'_' | b'-'))
        && !["..", "___", "._", "_.", ".-", "-.", "_-", "-_"].iter().any(|pair| part.contains(pair))
}

fn is_tag(tag: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    !tag.is_empty() && tag.len() <= LONGEST_TAG && tag.bytes().all(plain) && !tag.starts_with(['.', '-'])
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{SCHEME}{}/{}", self.host, self.repository)?;
        if let Some(tag) = &self.tag {
            write!(formatter, ":{tag}")?;
        }
        match &self.digest {
            Some(digest) => write!(formatter, "@{digest}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_is_read_as_it_is_written() {
        let digest = format!("sha256:{}", "0a".repeat(32));
        let cases = [
            ("oci://ghcr.io/team/tool:1.0", "ghcr.io", "team/tool", Some("1.0")),
            ("oci://127.0.0.1:5000/tool", "127.0.0.1:5000", "tool", Some("latest")),
            ("oci://[::1]:5000/a/b-c__d.e:V1", "[::1]:5000", "a/b-c__d.e", Some("V1")),
            (&format!("oci://Host/a@{digest}"), "host", "a", None),
            (&format!("oci://host/a:t@{digest}"), "host", "a", Some("t")),
        ];
        for (text, host, repository, tag) in cases {
            let reference: Reference = text.parse().unwrap();
            assert_eq!((reference.host(), reference.repository(), reference.tag()), (host, repository, tag), "{text}");
            assert_eq!(reference.to_string(), text.replace("Host", "host"));
            assert_eq!(reference.digest().is_some(), text.contains('@'));
        }
    }

    #[test]
    fn one_place_is_one_source_however_it_is_written() {
        let cases = [
            ("oci://R.Example.com:443/a", "r.example.com/a"),
            ("oci://r.example.com:80/a", "r.example.com/a"),
            ("oci://127.1:5000/a", "127.0.0.1:5000/a"),
            ("oci://[0:0::1]:5000/a", "[::1]:5000/a"),
            ("oci://registry-1.docker.io/a/b", "docker.io/a/b"),
            ("oci://index.docker.io:443/a/b", "docker.io/a/b"),
        ];
        for (text, source) in cases {
            assert_eq!(text.parse::<Reference>().unwrap().source(), source, "{text}");
        }
    }

    #[test]
    fn text_that_could_mean_another_place_is_not_a_reference() {
        let cases = [
            ("ghcr.io/team/tool", NoReference::Scheme),
            ("https://ghcr.io/team/tool", NoReference::Scheme),
            ("oci://tool", NoReference::Host),
            ("oci:///tool", NoReference::Host),
            ("oci://user:pass@host/tool", NoReference::Digest),
            ("oci://ho st/tool", NoReference::Host),
            ("oci://host#x/tool", NoReference::Host),
            ("oci://host:0/tool", NoReference::Host),
            ("oci://host:99999/tool", NoReference::Host),
            ("oci://h/", NoReference::Repository),
            ("oci://h/a/../b", NoReference::Repository),
            ("oci://h/a//b", NoReference::Repository),
            ("oci://h/A", NoReference::Repository),
            ("oci://h/a?x=y", NoReference::Repository),
            ("oci://h/a%2fb", NoReference::Repository),
            ("oci://h/a:", NoReference::Tag),
            ("oci://h/a:b/c", NoReference::Tag),
            ("oci://h/a:..", NoReference::Tag),
            ("oci://h/a@sha512:00", NoReference::Digest),
            ("oci://h/a@sha256:00", NoReference::Digest),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Reference>(), Err(expected), "{text}");
        }
        let long = format!("oci://h/{}", "a".repeat(600));
        assert_eq!(long.parse::<Reference>(), Err(NoReference::TooLong));
    }

    #[test]
    fn this_machine_is_known_by_its_names_only() {
        for host in ["localhost", "localhost:1", "127.0.0.1", "127.8.8.8:5000", "[::1]:5000"] {
            assert!(format!("oci://{host}/a").parse::<Reference>().unwrap().is_loopback(), "{host}");
        }
        for host in ["localhost.example.com", "127.0.0.1.example.com", "10.0.0.1", "[::2]:1", "example.com"] {
            assert!(!format!("oci://{host}/a").parse::<Reference>().unwrap().is_loopback(), "{host}");
        }
    }
}
