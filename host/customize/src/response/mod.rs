//! The answer to a customization request: structured for programs, and as text for people.

mod build;
mod diff;
mod model;
mod specification;
mod steps;
mod text;

#[cfg(test)]
mod tests;

pub use build::{Disposition, RunFacts};
pub use diff::{ChangedFile, Origin, unified};
pub use model::{BuildResult, Response};
pub(crate) use specification::next_steps as next_steps_of_specification;
pub use specification::{NotBuilt, SpecificationOutcome, SpecificationResponse};
