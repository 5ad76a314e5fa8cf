//! The MCP server: what bailiwick can do, from inside a chat.
//!
//! | module | subject |
//! |---|---|
//! | [`server`] | the protocol's requests, over [`registry`] |
//! | [`resources`], [`prompts`], [`completion`] | what is read, asked for and filled in without calling a tool |
//! | [`tasks`] | calls that go on as tasks |
//! | [`tool`], [`registry`] | what a tool is here, and which there are |
//! | [`roots`] | what a client's roots leave of the operator's grants |
//! | [`call`], [`reporter`] | what a tool learns of the call it answers; progress |
//! | [`tools`] | the tools: customization, runs, files |
//! | [`component`], [`logger`] | components that were added, what they ask and log |
//! | [`caller`] | whose a request is, and which runs they see |
//! | [`packages`] | the directories in which packages may be worked on |
//! | [`runs`] | customizations at work, which outlive the call that began them and end with the server |
//! | [`requests`] | a client's wish for a tool, and where it is put before a person |
//! | [`approval`] | a question to a person, and how its answer is bound to the call |
//! | [`replicas`] | several servers that clients reach as one: which has which run, and passing calls on |
//! | [`sampling`] | what a run asks the client's model, and how its answer comes back |
//! | [`keys`] | what is sealed under which key, by this server alone or by its replicas |
//! | [`host_context`] | what the server works with; the command line makes it |
//! | [`logger`] | log messages of a call, for clients that still ask for them |
//! | [`failure`], [`refusal`], [`path_redaction`] | errors as a model reads them, without paths of this machine |
//! | [`stdio`], [`http`] | the two transports |
//! | [`oauth`] | tokens that an issuer gave out, judged for the HTTP transport |
//!
//! Protocols 2025-11-25 and 2026-07-28 (and older ones) are rmcp's affair. What is ours: a tool's arguments are checked
//! before anything else, an error of a tool is a result that a model can read, a capability that is not declared answers
//! "method not found", and nothing but protocol reaches stdout.

pub mod approval;
pub mod call;
pub mod caller;
pub mod completion;
pub mod component;
pub mod failure;
#[cfg(test)]
mod fuzzing;
pub mod host_context;
pub mod http;
mod invalid_params;
pub mod keys;
pub mod limits;
pub mod logger;
mod malformed;
pub mod oauth;
pub mod packages;
pub mod path_redaction;
pub mod prompts;
pub mod refusal;
pub mod registry;
pub mod replicas;
pub mod reporter;
pub mod requests;
pub mod resources;
pub mod roots;
pub mod runs;
pub mod sampling;
pub mod server;
pub mod stdio;
pub mod tasks;
pub mod tool;
pub mod tools;
mod visible;
mod watch;
pub mod work;
pub mod workflows;

pub use caller::Caller;
pub use failure::Failure;
pub use host_context::{FileTools, HostContext, Toolbox};
pub use keys::Keys;
pub use limits::ServerLimits;
pub use packages::PackageDirectories;
pub use roots::ClientRoots;
pub use sampling::{ModelOf, Sampling};
pub use server::Server;
pub use tasks::TaskLimits;
