//! What a person knows and decides about tools of other authors.
//!
//! | module | subject |
//! |---|---|
//! | [`manifest`] | `tool.toml`: what a tool asks for, each with a reason |
//! | [`oci`] | tools in a registry: pulled, checked, kept, pushed |
//! | [`installed`] | an added tool on its way in and to a call: fetched, verified, limited, granted, loaded |
//! | [`signature`] | whose tool it is, verified before anything is compiled |
//! | [`approval`] | what a person said yes to, and whether it is still that |
//! | [`store`] | the tools that were added to this machine |
//! | [`requests`] | what clients asked a person to add or approve |
//! | [`downgrade`] | whether an update goes back, which a person has to want |
//! | [`change`] | what an update would change, in words |
//! | [`secrets`] | what a person keeps for the requests of tools, each for one host |
//! | [`digest`] | SHA-256 as it is written and compared |

pub mod approval;
pub mod change;
pub mod digest;
pub mod downgrade;
mod file;
pub mod installed;
pub mod manifest;
pub mod oci;
pub mod requests;
pub mod secrets;
pub mod signature;
pub mod store;

pub use approval::{Approval, Binding, Standing};
pub use digest::Digest;
pub use manifest::{Manifest, ManifestError};
pub use store::{Entry, Release, Source, Store, StoreError};
