//! The tests over real toolchains and over peers that others wrote: emitters, compilers, registries, MCP clients.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

mod alone;
mod commands;
mod compilers;
mod confinement;
mod contributed_tools;
mod decorators;
mod dist;
mod distribution;
mod done;
mod dotnet;
mod file_server;
mod fleet;
mod go;
mod guidance;
mod hide;
mod hostile_build;
mod hostile_customization;
mod hostile_installer;
mod java;
mod java_package;
mod javascript;
mod keys;
mod knowledge;
mod known_errors;
mod mcp_clients;
mod mcp_conformance;
mod mcp_customize;
mod mcp_oauth;
mod mcp_package;
mod mcp_tools_page;
mod parameters;
mod published;
mod refusals;
mod rename;
mod replay;
mod requirements;
mod revert;
mod second_client;
mod sizes;
mod specification;
mod subclients;
mod tool_new;
mod users_see;
mod workflow;
