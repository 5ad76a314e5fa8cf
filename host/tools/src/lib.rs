//! What a person knows and decides about tools that somebody else wrote.
//!
//! | module | subject |
//! |---|---|
//! | [`manifest`] | `tool.toml`: what a tool asks for, each with a reason |
//! | [`oci`] | tools in a registry: pulled, checked, kept, pushed |
//! | [`signature`] | whose tool it is, verified before anything is compiled |
//! | [`digest`] | SHA-256 as it is written and compared |

pub mod digest;
pub mod manifest;
pub mod oci;
pub mod signature;

pub use digest::Digest;
pub use manifest::{Manifest, ManifestError};
