//! TLS as the model providers have it: the certificates of the platform (`SSL_CERT_FILE` names others), ring.

use rustls::ClientConfig;
use rustls::client::Resumption;
use rustls::pki_types::CertificateDer;
use rustls_platform_verifier::Verifier;
use std::sync::{Arc, OnceLock};

/// Whose certificates are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Those of the platform.
    Platform,
    /// Those of the platform, and these: DER, of certificate authorities of one's own.
    And(Vec<Vec<u8>>),
}

/// How connections are encrypted; `None` if this machine has no certificates to check a host by.
pub(super) fn config(trust: &Trust) -> Option<Arc<ClientConfig>> {
    // Reading the platform's certificates takes milliseconds.
    static PLATFORM: OnceLock<Option<Arc<ClientConfig>>> = OnceLock::new();
    match trust {
        Trust::Platform => PLATFORM.get_or_init(|| build(&[])).clone(),
        Trust::And(roots) => build(roots),
    }
}

fn build(roots: &[Vec<u8>]) -> Option<Arc<ClientConfig>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let roots = roots.iter().map(|root| CertificateDer::from(root.clone()));
    let verifier = Verifier::new_with_extra_roots(roots, provider.clone())
        .inspect_err(|error| tracing::warn!(%error, "no certificates to check hosts by"))
        .ok()?;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .ok()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    // Calls share nothing, and so no sessions.
    config.resumption = Resumption::disabled();
    Some(Arc::new(config))
}
