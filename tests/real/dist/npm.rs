//! The npm packages, through `npx`.

use super::home::Home;
use super::registry::Registry;
use super::{Packages, prints, version};
use serde_json::Value;
use std::path::Path;

#[test]
fn npx_runs_it_and_a_client_is_told_of_npx_and_not_of_its_cache() {
    let registry = Registry::npm();
    let home = Home::new(&[Path::new("node"), Path::new("npx")]);
    let npx = home.path().join("bin/npx");
    let options = ["--yes", "--registry", &registry.address, "bailiwick-cli"];
    let run = |arguments: &[&str]| prints(home.command(&npx).args(options).args(arguments));
    assert_eq!(run(&["--version"]), version());
    let itself: Value = serde_json::from_str(&run(&["--json", "self"])).unwrap();
    assert_eq!(
        (&itself["installation"]["by"], &itself["installation"]["cached"]),
        (&"npm".into(), &true.into()),
        "{itself:#}"
    );
    let file: Value = serde_json::from_str(&run(&["mcp", "install", "--client", "cursor", "--print"])).unwrap();
    let entry = &file["mcpServers"]["bailiwick"];
    assert_eq!(entry["command"], npx.to_str().unwrap(), "{entry:#}");
    assert_eq!(entry["args"][1], format!("bailiwick-cli@{}", Packages::all().release.version), "{entry:#}");
    home.reads_over_mcp(&npx, &options);
}

#[test]
fn exit_code_of_the_binary_is_that_of_npx() {
    let registry = Registry::npm();
    let home = Home::new(&[Path::new("node"), Path::new("npx")]);
    let mut npx = home.command(&home.path().join("bin/npx"));
    let output =
        npx.args(["--yes", "--registry", &registry.address, "bailiwick-cli", "no-such-command"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}
