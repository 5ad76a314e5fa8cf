//! The tests over the labelled stand-in of `tests/stand-in-toolchain`, for what lies around compilers, emitters and builds.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod actions;
mod beside;
mod candidates;
mod client_file;
mod comments;
mod directives;
mod dry_run;
mod fleet;
mod gate;
mod hostile_client;
mod hostile_generator;
mod left_out_checks;
mod logging;
mod mcp_surface;
mod mcp_workflow;
mod report;
mod resident;
mod review;
mod sampling;
mod standby;
mod waiting;
mod wordings;
