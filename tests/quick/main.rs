//! The tests of the binary alone: no toolchain is needed, and no network.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod added_tools;
mod agent;
mod audit;
mod configuration;
mod doctor;
mod hidden_files;
mod hostile_tools;
mod input;
mod mcp;
mod mcp_hostile;
mod mcp_http;
mod mcp_install;
mod mcp_last_words;
mod tool_policy;
mod tools;
