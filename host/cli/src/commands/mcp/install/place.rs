//! Where clients keep which servers they start, and in which words.

use crate::commands::mcp::install::McpClient;
use crate::exit::{Error, Result};
use std::path::{Path, PathBuf};

/// The configuration of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The file.
    pub(super) path: PathBuf,
    /// The member that holds the servers.
    pub(super) servers: &'static str,
    /// What `type` says of a server that is started; `None` where there is no such member.
    pub(super) kind: Option<&'static str>,
    /// Whether each server says which of its tools are used.
    pub(super) lists_tools: bool,
}

impl Place {
    /// The file of a project, or else the person's own.
    pub(super) fn of(client: McpClient, project: Option<&Path>) -> Result<Self> {
        let (servers, kind, lists_tools) = match client {
            McpClient::Vscode => ("servers", Some("stdio"), false),
            McpClient::Claude | McpClient::Cursor => ("mcpServers", None, false),
            McpClient::Copilot => ("mcpServers", Some("local"), true),
        };
        let path = match project {
            Some(project) => of_project(client, project)?,
            None => of_person(client)?,
        };
        Ok(Self { path, servers, kind, lists_tools })
    }
}

fn of_project(client: McpClient, project: &Path) -> Result<PathBuf> {
    if !project.is_dir() {
        return Err(Error::usage(format!("`--project` is not a directory: `{}`", project.display())));
    }
    match client {
        McpClient::Vscode => Ok(project.join(".vscode/mcp.json")),
        McpClient::Cursor => Ok(project.join(".cursor/mcp.json")),
        McpClient::Copilot => Ok(project.join(".mcp.json")),
        McpClient::Claude => Err(Error::usage("Claude Desktop has no configuration of projects")
            .hint("leave `--project` out to enter the server into your own configuration")),
    }
}

fn of_person(client: McpClient) -> Result<PathBuf> {
    match client {
        McpClient::Vscode => Ok(applications()?.join("Code/User/mcp.json")),
        McpClient::Claude => Ok(applications()?.join("Claude/claude_desktop_config.json")),
        McpClient::Cursor => Ok(home()?.join(".cursor/mcp.json")),
        McpClient::Copilot => match directory("COPILOT_HOME") {
            Some(directory) => Ok(directory.join("mcp-config.json")),
            None => Ok(home()?.join(".copilot/mcp-config.json")),
        },
    }
}

/// Where desktop programs keep their configuration.
fn applications() -> Result<PathBuf> {
    if cfg!(target_os = "macos") {
        return Ok(home()?.join("Library/Application Support"));
    }
    match directory("XDG_CONFIG_HOME") {
        Some(directory) => Ok(directory),
        None => Ok(home()?.join(".config")),
    }
}

fn home() -> Result<PathBuf> {
    directory("HOME").ok_or_else(|| {
        Error::usage("`HOME` names no directory").hint("set it, or use `--project` for the configuration of a project")
    })
}

fn directory(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
