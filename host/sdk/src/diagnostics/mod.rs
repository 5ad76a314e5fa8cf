//! Parsers of the output of compilers, emitters, type checkers and builds. Each tool has one.
//!
//! - [`go`], [`javac`], [`maven`], [`msbuild`], [`mypy`], [`tsc`]: builds and checks of a package.
//! - [`typespec`], [`java_generator`]: generations.
//! - [`any_tool`]: the two forms that most compilers share, for scripts whose tools are not known.
//! - [`pasted`]: a log of any of them inside a request.
//!
//! The first eight read what a child of this program printed, whose paths begin with `sdk/` or `spec/` ([`PathMap`]). [`pasted`] uses
//! the same grammars for single lines, and is stricter about what is a line of a log, because prose stands around it.

pub mod any_tool;
pub mod go;
pub mod java_generator;
pub mod javac;
pub mod maven;
pub mod msbuild;
pub mod mypy;
pub mod pasted;
mod paths;
mod quoted;
pub mod tsc;
pub mod typespec;

pub use paths::PathMap;
pub use quoted::quoted;
