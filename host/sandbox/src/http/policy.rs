//! Whether a request may leave: a function of the rules and of the request, without a look at the network.

use super::host::Host;
use super::rule::{Reach, Rule, Scheme};
use super::secret::HeaderSecret;
use crate::denial::DenialReason;
use http::{HeaderMap, HeaderName, Uri, header};

/// Where a request goes once it was let pass.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) scheme: Scheme,
    pub(super) host: Host,
    pub(super) port: u16,
    pub(super) reach: Reach,
    /// What is added to it.
    pub(super) secrets: Vec<HeaderSecret>,
}

/// Headers that belong to the connection and to the host, which makes it. A component that sets one could end a request early
/// or address it to another host.
const HOSTS_OWN: [HeaderName; 13] = [
    header::CONNECTION,
    header::EXPECT,
    header::HOST,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    HeaderName::from_static("http2-settings"),
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("alt-used"),
];

/// Whether a component may neither set a header nor see it.
pub(super) fn belongs_to_the_connection(name: &HeaderName) -> bool {
    HOSTS_OWN.contains(name)
}

/// A request as the component made it.
pub(super) struct OutgoingRequest<'a> {
    pub(super) method: &'a str,
    pub(super) address: &'a Uri,
    pub(super) headers: &'a HeaderMap,
}

impl OutgoingRequest<'_> {
    /// What was asked for, without its path: that may hold anything.
    pub(super) fn shown(&self) -> String {
        let (scheme, authority) = (self.address.scheme_str(), self.address.authority());
        let authority = authority.map_or("", |authority| authority.as_str());
        format!("{} {}://{authority}", self.method, scheme.unwrap_or_default())
    }
}

/// Decides. A request that no rule is about is refused for its host, and one that a rule is about for its method.
pub(super) fn check(
    rules: &[Rule],
    secrets: &[HeaderSecret],
    asked: &OutgoingRequest<'_>,
) -> Result<Target, DenialReason> {
    let scheme = match asked.address.scheme_str() {
        Some("http") => Scheme::Http,
        Some("https") => Scheme::Https,
        _ => return Err(DenialReason::Host),
    };
    let authority = asked.address.authority().ok_or(DenialReason::Request)?;
    let (host, port) = place(authority.as_str()).ok_or(DenialReason::Request)?;
    let port = port.unwrap_or(scheme.port());
    let path = asked.address.path_and_query().map_or("/", |path| path.as_str());
    if !path.starts_with(['/', '?']) || asked.headers.keys().any(belongs_to_the_connection) {
        return Err(DenialReason::Request);
    }
    let about: Vec<&Rule> = rules.iter().filter(|rule| rule.covers(scheme, &host, port)).collect();
    if about.is_empty() {
        return Err(DenialReason::Host);
    }
    let allowing: Vec<&&Rule> = about.iter().filter(|rule| rule.allows(asked.method)).collect();
    if allowing.is_empty() {
        return Err(DenialReason::Method);
    }
    let private = allowing.iter().any(|rule| rule.reach() == Reach::Private);
    let reach = if private { Reach::Private } else { Reach::Public };
    let secrets: Vec<_> = secrets.iter().filter(|secret| secret.is_for(scheme, &host)).cloned().collect();
    // Parts of an answer that repeats the secret would each hold less than all of it.
    if !secrets.is_empty() && [header::RANGE, header::IF_RANGE].iter().any(|name| asked.headers.contains_key(name)) {
        return Err(DenialReason::Request);
    }
    Ok(Target { scheme, host, port, reach, secrets })
}

/// Host and port, or nothing if there is more than that, or less: a user's name, an empty port.
fn place(authority: &str) -> Option<(Host, Option<u16>)> {
    let end = match authority.strip_prefix('[') {
        Some(inner) => inner.find(']')? + 2,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, rest) = authority.split_at_checked(end)?;
    let port = match rest.strip_prefix(':') {
        Some(digits) => Some(port(digits)?),
        None if rest.is_empty() => None,
        None => return None,
    };
    Some((Host::parse(host).ok()?, port))
}

fn port(digits: &str) -> Option<u16> {
    let written = !digits.is_empty() && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    if written { digits.parse().ok() } else { None }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
