//! Outgoing HTTP: what a component may ask of the network, decided by rules and carried out by the host.
//!
//! - [`Rule`]: scheme, host, port, methods, and whether private addresses may be reached. Without a rule that allows
//!   it, no request leaves.
//! - [`HeaderSecret`]: a header that the host adds to requests to one host over TLS. The component never sees it.
//! - [`Http`]: rules, secrets and limits together: the authority that a component is loaded with.

mod address;
mod connect;
mod exchange;
mod host;
mod ledger;
mod policy;
mod requests;
mod rule;
mod secret;
mod tls;

use bailiwick_audit::KnownSecrets;
use wasmtime::component::Linker;
use wasmtime_wasi_http::p2::bindings::sync::http::{outgoing_handler, types};
use wasmtime_wasi_http::{WasiHttp, WasiHttpCtxView};

pub use host::HostError;
pub use rule::{Reach, Rule, RuleError, Scheme};
pub use secret::{HeaderSecret, HeaderSecretError};
pub use tls::Trust;

pub(crate) use requests::Requests;

/// What the requests of one call may spend. There is no default: the code that grants says it. Time is that of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpLimits {
    /// Requests that one call may make.
    pub requests: u32,
    /// Of these, how many are under way at once; further ones wait.
    pub at_once: usize,
    /// Length of the bodies of all these requests together, in bytes.
    pub request_bytes: usize,
    /// Length of the bodies of all answers together, in bytes: they are held whole until the component has read them.
    pub response_bytes: usize,
    /// Length of all header lines of one request, or of one answer, in bytes.
    pub header_bytes: usize,
}

/// What a component may ask of the network, and with which secrets.
///
/// The host follows no redirect: the component sees it, and what it asks for next is judged like everything else. No
/// proxy is used, whatever the environment says.
#[derive(Debug)]
pub struct Http {
    rules: Vec<Rule>,
    secrets: Vec<HeaderSecret>,
    limits: HttpLimits,
    trust: Trust,
    known: KnownSecrets,
}

impl Http {
    /// Rules, secrets and limits of one component.
    #[must_use]
    pub fn new(rules: Vec<Rule>, secrets: Vec<HeaderSecret>, limits: HttpLimits, trust: Trust) -> Self {
        let known = HeaderSecret::known(&secrets);
        Self { rules, secrets, limits, trust, known }
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

impl PartialEq for Http {
    fn eq(&self, other: &Self) -> bool {
        (&self.rules, &self.secrets, &self.limits, &self.trust)
            == (&other.rules, &other.secrets, &other.limits, &other.trust)
    }
}

impl Eq for Http {}

/// Lets a component ask, over the rules of its call.
pub(crate) fn link<T>(linker: &mut Linker<T>, view: fn(&mut T) -> WasiHttpCtxView<'_>) -> wasmtime::Result<()> {
    outgoing_handler::add_to_linker::<T, WasiHttp>(linker, view)?;
    types::add_to_linker::<T, WasiHttp>(linker, &types::LinkOptions::default(), view)
}
