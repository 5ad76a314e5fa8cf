//! Which redirects of a registry are followed.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::reference::is_loopback;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Attempt;
use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, OnceLock};

/// How many redirects one blob may take.
const MOST_REDIRECTS: usize = 3;

/// Registries redirect to where they keep blobs. A redirect may not give up encryption, nor lead from another machine to
/// this one.
pub(super) fn follow(origin: &Url, attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if attempt.previous().len() > MOST_REDIRECTS {
        return attempt.error("too many redirects");
    }
    match may_lead(origin, attempt.url()) {
        true => attempt.follow(),
        false => attempt.error("the redirect is not allowed"),
    }
}

fn may_lead(origin: &Url, next: &Url) -> bool {
    let local = |url: &Url| url.host_str().is_some_and(|host| is_loopback(host) || is_written_nearby(host));
    if local(next) && !local(origin) {
        return false;
    }
    match next.scheme() {
        "https" => true,
        "http" => origin.scheme() == "http" && (local(origin) && local(next) || origin.host() == next.host()),
        _ => false,
    }
}

/// Whether a host is an address that is [`is_nearby`], as a URL has it.
fn is_written_nearby(host: &str) -> bool {
    host.trim_matches(['[', ']']).parse().is_ok_and(is_nearby)
}

/// Whether an address is this machine's or one of its link (RFC 3927, RFC 4291), where clouds keep credentials.
fn is_nearby(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(one) => {
            let [first, ..] = one.octets();
            one.is_loopback() || one.is_link_local() || one.is_broadcast() || one.is_multicast() || first == 0
        }
        IpAddr::V6(one) => {
            one.is_loopback() || one.is_unspecified() || one.is_unicast_link_local() || one.is_multicast()
        }
    }
}

/// Judges the addresses that names lead to, so that no name of a redirect leads to this machine or its link. The words of a
/// redirect cannot say: every machine has names of its own.
pub(super) struct Judged {
    /// The host that a person named. What its own name leads to when it is first asked for was meant.
    origin: String,
    /// Proxies of the environment, which a person set and no registry names.
    proxies: BTreeSet<String>,
    /// Whether the origin is this machine by a name of its own; then nothing leads there from another one.
    is_here: Arc<OnceLock<bool>>,
}

impl Judged {
    /// For the redirects of this registry.
    pub(super) fn new(origin: &Url) -> Self {
        let variables = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
        let values = variables.iter().filter_map(|name| std::env::var(name).ok());
        let whole = |value: String| if value.contains("://") { value } else { format!("http://{value}") };
        let proxies = values.filter_map(|value| Some(Url::parse(&whole(value)).ok()?.host_str()?.to_owned()));
        Self {
            origin: origin.host_str().unwrap_or_default().to_owned(),
            proxies: proxies.collect(),
            is_here: Arc::default(),
        }
    }

    /// Of the addresses of `name` those that may be connected to.
    fn judged(&self, name: &str, found: Vec<SocketAddr>) -> Vec<SocketAddr> {
        let nearby = found.iter().any(|address| is_nearby(address.ip()));
        if name.eq_ignore_ascii_case(&self.origin) {
            let _ = self.is_here.set(nearby);
        }
        if self.is_here.get() == Some(&true) || self.proxies.contains(name) {
            return found;
        }
        found.into_iter().filter(|address| !is_nearby(address.ip())).collect()
    }
}

impl Resolve for Judged {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        let judge = Self { origin: self.origin.clone(), proxies: self.proxies.clone(), is_here: self.is_here.clone() };
        Box::pin(async move {
            let asked = name.clone();
            // The port is put in by who asks.
            let found = tokio::task::spawn_blocking(move || (asked.as_str(), 0).to_socket_addrs().map(Vec::from_iter));
            let left = judge.judged(&name, found.await??);
            if left.is_empty() {
                return Err(format!("`{name}` leads to this machine or to its link, where no registry is").into());
            }
            Ok(Box::new(left.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_that_leads_to_this_machine_or_its_link_is_not_connected_to_unless_a_person_named_it() {
        let at = |address: &str| vec![SocketAddr::new(address.parse().unwrap(), 443)];
        let elsewhere = || Judged { proxies: ["proxy".into()].into(), ..Judged::new(&url("https://r.example.com/")) };
        let judge = elsewhere();
        assert_eq!(judge.judged("r.example.com", at("192.0.2.2")), at("192.0.2.2"));
        for nearby in
            ["127.0.0.1", "127.0.1.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "169.254.169.254", "fe80::1"]
        {
            assert_eq!(judge.judged("vm", at(nearby)), [], "{nearby}");
            assert_eq!(judge.judged("r.example.com", at(nearby)), [], "{nearby}: it was elsewhere before");
            assert_eq!(judge.judged("proxy", at(nearby)), at(nearby), "{nearby}");
        }
        let both = [at("127.0.0.1"), at("192.0.2.2")].concat();
        assert_eq!(judge.judged("vm", both), at("192.0.2.2"));
        // A registry on this machine that a person calls by a name.
        let here = elsewhere();
        assert_eq!(here.judged("r.example.com", at("127.0.0.1")), at("127.0.0.1"));
        assert_eq!(here.judged("blobs.example.com", at("127.0.0.1")), at("127.0.0.1"));
    }

    #[tokio::test]
    async fn resolver_of_redirects_refuses_the_name_of_this_machine() {
        let judge = Judged { proxies: BTreeSet::new(), ..Judged::new(&url("https://192.0.2.2:5443/")) };
        // A machine that does not know the name says so in words of its own.
        assert!(judge.resolve("localhost".parse().unwrap()).await.is_err());
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn redirect_leaves_neither_encryption_nor_enters_this_machine() {
        let cases = [
            ("https://r.example.com/", "https://storage.example.net/x", true),
            ("https://r.example.com/", "http://storage.example.net/x", false),
            ("https://r.example.com/", "http://r.example.com/x", false),
            ("https://r.example.com/", "https://127.0.0.1/x", false),
            ("https://r.example.com/", "https://[::1]/x", false),
            ("https://r.example.com/", "https://localhost/x", false),
            ("https://r.example.com/", "https://0.0.0.0:6443/x", false),
            ("https://r.example.com/", "https://[::]/x", false),
            ("https://r.example.com/", "https://[::ffff:127.0.0.1]/x", false),
            ("https://r.example.com/", "https://169.254.169.254/x", false),
            ("https://r.example.com/", "https://[fe80::1]/x", false),
            ("https://r.example.com/", "https://127.1/x", false),
            ("https://r.example.com/", "file:///etc/passwd", false),
            ("http://127.0.0.1:5000/", "http://127.0.0.1:6000/x", true),
            ("http://127.0.0.1:5000/", "http://example.com/x", false),
            ("http://r.example.com/", "http://r.example.com:81/x", true),
            ("http://r.example.com/", "http://other.example.com/x", false),
        ];
        for (origin, next, expected) in cases {
            assert_eq!(may_lead(&Url::parse(origin).unwrap(), &Url::parse(next).unwrap()), expected, "{origin} {next}");
        }
    }
}
