//! The tests of microagents over their public interface.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod agent_loop;
mod files;
mod templates;
