//! `bailiwick mcp install`: the entry is one that starts the server, and nothing else in the file changes.

use bailiwick_tests::{Mcp, World};
use serde_json::{Value, json};
use std::process::Command;

#[test]
fn entry_of_every_client_starts_a_server_and_is_made_once() {
    let world = World::without_generated_code();
    let base = world.base();
    let home = base.join("home");
    let grant = format!("sdk={}:rw", base.join("azure-sdk-for-python").display());
    let specifications = base.join("azure-rest-api-specs");
    for (client, file, servers) in [
        ("vscode", "home/.config/Code/User/mcp.json", "servers"),
        ("claude", "home/.config/Claude/claude_desktop_config.json", "mcpServers"),
        ("copilot", "home/.copilot/mcp-config.json", "mcpServers"),
        ("cursor", "home/.cursor/mcp.json", "mcpServers"),
    ] {
        let install = |further: &[&str]| {
            let mut arguments = vec!["mcp", "install", "--client", client, "--grant", "sdk=azure-sdk-for-python:rw"];
            arguments.extend(["--packages", "azure-rest-api-specs"]);
            arguments.extend(further);
            let home = home.to_str().unwrap();
            world.bailiwick_with(&arguments, &[("HOME", home), ("XDG_CONFIG_HOME", ""), ("COPILOT_HOME", "")]).exits(0)
        };
        let path = base.join(file);
        let printed: Value = serde_json::from_str(&install(&["--print"]).stdout).unwrap();
        assert!(!path.exists(), "{client}: printing writes nothing");
        assert!(install(&[]).stdout.starts_with("added `bailiwick`"));
        let text = std::fs::read_to_string(&path).unwrap();
        let written: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(written, printed);
        assert!(install(&[]).stdout.contains("already"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);

        let entry = &written[servers]["bailiwick"];
        assert_eq!(entry["args"], json!(["mcp", "--grant", grant, "--packages", specifications]), "{client}");
        let mut command = Command::new(entry["command"].as_str().unwrap());
        command.args(entry["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap()));
        command
            .current_dir("/")
            .env("BAILIWICK_STATE_DIR", world.state())
            .env("BAILIWICK_CACHE_DIR", bailiwick_tests::cache());
        assert!(Mcp::over(command, json!({})).tools().contains(&"write_file".to_owned()));
    }
}

#[test]
fn project_has_a_file_of_its_own_and_what_cannot_be_entered_changes_nothing() {
    let world = World::without_generated_code();
    let before = world.snapshot();
    let project = world.project();
    let project = project.to_str().unwrap();
    for (arguments, code, about) in [
        (vec!["--client", "claude", "--project", project], 2, "Claude Desktop has no configuration of projects"),
        (vec!["--client", "vscode", "--project", "no/such"], 2, "`--project` is not a directory"),
        (vec!["--client", "vscode", "--project", project, "--grant", "x=no/such"], 2, "no/such"),
        (vec!["--client", "vscode", "--project", project, "--name", "a b"], 2, "`--name` is `a b`"),
        (vec!["--client", "vscode", "--project", project, "--tool", "nobody"], 2, "no component was added as `nobody`"),
        (
            vec![
                "--client",
                "vscode",
                "--project",
                project,
                "--grant",
                "a=azure-rest-api-specs:rw",
                "--grant",
                "b=azure-rest-api-specs/specification",
            ],
            2,
            "the grant `b` is read-only and lies in `a`",
        ),
    ] {
        let answer = world.bailiwick(&[&["mcp", "install"], &arguments[..]].concat()).exits(code);
        assert!(answer.stderr.contains(about), "{}", answer.stderr);
    }
    before.assert_same(&world.snapshot());
    let answer = world.bailiwick(&["--json", "mcp", "install", "--client", "vscode", "--project", project]).exits(0);
    assert_eq!(answer.json()["change"], "added");
    let text = std::fs::read_to_string(world.project().join(".vscode/mcp.json")).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(written["servers"]["bailiwick"]["type"], "stdio", "{text}");
}

#[test]
fn added_component_is_entered_with_the_grants_that_are_named_for_it() {
    let world = World::without_generated_code();
    let component = concat!(env!("CARGO_MANIFEST_DIR"), "/../components/dist/hostile-guest.wasm");
    let _ = world.bailiwick(&["tool", "add", component, "--name", "Hostile"]).exits(0);
    let install =
        ["mcp", "install", "--client", "vscode", "--print", "--grant", "p=azure-sdk-for-python", "--tool", "Hostile=p"];
    let printed: Value = serde_json::from_str(&world.bailiwick(&install).exits(0).stdout).unwrap();
    let arguments = printed["servers"]["bailiwick"]["args"].as_array().unwrap();
    assert_eq!(arguments[3..], ["--tool", "Hostile=p"], "{printed:#}");
}

#[test]
fn guide_shows_what_is_written() {
    const GUIDE: &str = "../docs/guides/chat-clients.md";
    let world = World::without_generated_code();
    let guide = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(GUIDE)).unwrap();
    let home = world.base().join("home");
    for (client, heading) in
        [("vscode", "VS Code"), ("claude", "Claude Desktop"), ("copilot", "Copilot CLI"), ("cursor", "Cursor")]
    {
        let section = guide.split_once(&format!("\n### {heading}\n")).unwrap().1;
        let section = section.split_once("\n##").unwrap().0;
        let arguments = ["mcp", "install", "--client", client, "--grant", "sdk=azure-sdk-for-python:rw", "--print"];
        let environment = [("HOME", home.to_str().unwrap()), ("XDG_CONFIG_HOME", ""), ("COPILOT_HOME", "")];
        let printed = world.bailiwick_with(&arguments, &environment).exits(0).stdout;
        let entry: Value = serde_json::from_str(&printed).unwrap();
        let servers = entry.as_object().unwrap().values().next().unwrap();
        let program = servers["bailiwick"]["command"].as_str().unwrap();
        let shown = printed.replace(program, "/path/to/bailiwick").replace(world.base().to_str().unwrap(), "/path/to");
        assert!(section.contains(shown.trim()), "{client}: {shown}");
    }
}

#[test]
fn link_of_a_project_is_not_followed_out_of_it_and_what_an_entry_had_is_told() {
    let world = World::without_generated_code();
    let (project, own) = (world.project(), world.base().join("own.json"));
    std::fs::write(&own, "{}").unwrap();
    std::fs::create_dir(project.join(".vscode")).unwrap();
    std::os::unix::fs::symlink(&own, project.join(".vscode/mcp.json")).unwrap();
    let install = ["--json", "mcp", "install", "--client", "vscode", "--project", project.to_str().unwrap()];
    let refused = world.bailiwick(&install).exits(2);
    assert!(refused.stderr.contains("a link leads out of the project"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(&own).unwrap(), "{}");

    std::fs::remove_file(project.join(".vscode/mcp.json")).unwrap();
    let planted = json!({ "servers": { "bailiwick": { "command": "x", "env": { "LD_PRELOAD": "/tmp/x.so" } } } });
    std::fs::write(project.join(".vscode/mcp.json"), planted.to_string()).unwrap();
    assert_eq!(world.bailiwick(&install).exits(0).json()["kept"], json!(["env"]));
    let told = world.bailiwick(&install[1..]).exits(0).stdout;
    assert!(told.contains("decides, too, what is started: `env`"), "{told}");
}
