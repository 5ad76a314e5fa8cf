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
//! this project's own: of the kept ones, none bounds a manifest or a token before it reads it, or says where
//! credentials may go.
//!
//! | module | subject |
//! |---|---|
//! | [`mod@reference`] | `oci://host/repository:tag@sha256:…` |
//! | [`artifact`] | what is in an artifact, from and to the registry's JSON |
//! | [`registry`] | the protocol: pull and push, with limits |
//! | `session` | requests to one repository: authorization, bounded answers, what an answer means |
//! | `challenge` | `WWW-Authenticate` |
//! | [`credentials`] | the Docker configuration, and the programs it names |
//! | [`cache`] | what was pulled, by digest |
//! | [`lock`] | `tools.lock`: which digest a reference was resolved to |

pub mod artifact;
pub mod cache;
mod challenge;
pub mod credentials;
mod error;
mod helper;
pub mod lock;
pub mod reference;
pub mod registry;
mod session;

#[cfg(test)]
mod tests;

pub use artifact::Artifact;
pub use cache::Cache;
pub use credentials::Credentials;
pub use error::OciError;
pub use lock::Lock;
pub use reference::Reference;
pub use registry::{Limits, PlainHttp, Registry, Resolved};
