//! Tools that are written in Rust: which compiler builds them, with which flags, and how a core module becomes a
//! component. The tools of this repository and those of other people are built alike.
//!
//! - [`Toolchain`]: the active compiler where it has the standard library of [`TARGET`], else Debian's packaged one.
//!   Nothing is installed here.
//! - [`Component`]: what a core module became, and what it imports.

mod component;
mod packaged;
mod program;
mod toolchain;

pub use component::{Component, ComponentError};
pub use packaged::{COMMANDS as PACKAGED_COMMANDS, PACKAGES as PACKAGED_PACKAGES, Packaged};
pub use toolchain::{Active, Cargo, FLAGS, TARGET, Target, Toolchain};
