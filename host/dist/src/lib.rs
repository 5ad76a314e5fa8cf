//! One binary, wrapped in the ways in which people install programs.
//!
//! Every package is made of the same bytes and is a function of its input alone: entries are sorted, modes are fixed, and
//! no package contains the time at which it was made.
//!
//! | module | subject |
//! |---|---|
//! | [`gather`] | a release, from a binary and the repository |
//! | [`release`] | what is wrapped: the binary and what goes with it |
//! | [`elf`] | for which machine a binary is, and the oldest glibc it runs on |
//! | [`archive`] | trees of files, and tar, zip and ar archives of them |
//! | [`wheel`], [`npm`], [`mcpb`], [`oci`], [`deb`], [`tarball`] | one package format each |
//! | [`metadata`] | the dependencies of the binary, as cargo tells them |
//! | [`sbom`] | the software bill of materials |
//! | [`licences`] | which licences dependencies may have, and their texts |
//! | [`mod@write`] | all packages with their SHA-256 sums in one directory |

pub mod archive;
pub mod deb;
pub mod elf;
mod error;
pub mod gather;
pub mod licences;
pub mod mcpb;
pub mod metadata;
pub mod npm;
pub mod oci;
pub mod release;
pub mod sbom;
pub mod tarball;
#[cfg(test)]
mod tests;
pub mod wheel;
pub mod write;

pub use archive::Effort;
pub use error::DistError;
pub use release::{Machine, Package, Release, Shell};

/// The name of the package in every registry, and of the crate that has the binary. `bailiwick` itself is taken on PyPI.
pub const NAME: &str = "bailiwick-cli";
/// The name of the command.
pub const COMMAND: &str = "bailiwick";
/// What it is, in one sentence.
pub const SUMMARY: &str = "Runs the tools of AI agents as WebAssembly components with only the directories they were handed, and customizes Azure SDK packages from TypeSpec";
