//! The worked examples in `examples/tools`, one per language: built, tested by their own cases, added, approved, used by an
//! agent and by a client over MCP.

use super::tool_new::exits;
use bailiwick_tests::{Mcp, binary, cache, text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// Each with the directory that it asks for.
const TOOLS: [(&str, &str); 3] =
    [("diagnostics-summary", "logs"), ("changelog-writer", "package"), ("typespec-style", "spec")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn bailiwick(base: &Path, arguments: &[&str]) -> Output {
    Command::new(binary())
        .args(arguments)
        .current_dir(base)
        .env("BAILIWICK_STATE_DIR", base.join("state"))
        .env("BAILIWICK_CACHE_DIR", cache())
        .output()
        .unwrap()
}

/// What belongs to the repository, without what building leaves there.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        let made = name == "target" || name == "__pycache__" || path.extension().is_some_and(|it| it == "wasm");
        if path.is_dir() && !made {
            copy(&path, &to.join(name));
        } else if !made {
            let _ = fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

#[test]
fn contributed_tools_pass_their_cases_and_work_for_an_agent_and_a_client() {
    let base = tempfile::Builder::new().prefix("bailiwick-contributed-").tempdir().unwrap();
    let base = base.path();
    // The tool in Rust depends on the SDK by its path.
    copy(&root().join("components/tool-sdk"), &base.join("components/tool-sdk"));
    let _ = fs::copy(root().join("components/Cargo.toml"), base.join("components/Cargo.toml")).unwrap();
    members_alone(&base.join("components/Cargo.toml"));
    copy(&root().join("examples"), &base.join("examples"));
    for (tool, _) in TOOLS {
        let started = Instant::now();
        let directory = format!("examples/tools/{tool}");
        let (stdout, _) = exits(&bailiwick(base, &["--json", "tool", "test", &directory]), 0);
        let report: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(report["failed"], 0, "{report:#}");
        assert!(report["passed"].as_u64().unwrap() >= 5, "{report:#}");
        println!("{tool}: built and tested in {:.0} s", started.elapsed().as_secs_f64());
        approved(base, tool, &directory);
    }
    agent_uses_them(base);
    client_uses_them(base);
}

/// The workspace of the copy has one member.
fn members_alone(manifest: &Path) {
    let text = fs::read_to_string(manifest).unwrap();
    let (before, rest) = text.split_once("members = [").unwrap();
    let (_, after) = rest.split_once(']').unwrap();
    fs::write(manifest, format!("{before}members = [\"tool-sdk\"]{after}")).unwrap();
}

/// Added with its manifest, refused until a person has looked at it, then approved as what was looked at.
fn approved(base: &Path, tool: &str, directory: &str) {
    exits(&bailiwick(base, &["tool", "add", directory]), 0);
    let offered = bailiwick(base, &["tool", "call", tool, "--input", "{}"]);
    let (_, said) = exits(&offered, 3);
    assert!(said.contains("is not approved yet"), "{said}");
    let (stdout, _) = exits(&bailiwick(base, &["--json", "tool", "inspect", tool]), 0);
    let review: Value = serde_json::from_str(&stdout).unwrap();
    exits(&bailiwick(base, &["tool", "approve", tool, "--reviewed", review["review"].as_str().unwrap()]), 0);
}

fn agent_uses_them(base: &Path) {
    let package = base.join("package");
    fs::create_dir(&package).unwrap();
    let file = "examples/agents/before-release/agent.toml";
    let input = json!({ "version": "1.0.0b1", "features": ["Added `WidgetClient`."] }).to_string();
    let run = ["agent", "run", file, "--grant", "package=package:rw", "--input", &input];
    let (stdout, _) = exits(&bailiwick(base, &run), 0);
    let result: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(result, json!({ "errors": 3, "problems": 1, "entered": ["Added `WidgetClient`."] }));
    let changelog = fs::read_to_string(package.join("CHANGELOG.md")).unwrap();
    assert!(changelog.starts_with("# Release History\n\n## 1.0.0b1 (Unreleased)\n"), "{changelog}");

    // A tool has the directory that the agent file names for it and not the agent's others.
    let steps = base.join("examples/agents/before-release/steps.toml");
    let other = fs::read_to_string(&steps).unwrap().replace("logs/build.txt", "package/CHANGELOG.md");
    fs::write(&steps, other).unwrap();
    let (_, said) = exits(&bailiwick(base, &run), 1);
    assert!(said.contains("not-permitted") || said.contains("not-found"), "{said}");
}

fn client_uses_them(base: &Path) {
    for (directory, file, content) in [
        ("logs", "build.txt", "a.py:1: error: No  [x]\n"),
        ("spec", "main.tsp", "model Widget {\n\tname: string;\n}\n"),
    ] {
        fs::create_dir_all(base.join(directory)).unwrap();
        fs::write(base.join(directory).join(file), content).unwrap();
    }
    let mut arguments: Vec<String> = Vec::new();
    for (tool, directory) in TOOLS {
        let access = if directory == "logs" { "ro" } else { "rw" };
        arguments.extend(["--grant".into(), format!("{directory}={directory}:{access}")]);
        arguments.extend(["--tool".into(), format!("{tool}={directory}")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = bailiwick_tests::server(base, &arguments);
    command.env("BAILIWICK_CACHE_DIR", cache());
    let mut client = Mcp::over(command, json!({}));
    let mut call = |tool: &str, input: Value| client.call(tool, input);
    let summary = call("diagnostics-summary", json!({ "file": "logs/build.txt" }));
    assert!(text(&summary).contains("\"errors\":1"), "{summary:#}");
    let style = call("typespec-style", json!({ "path": "spec", "fix": true }));
    assert!(text(&style).contains("spec/main.tsp"), "{style:#}");
    assert_eq!(fs::read_to_string(base.join("spec/main.tsp")).unwrap(), "model Widget {\n  name: string;\n}\n");
    let input = json!({ "file": "package/CHANGELOG.md", "version": "1.0.0b1", "fixes": ["Mended."] });
    let entered = call("changelog-writer", input);
    assert!(text(&entered).contains("Mended."), "{entered:#}");
    assert!(fs::read_to_string(base.join("package/CHANGELOG.md")).unwrap().contains("### Bugs Fixed\n\n- Mended."));
    let outside = call("diagnostics-summary", json!({ "file": "../package/CHANGELOG.md" }));
    assert_eq!(outside["isError"], true, "{outside:#}");
}
