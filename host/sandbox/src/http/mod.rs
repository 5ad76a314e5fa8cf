//! Outgoing HTTP: what a component may ask of the network, decided by rules and carried out by the host.
//!
//! - [`Rule`]: scheme, host, port, methods, and whether private addresses may be reached. Without a rule that allows
//!   it, no request leaves.
//! - [`HeaderSecret`]: a header that the host adds to requests to one host over TLS. The component never sees it.
//! - [`Http`]: rules, secrets and limits together: the authority that a component is loaded with.

mod host;
mod rule;
mod secret;

pub use host::HostError;
pub use rule::{Reach, Rule, RuleError, Scheme};
pub use secret::{HeaderSecret, HeaderSecretError};

/// What the requests of one call may spend. No default: whoever grants says it. Time is that of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpLimits {
    /// Requests that one call may make.
    pub requests: u32,
    /// Of these, how many are under way at once; further ones wait.
    pub at_once: usize,
    /// Length of one request's body, in bytes.
    pub request_bytes: usize,
    /// Length of one answer's body, in bytes.
    pub response_bytes: usize,
    /// Length of all header lines of one request, or of one answer, in bytes.
    pub header_bytes: usize,
}

/// What a component may ask of the network, and with which secrets.
#[derive(Debug)]
pub struct Http {
    rules: Vec<Rule>,
    secrets: Vec<HeaderSecret>,
    limits: HttpLimits,
}

impl Http {
    /// Rules, secrets and limits of one component.
    #[must_use]
    pub fn new(rules: Vec<Rule>, secrets: Vec<HeaderSecret>, limits: HttpLimits) -> Self {
        Self { rules, secrets, limits }
    }

    /// What it may ask for.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Limits of each call.
    #[must_use]
    pub fn limits(&self) -> &HttpLimits {
        &self.limits
    }
}
