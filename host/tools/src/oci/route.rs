//! The way to a registry: encrypted or not, through which proxy, and whose certificates are believed on it.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::error::OciError;
use super::fault::chain;
use super::redirect::{Judged, follow};
use super::reference::Reference;
use super::registry::{Limits, PlainHttp};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder, Url};
use std::sync::Arc;

/// Docker Hub's registry answers under another name than its images have.
const HUB: (&str, &str) = ("docker.io", "registry-1.docker.io");

/// How a registry is spoken to. Proxies are those of the environment.
#[derive(Debug, Clone)]
pub struct Route {
    plain: PlainHttp,
    /// Certificate authorities that are believed besides those of the platform.
    authorities: Vec<Certificate>,
}

impl From<PlainHttp> for Route {
    fn from(plain: PlainHttp) -> Self {
        Self { plain, authorities: Vec::new() }
    }
}

impl Route {
    /// Believes these certificate authorities, too: PEM, one or several. A registry on this machine whose authority is
    /// named is spoken to encrypted.
    ///
    /// # Errors
    /// There is none in it, or something that is not one.
    pub fn believing(mut self, pem: &[u8]) -> Result<Self, OciError> {
        let found = Certificate::from_pem_bundle(pem).map_err(|error| OciError::Authority(chain(error)))?;
        if found.is_empty() {
            return Err(OciError::Authority("it contains no certificate".into()));
        }
        self.authorities.extend(found);
        Ok(self)
    }

    /// The address of a reference's repository.
    pub(super) fn base(&self, reference: &Reference) -> Result<Url, OciError> {
        let host = reference.host();
        let open = (reference.is_loopback() && self.authorities.is_empty()) || self.plain == PlainHttp::Allowed;
        let (scheme, address) = (if open { "http" } else { "https" }, if host == HUB.0 { HUB.1 } else { host });
        Url::parse(&format!("{scheme}://{address}/v2/{}/", reference.repository()))
            .map_err(|error| OciError::Setup(error.to_string()))
    }

    /// Two clients: one that follows redirects, for what is only loaded, and one that does not.
    pub(super) fn clients(&self, reference: &Reference, base: &Url, limits: &Limits) -> Result<[Client; 2], OciError> {
        // An error says that there is a provider already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = || {
            let builder = Client::builder()
                .connect_timeout(limits.idle)
                .read_timeout(limits.idle)
                .timeout(limits.deadline)
                .tls_certs_merge(self.authorities.iter().cloned())
                // A digest is that of the bytes as they are kept, and a few packed bytes could be very many.
                .no_gzip()
                .user_agent(concat!("bailiwick/", env!("CARGO_PKG_VERSION")));
            // A proxy elsewhere knows another machine by this name.
            if reference.is_loopback() { builder.no_proxy() } else { builder }
        };
        let built = |builder: ClientBuilder| builder.build().map_err(|error| OciError::Setup(chain(error)));
        let origin = base.clone();
        let following = match reference.is_loopback() {
            true => builder(),
            false => builder().dns_resolver(Arc::new(Judged::new(base))),
        };
        let following = built(following.redirect(Policy::custom(move |attempt| follow(&origin, attempt))))?;
        Ok([following, built(builder().redirect(Policy::none()))?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_spoken_to_in_the_open_and_not_where_its_authority_is_named() {
        let authority = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap().cert;
        let text = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, authority.der());
        let authority = format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
        let believing = Route::from(PlainHttp::Loopback).believing(authority.as_bytes()).unwrap();
        let usual = Route::from(PlainHttp::Loopback);
        let cases = [
            (&usual, "oci://r.example.com/a", "https://r.example.com/v2/a/"),
            (&usual, "oci://localhost:5000/a", "http://localhost:5000/v2/a/"),
            (&usual, "oci://docker.io/a/b", "https://registry-1.docker.io/v2/a/b/"),
            (&believing, "oci://localhost:5000/a", "https://localhost:5000/v2/a/"),
            (&Route::from(PlainHttp::Allowed), "oci://r.example.com/a", "http://r.example.com/v2/a/"),
        ];
        for (route, reference, expected) in cases {
            assert_eq!(route.base(&reference.parse().unwrap()).unwrap().as_str(), expected, "{reference}");
        }
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        for pem in ["", "canary", broken] {
            let error = usual.clone().believing(pem.as_bytes()).and_then(|route| {
                route.clients(
                    &"oci://r.example.com/a".parse().unwrap(),
                    &Url::parse("https://r.example.com/v2/a/").unwrap(),
                    &super::super::registry::tests::LIMITS,
                )
            });
            assert!(!error.unwrap_err().to_string().contains("canary"), "{pem}");
        }
    }
}
