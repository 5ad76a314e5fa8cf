//! The tools that an agent file asks for.

use super::reader::Reader;
use super::{FileError, GrantRequest};

/// What stands before the name of a tool that a person added.
const ADDED: &str = "added:";

/// One tool that an agent file asks for. Asking is not getting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolRequest {
    /// One of this program's own, `"ReadFile"`, over every directory of the agent.
    Own(String),
    /// One that a person added to this machine, `"added:NAME=GRANT,…"`, over these directories of the agent and no other.
    Added {
        /// What it was added as.
        name: String,
        /// Grants of the same file.
        grants: Vec<String>,
    },
}

pub(super) fn read(reader: &mut Reader) -> Result<Vec<ToolRequest>, FileError> {
    let mut tools: Vec<ToolRequest> = Vec::new();
    for (index, text) in reader.texts("tools")?.iter().enumerate() {
        let tool = match text.strip_prefix(ADDED) {
            None => ToolRequest::Own(text.clone()),
            Some(rest) => {
                let (name, grants) = rest.split_once('=').unwrap_or((rest, ""));
                let grants: Vec<String> =
                    grants.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
                ToolRequest::Added { name: name.to_owned(), grants }
            }
        };
        if tools.iter().any(|other| other.name() == tool.name()) {
            return Err(FileError::wrong(&format!("tools[{index}]"), "a tool that is not named twice"));
        }
        tools.push(tool);
    }
    Ok(tools)
}

/// Holds the grants that tools name against those of the file.
pub(super) fn check(tools: &[ToolRequest], grants: &[GrantRequest]) -> Result<(), FileError> {
    for (index, tool) in tools.iter().enumerate() {
        let ToolRequest::Added { grants: named, .. } = tool else { continue };
        let unknown = |name: &&String| !grants.iter().any(|grant| grant.name == **name);
        if let Some(name) = named.iter().find(unknown) {
            let expected = format!("a tool over grants of this file, and `{}` is not one of them", name.escape_debug());
            return Err(FileError::wrong(&format!("tools[{index}]"), &expected));
        }
    }
    Ok(())
}

impl ToolRequest {
    /// The tool's name, or what it was added as.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Own(name) | Self::Added { name, .. } => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::AgentFile;

    fn tools(list: &str) -> Result<Vec<ToolRequest>, String> {
        let text = format!(
            "name = 'a'\ninstructions = 'b'\ntools = {list}\n[[grant]]\nname = 'docs'\naccess = 'ro'\n[result]\n"
        );
        AgentFile::parse(&text).map(|file| file.tools).map_err(|error| error.to_string())
    }

    #[test]
    fn added_tools_name_their_grants_and_no_other_than_the_files() {
        let added = |name: &str, grants: &[&str]| ToolRequest::Added {
            name: name.into(),
            grants: grants.iter().map(|&grant| grant.into()).collect(),
        };
        let found = tools("['ReadFile', 'added:outline=docs', 'added:plain']").unwrap();
        assert_eq!(found, [ToolRequest::Own("ReadFile".into()), added("outline", &["docs"]), added("plain", &[])]);
        let error = tools("['added:outline=docs,home']").unwrap_err();
        assert!(error.contains("`tools[0]`") && error.contains("`home` is not one of them"), "{error}");
        let error = tools("['added:outline=docs', 'added:outline']").unwrap_err();
        assert!(error.contains("`tools[1]`") && error.contains("twice"), "{error}");
    }
}
