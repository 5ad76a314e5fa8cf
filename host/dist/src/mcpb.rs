//! The MCP bundle: a zip archive that desktop clients install by a double click. Its manifest is described at
//! <https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md>.

use crate::archive::{Tree, zip};
use crate::{COMMAND, DistError, Package, Release, SUMMARY};
use serde_json::{Value, json};

/// Makes the bundle. The client asks its user for the directories that the file tools may use.
///
/// # Errors
/// It cannot be written.
pub fn mcpb(release: &Release) -> Result<Package, DistError> {
    let file = format!("{COMMAND}-{}-linux-{}.mcpb", release.version, release.machine.npm());
    let mut tree = Tree::default();
    tree.file("manifest.json", format!("{:#}\n", manifest(release)));
    tree.program(format!("server/{COMMAND}"), release.binary.clone());
    tree.file("LICENSE", release.licence.as_bytes());
    tree.file("THIRD-PARTY.txt", release.notices.as_bytes());
    tree.file("sbom.cdx.json", release.sbom.as_bytes());
    Package::made(file, zip(&tree, release.effort, ""))
}

fn manifest(release: &Release) -> Value {
    json!({
        "manifest_version": "0.3",
        "name": COMMAND,
        "display_name": "Bailiwick",
        "version": release.version,
        "description": SUMMARY,
        "author": { "name": "The bailiwick authors" },
        "license": "MIT",
        "server": {
            "type": "binary",
            "entry_point": format!("server/{COMMAND}"),
            "mcp_config": {
                "command": format!("${{__dirname}}/server/{COMMAND}"),
                "args": ["mcp", "--grant", "files=${user_config.directory}:rw"],
                "env": {}
            }
        },
        "tools_generated": true,
        "user_config": {
            "directory": {
                "type": "directory",
                "title": "Directory",
                "description": "The directory that the file tools may read and write. They reach nothing outside of it.",
                "required": true
            }
        },
        "compatibility": { "platforms": ["linux"] }
    })
}
