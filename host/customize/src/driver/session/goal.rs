//! What a run is for.

use serde_json::{Value, json};

use crate::driver::run_kind::RunKind;

/// What a run is for.
pub(in crate::driver) struct Goal<'a> {
    pub(in crate::driver) kind: RunKind,
    /// The request in a person's words; empty for a single step.
    pub(in crate::driver) request: &'a str,
    /// What is kept of the TypeSpec project.
    pub(in crate::driver) coverages: Coverages,
    /// Anything to find the run by; an object.
    pub(in crate::driver) details: Value,
}

impl<'a> Goal<'a> {
    /// A run in which only the host's own agents edit.
    pub(in crate::driver) fn plain(kind: RunKind, request: &'a str) -> Self {
        Self { kind, request, coverages: Coverages::ClientFile, details: json!({}) }
    }
}

/// When the tools that build a package have to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::driver) enum Builders {
    /// Before the run begins.
    AtOnce,
    /// Before the first edit, regeneration or build. A request that comes to none of them needs no such tool.
    WhenNeeded,
}

/// How much of a TypeSpec project can change in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::driver) enum Coverages {
    /// The one file that the gate lets through.
    ClientFile,
    /// Any file: an editor outside the stage works on it.
    WholeProject,
}
