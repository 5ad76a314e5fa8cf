//! The MCP bundle, checked and unpacked by the program that its format comes with.

use super::home::Home;
use super::{Packages, prints, version};
use bailiwick_tests::mcpb;
use serde_json::Value;

#[test]
fn bundle_is_valid_and_its_server_starts_as_the_manifest_says() {
    let (packages, home) = (Packages::all(), Home::new(&[]));
    let directory = home.path().join("extension");
    prints(mcpb().arg("unpack").arg(packages.find(".mcpb")).arg(&directory));
    prints(mcpb().arg("validate").arg(directory.join("manifest.json")));
    let manifest: Value = serde_json::from_slice(&std::fs::read(directory.join("manifest.json")).unwrap()).unwrap();
    let start = &manifest["server"]["mcp_config"];
    let docs = home.path().join("docs").display().to_string();
    // As a client does it.
    let filled = |text: &Value| {
        text.as_str()
            .unwrap()
            .replace("${__dirname}", directory.to_str().unwrap())
            .replace("${user_config.directory}", &docs)
    };
    let program = filled(&start["command"]);
    assert_eq!(prints(home.command(program.as_ref()).arg("--version")), version());
    let grant = filled(&start["args"][2]);
    assert_eq!((&start["args"][0], &start["args"][1]), (&"mcp".into(), &"--grant".into()));
    home.reads_from(program.as_ref(), &[], &grant.replacen("files=", "docs=", 1));
}
