//! What a person knows and decides about tools that somebody else wrote.
//!
//! | module | subject |
//! |---|---|
//! | [`manifest`] | `tool.toml`: what a tool asks for, each with a reason |
//! | [`digest`] | SHA-256 as it is written and compared |

pub mod digest;
pub mod manifest;

pub use digest::Digest;
pub use manifest::{Manifest, ManifestError};
