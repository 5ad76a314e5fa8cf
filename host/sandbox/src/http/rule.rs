//! A rule: one host or the hosts below one, one scheme, one port, some methods.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::host::{Host, HostError};
use std::fmt;

/// How a request is carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// In plain text.
    Http,
    /// Over TLS, with the certificate checked.
    Https,
}

impl Scheme {
    /// The port where none is named.
    #[must_use]
    pub fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }

    /// As it stands before the colon.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// Which addresses a host may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Those of the internet, and no others.
    Public,
    /// Those of this machine and of its own networks too.
    Private,
}

/// Which hosts a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    /// This one.
    Exactly(Host),
    /// Every name that ends in a dot and this one, at any depth, and not the name itself.
    Below(String),
}

/// What a component may ask of the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    scheme: Scheme,
    pattern: Pattern,
    port: u16,
    methods: Vec<String>,
    reach: Reach,
}

/// Why a rule cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// Its host cannot be read.
    #[error("`{}` is not a host: {reason}", .host.escape_debug())]
    Host {
        /// The host as it was written.
        host: String,
        /// Why.
        reason: HostError,
    },
    /// `*` stands somewhere else than as the first label, or what follows it has only one label.
    #[error("`{}` is too wide: a `*` stands only before the dot of a name of at least two parts (`*.example.com`)", .0.escape_debug())]
    Wide(String),
    /// It has no method.
    #[error("it names no method")]
    NoMethod,
    /// A method that is not a method of HTTP, or that turns a request into something else.
    #[error("`{}` is not a method that can be granted: write one in capital letters, other than `CONNECT` and `TRACE`", .0.escape_debug())]
    Method(String),
    /// Port 0.
    #[error("port 0 is not allowed")]
    Port,
}

impl Rule {
    /// A rule. `host` is a name, `*.` and a name, or an address, an IPv6 one in brackets; `port` is that of the scheme
    /// where it is `None`; `methods` are written as requests have them.
    ///
    /// # Errors
    /// See [`RuleError`].
    pub fn new<'a>(
        scheme: Scheme,
        host: &str,
        port: Option<u16>,
        methods: impl IntoIterator<Item = &'a str>,
        reach: Reach,
    ) -> Result<Self, RuleError> {
        let methods = methods.into_iter().map(method).collect::<Result<Vec<_>, _>>()?;
        if methods.is_empty() {
            return Err(RuleError::NoMethod);
        }
        let port = port.unwrap_or(scheme.port());
        if port == 0 {
            return Err(RuleError::Port);
        }
        Ok(Self { scheme, pattern: pattern(host)?, port, methods, reach })
    }

    /// Whether it is about this place, whatever is asked of it.
    pub(super) fn covers(&self, scheme: Scheme, host: &Host, port: u16) -> bool {
        self.scheme == scheme && self.port == port && self.is_for(host)
    }

    /// Whether it is about this host, whatever the port and the scheme.
    pub(super) fn is_for(&self, host: &Host) -> bool {
        match (&self.pattern, host) {
            (Pattern::Exactly(own), host) => own == host,
            (Pattern::Below(suffix), Host::Name(name)) => {
                name.strip_suffix(suffix.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
            }
            (Pattern::Below(_), Host::Address(_)) => false,
        }
    }

    /// Whether it lets this method pass. Methods differ by case.
    pub(super) fn allows(&self, method: &str) -> bool {
        self.methods.iter().any(|own| own == method)
    }

    pub(super) fn reach(&self) -> Reach {
        self.reach
    }
}

impl fmt::Display for Rule {
    /// For people: `GET, POST https://*.example.com:8443`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}://", self.methods.join(", "), self.scheme.name())?;
        match &self.pattern {
            Pattern::Exactly(host) => write!(formatter, "{host}")?,
            Pattern::Below(suffix) => write!(formatter, "*.{suffix}")?,
        }
        if self.port != self.scheme.port() {
            write!(formatter, ":{}", self.port)?;
        }
        match self.reach {
            Reach::Public => Ok(()),
            Reach::Private => formatter.write_str(", also at private addresses"),
        }
    }
}

fn pattern(host: &str) -> Result<Pattern, RuleError> {
    let parsed = |text: &str| Host::parse(text).map_err(|reason| RuleError::Host { host: host.to_owned(), reason });
    let Some(suffix) = host.strip_prefix("*.") else {
        if host.contains('*') {
            return Err(RuleError::Wide(host.to_owned()));
        }
        return parsed(host).map(Pattern::Exactly);
    };
    if suffix.contains('*') {
        return Err(RuleError::Wide(host.to_owned()));
    }
    match parsed(suffix)? {
        Host::Name(name) if name.contains('.') => Ok(Pattern::Below(name)),
        Host::Name(_) | Host::Address(_) => Err(RuleError::Wide(host.to_owned())),
    }
}

/// A method as a rule may name it. CONNECT makes a tunnel to anywhere, and TRACE sends a request's headers back, which
/// may hold a secret of the host's.
fn method(text: &str) -> Result<String, RuleError> {
    let written =
        !text.is_empty() && text.len() <= 32 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
    if !written || matches!(text, "CONNECT" | "TRACE") {
        return Err(RuleError::Method(text.chars().take(64).collect()));
    }
    Ok(text.to_owned())
}
