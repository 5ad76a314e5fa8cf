//! Customization of SDK packages from TypeSpec in two phases.
//!
//! | module | subject |
//! |---|---|
//! | [`machine`] | the workflow as a pure state machine |
//! | [`checkout`] | a commit of a repository in a directory of its own |
//! | [`comments`] | exported reviews, and what became of each comment |
//! | [`coordinator`] | the workflow in which the calling agent edits, as a pure state machine |
//! | [`directives`] | what is asked for without words in between |
//! | [`driver`] | performs what the machine asks for |
//! | [`stage`], [`gate`] | where an agent edits, and what of it may land |
//! | [`typespec`] | projects, the compiler's view of one, regeneration |
//! | [`knowledge`] | what agents read about client customizations |
//! | [`language`] | customization files, builds and diagnostics of one language |
//! | [`scripts`] | what an SDK repository configures: build and update scripts |
//! | [`testing`] | the tests of a package |
//! | [`plan`] | what would be done about a request |
//! | [`prompts`] | what models are told |
//! | [`recorded`] | files as a commit of the repository has them |
//! | [`response`] | the answer |
//! | `shown` | what of a repository a child may read |
//! | [`surface`] | how the public surface of a client changes, and why |
//! | [`timings`] | where the time of a run went |

mod baseline;
pub mod checkout;
pub mod comments;
pub mod coordinator;
pub mod directives;
pub mod driver;
#[cfg(test)]
mod fuzzing;
pub mod gate;
pub mod knowledge;
#[cfg(test)]
mod laid_out;
pub mod language;
pub mod machine;
pub mod plan;
pub mod prompts;
pub mod recorded;
pub mod response;
pub mod scripts;
mod shown;
pub mod stage;
pub mod surface;
pub mod testing;
pub mod timings;
pub mod typespec;
