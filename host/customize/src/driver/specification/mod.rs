//! Customizes a specification without a package: `client.tsp` is edited, compiled and judged as in Phase A, and its effect
//! is shown for each language from the compiler's client model. No package is generated and nothing is built.
//!
//! | module | subject |
//! |---|---|
//! | `request` | what is asked for, and what has to be true before anything begins |
//! | `languages` | one request read for several languages |
//! | `run` | the run: one root, one edit |
//! | `carry_out` | from the request to the edit that landed |

mod carry_out;
mod languages;
mod request;
mod run;

pub(super) use languages::of_all_languages;
pub use request::SpecificationRequest;
pub(super) use request::Subject;
