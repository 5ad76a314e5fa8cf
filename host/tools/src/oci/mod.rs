//! Tools in an OCI registry: pulled, checked, kept, pushed.
//!
//! An artifact is laid out as the CNCF's Wasm working group describes it, with two layers of our own:
//!
//! | part | media type |
//! |---|---|
//! | config | `application/vnd.wasm.config.v0+json` |
//! | the component | `application/wasm` |
//! | `tool.toml` | [`artifact::MANIFEST_LAYER`] |
//! | its signature | [`artifact::SIGNATURE_LAYER`] |
//!
//! Whatever a registry sends is bounded before and while it comes, and is what its digest says or nothing. The client is
//! this project's own: `oci-client` reads manifests, blobs and error texts without a limit, and does not restrict the hosts
//! that get the credentials.
//!
//! | module | subject |
//! |---|---|
//! | [`mod@reference`] | `oci://host/repository:tag@sha256:…` |
//! | [`artifact`] | what is in an artifact, from and to the registry's JSON |
//! | `attached` | a signature that was made after its artifact was pushed |
//! | [`registry`] | the protocol: pull and push, with limits |
//! | [`route`] | the way to a registry: encryption, proxies, whose certificates are believed |
//! | `session` | requests to one repository |
//! | `token`, `challenge` | who asks: `WWW-Authenticate`, tokens |
//! | `answer` | bounded answers, and what one means |
//! | `redirect` | where a registry may lead |
//! | `fault` | what a connection failed of, in words |
//! | [`credentials`] | the Docker configuration, and the programs it names |
//! | [`cache`] | what was pulled, by digest; `prune` what of it goes |
//! | [`lock`] | `tools.lock`: which digest a reference was resolved to |

mod answer;
pub mod artifact;
mod attached;
pub mod cache;
mod challenge;
pub mod credentials;
mod error;
mod fault;
#[cfg(test)]
mod fuzzing;
mod helper;
pub mod lock;
mod prune;
mod redirect;
pub mod reference;
pub mod registry;
pub mod route;
mod session;
mod token;

#[cfg(test)]
mod tests;

pub use artifact::Artifact;
pub use cache::Cache;
pub use credentials::Credentials;
pub use error::OciError;
pub use lock::Lock;
pub use reference::Reference;
pub use registry::{Limits, PlainHttp, Registry, Resolved};
pub use route::Route;
