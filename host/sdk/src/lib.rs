//! What SDK packages and their specifications are, apart from any agent.
//!
//! - [`tasks`]: the typed tasks and results of a customization, with languages, diagnostics and the specification index.
//! - [`diagnostics`]: parsers of the output of compilers, emitters and type checkers.
//! - [`java`]: generated Java code and the places where customization classes name it.
//! - [`python_classes`]: classes that people wrote in Python, and what their constructors take.
//! - [`python_enums`]: constants that hold a member of an enum which people wrote in Python.
//! - [`method_names`], [`python_names`], [`renames`]: names as generated code carries them, and how a specification changes them.
//! - [`scopes`]: what scoped decorators come to for each language.
//! - [`syntax`]: bounded walks over syntax trees, the same for every language.

pub mod diagnostics;
#[cfg(test)]
mod fuzzing;
pub mod java;
pub mod method_names;
pub mod python_classes;
pub mod python_enums;
pub mod python_names;
pub mod renames;
pub mod scopes;
pub mod syntax;
pub mod tasks;
