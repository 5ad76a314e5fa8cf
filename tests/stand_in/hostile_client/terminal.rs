//! Whatever a request, a tool, a build, a repository or the command line says reaches a person's terminal as text.
//!
//! Every command of the program is walked, by its own help, and has to have a line in [`CASES`]: a new one without a
//! hostile case fails here.

#[path = "../../quick/hostile_tools/liar.rs"]
mod liar;

use bailiwick_tests::{World, binary, cache_of};
use liar::Liar;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Clears a screen, writes to a clipboard, rings, turns the order of text round, hides, begins a line anew.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]52;c;aGk=\u{7}\u{202e}\u{200b}\u{2066}\u{feff}\u{e0041}\r\u{9b}31m\u{2028}";
/// The same in a name of a file, in which an end of a line has other troubles.
const IN_A_NAME: &str = "\u{1b}[2J\u{7}\u{202e}\u{200b}";

/// What a terminal would obey, or a reader would not see.
fn is_raw(character: char) -> bool {
    let hidden = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e0fff}');
    hidden || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// What a case shows of the hostile text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// It is there, escaped.
    Escaped,
    /// It need not be: the command says something else.
    Nothing,
}
use Shows::{Escaped, Nothing};

/// A command, its arguments, and what it shows. `@X@` stands for hostile text, `@PACKAGE@`, `@RUN@`, … for what
/// [`Stage`] laid out.
type Case = (&'static str, &'static [&'static str], Shows);

/// In an order in which each finds what it needs.
const CASES: &[Case] = &[
    ("doctor", &[], Escaped),
    ("self", &["@X@"], Escaped),
    ("completions", &["@X@"], Escaped),
    ("manual", &["@X@"], Escaped),
    ("demo", &["--keep=@X@"], Escaped),
    ("knowledge", &["@X@"], Escaped),
    ("setup", &["--package-path", "@X@"], Escaped),
    ("tool list", &[], Nothing),
    ("tool describe", &["@X@"], Escaped),
    ("tool call", &["ReadFile", "--grant", "sdk=@PACKAGE@", "--input", "{\"filePath\":\"sdk/@NAME@\"}"], Escaped),
    ("tool call", &["ListFiles", "--grant", "sdk=@PACKAGE@", "--input", "{\"path\":\"sdk\"}"], Escaped),
    ("tool call", &["@X@", "--grant", "sdk=@X@", "--input", "{}"], Escaped),
    (
        "tool call",
        &["WriteFile", "--grant", "sdk=@PACKAGE@", "--input", "{\"filePath\":\"sdk/x\\u001b[2J\",\"content\":\"\"}"],
        Escaped,
    ),
    ("tool inspect", &["@TOOL@"], Escaped),
    ("tool add", &["@X@"], Escaped),
    ("tool add", &["@TOOL@"], Nothing),
    ("tool list", &[], Nothing),
    ("tool describe", &["Lure"], Escaped),
    ("tool call", &["Lure", "--input", "{}"], Escaped),
    ("tool approve", &["@X@"], Escaped),
    ("tool update", &["Lure", "@X@"], Escaped),
    ("tool push", &["@X@", "oci://@X@"], Escaped),
    ("tool revoke", &["@X@"], Escaped),
    ("tool remove", &["@X@"], Escaped),
    ("tool new", &["@X@", "--lang", "rust"], Escaped),
    ("tool build", &["@X@"], Escaped),
    ("tool test", &["@X@"], Escaped),
    ("tool requests", &[], Nothing),
    ("tool dismiss", &["@X@"], Escaped),
    ("tool secret set", &["@X@", "--host", "@X@"], Escaped),
    ("tool secret list", &[], Nothing),
    ("tool secret remove", &["@X@"], Escaped),
    ("tool schema", &[], Nothing),
    ("package show", &["--package-path", "@PACKAGE@"], Escaped),
    ("package show", &["--package-path", "@ODD@"], Escaped),
    ("package build", &["--package-path", "@PACKAGE@"], Escaped),
    ("package generate", &["--package-path", "@ODD@"], Escaped),
    ("package customize", &["--package-path", "@PACKAGE@", "--customization-request", "hide @X@\nfrom it"], Nothing),
    ("package customize", &["--package-path", "@ODD@", "--customization-request", "@X@"], Escaped),
    (
        "package customize",
        &["--typespec-project-path", "@X@", "--edit-scope", "SpecInputs", "--scope", "python", "--hide", "@X@"],
        Escaped,
    ),
    ("package fix", &["--package-path", "@PACKAGE@", "--errors", "@X@"], Escaped),
    ("package test", &["--package-path", "@ODD@"], Escaped),
    ("package convert", &["--swagger-readme", "@X@", "--output-dir", "@X@"], Escaped),
    ("package init", &["--sdk-repo-path", "@X@", "--typespec-project-path", "@X@"], Escaped),
    ("package update changelog", &["--package-path", "@PACKAGE@"], Escaped),
    ("package update version", &["--package-path", "@PACKAGE@", "--version", "@X@"], Escaped),
    ("package update metadata", &["--package-path", "@ODD@"], Escaped),
    ("package workflow", &["--workflow-id", "@X@"], Escaped),
    ("package workflow", &["--package-path", "@PACKAGE@", "--request", "mend @X@"], Nothing),
    ("fleet plan", &["--sdk", "@X@", "--do", "generate"], Escaped),
    ("fleet run", &["@X@"], Escaped),
    ("fleet status", &["@X@"], Escaped),
    ("fleet resume", &["@X@"], Escaped),
    ("fleet cancel", &["@X@", "@X@"], Escaped),
    ("fleet report", &["@X@"], Escaped),
    ("fleet collect", &["--branch", "@X@", "@X@"], Escaped),
    ("worker", &["@X@", "--shard", "1/2", "--results", "@X@"], Escaped),
    ("review", &["--port", "@X@"], Escaped),
    ("run list", &[], Escaped),
    ("run show", &["@RUN@"], Escaped),
    ("run show", &["@X@"], Escaped),
    ("run report", &["@RUN@", "--format", "markdown"], Nothing),
    ("run report", &["@RUN@", "--format", "html"], Nothing),
    ("run approve", &["@X@"], Escaped),
    ("run revert", &["@X@"], Escaped),
    ("audit show", &[], Nothing),
    ("audit verify", &["--head", "@X@"], Escaped),
    ("agent run", &["@AGENT@"], Escaped),
    ("agent run", &["@X@"], Escaped),
    ("agent list", &[], Nothing),
    ("agent resume", &["@X@"], Escaped),
    ("mcp", &["--packages", "@X@"], Escaped),
    ("mcp", &["--grant", "x=@X@"], Escaped),
    ("mcp install", &["--client", "vscode", "--name", "@X@"], Escaped),
    ("mcp install", &["--client", "vscode", "--project", "@PROJECT@", "--print"], Escaped),
    // Makes a directory of that name, so it comes last.
    ("fleet step", &["github", "--output", "@X@"], Escaped),
];

/// Two repositories, a tool, an agent and programs, each of which says hostile things.
struct Stage {
    world: World,
    run: String,
}

impl Stage {
    fn set() -> Self {
        let world = World::standing_in();
        let package = world.package();
        let line = json!({ "file": "azure/widget/_patch.py", "line": 1, "message": HOSTILE, "code": HOSTILE });
        let script = json!({ "build": vec![json!([line]); 8], "generate": [] });
        fs::write(package.join("stand-in.json"), script.to_string()).unwrap();
        fs::write(package.join(format!("notes{IN_A_NAME}.txt")), HOSTILE).unwrap();
        let location = fs::read_to_string(package.join("tsp-location.yaml")).unwrap();
        let location: String =
            location.lines().filter(|line| !line.starts_with("repo:")).map(|line| format!("{line}\n")).collect();
        // As YAML escapes it.
        let odd_name: String = HOSTILE.chars().map(|character| format!("\\U{:08x}", u32::from(character))).collect();
        fs::write(
            package.join("tsp-location.yaml"),
            format!("{location}repo: \"Azure/azure-rest-api-specs{odd_name}\"\n"),
        )
        .unwrap();
        // A package in a directory with a hostile name, and a project with a hostile configuration of a client.
        let odd = package.with_file_name(format!("odd{IN_A_NAME}"));
        fs::create_dir(&odd).unwrap();
        fs::copy(package.join("tsp-location.yaml"), odd.join("tsp-location.yaml")).unwrap();
        let project = world.base().join("project/.vscode");
        fs::create_dir_all(&project).unwrap();
        let clients =
            format!("{{ // {HOSTILE}\u{9b}\n \"servers\": {{ {}: {{ \"command\": \"x\" }} }} }}\n", json!(HOSTILE));
        fs::write(project.join("mcp.json"), clients.replace('\r', "")).unwrap();
        let eng = world.base().join("azure-sdk-for-python/eng");
        let options = json!({ "updateChangelogContentScript": { "command": "sh ../../../eng/say.sh" }, "updateVersionScript": { "command": "sh ../../../eng/say.sh" } });
        fs::write(eng.join("swagger_to_sdk_config.json"), json!({ "packageOptions": options }).to_string()).unwrap();
        program(&eng.join("say.sh"), 1);
        for name in ["git", "node", "npm", "python3", "javac", "mvn", "dotnet", "go"] {
            program(&world.base().join("programs").join(name), 0);
        }
        let lure = Liar {
            description: HOSTILE.into(),
            answer: json!({ "n": 1, "said": HOSTILE }).to_string(),
            ..Liar::new("Lure")
        };
        fs::write(world.base().join("lure.wasm"), lure.component()).unwrap();
        let agent = format!("name = \"x\"\n{} = 1\n", json!(HOSTILE));
        fs::write(world.base().join("agent.toml"), agent).unwrap();
        let mut stage = Self { world, run: String::new() };
        // A run on record, whose request is hostile.
        let request = format!("mend this{HOSTILE}\nstatus     approved");
        let package = package.to_str().unwrap().to_owned();
        let _ = stage.world.bailiwick(&["package", "fix", "--package-path", &package, "--errors", &request]);
        let listed = stage.world.bailiwick(&["--json", "run", "list"]).exits(0).json();
        listed[0]["id"].as_str().unwrap_or_else(|| panic!("{listed:#}")).clone_into(&mut stage.run);
        stage
    }

    /// An argument with what it stands for.
    fn argument(&self, argument: &str) -> String {
        let package = self.world.package();
        let odd = package.with_file_name(format!("odd{IN_A_NAME}"));
        // In JSON a hostile name is written by escapes.
        let name = json!(format!("notes{IN_A_NAME}.txt")).to_string();
        argument
            .replace("@PACKAGE@", package.to_str().unwrap())
            .replace("@ODD@", odd.to_str().unwrap())
            .replace("@NAME@", name.trim_matches('"'))
            .replace("@TOOL@", self.world.base().join("lure.wasm").to_str().unwrap())
            .replace("@AGENT@", self.world.base().join("agent.toml").to_str().unwrap())
            .replace("@PROJECT@", self.world.base().join("project").to_str().unwrap())
            .replace("@RUN@", &self.run)
            .replace("@X@", HOSTILE)
    }

    /// Runs a command; nothing raw may come of it. Returns stdout and stderr.
    #[track_caller]
    fn run(&self, path: &str, arguments: &[String], options: &[&str]) -> String {
        let base = self.world.base();
        let mut command = Command::new(binary());
        for variable in
            ["CI", "BAILIWICK_LOG", "BAILIWICK_MODEL", "BAILIWICK_CONFIG", "BAILIWICK_KEY_FILE", "XDG_RUNTIME_DIR"]
        {
            command.env_remove(variable);
        }
        if path == "doctor" {
            command.env("PATH", base.join("programs"));
        }
        command
            .args(options)
            .args(path.split(' '))
            .args(arguments)
            .current_dir(base)
            .env("BAILIWICK_STATE_DIR", self.world.state())
            .env("BAILIWICK_CACHE_DIR", cache_of(base))
            .env("XDG_CONFIG_HOME", base.join("configuration"))
            .stdin(Stdio::null());
        let output = command.output().unwrap();
        let mut said = String::new();
        for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            let text = String::from_utf8(bytes.clone()).unwrap();
            let raw: BTreeSet<char> = text.chars().filter(|character| is_raw(*character)).collect();
            assert!(raw.is_empty(), "`{path}` {options:?} has {raw:?} on {stream}:\n{text:?}");
            assert!(!text.contains("panicked"), "`{path}`: {text}");
            said.push_str(&text);
        }
        said
    }
}

/// A program that says hostile things and ends with this code.
fn program(path: &Path, code: u8) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let said: String = HOSTILE.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    fs::write(path, format!("#!/bin/sh\nprintf '1.0 {said}\\n'\nprintf '{said}\\n' >&2\nexit {code}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Whether hostile text is there, as escapes of text or of JSON.
fn shows(said: &str) -> bool {
    said.contains("\\u{1b}[2J") || said.contains("\\u001b[2J")
}

/// Every command that does something, by the program's own help.
fn commands(stage: &Stage, path: &str) -> Vec<String> {
    let help = stage.run(path, &["--help".into()], &[]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| line.starts_with("  "));
    // A line that goes on stands further in.
    let names = listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    let names: Vec<_> = names.filter(|name| *name != "help").map(str::to_owned).collect();
    let below = names.iter().flat_map(|name| commands(stage, format!("{path} {name}").trim()));
    // `mcp` does something itself, and has a command.
    let own = (names.is_empty() || path == "mcp").then(|| path.to_owned());
    own.into_iter().chain(below).collect()
}

#[test]
fn everything_reaches_a_terminal_only_as_text() {
    let stage = Stage::set();
    // Only `--help` of the program itself stands before any command.
    let program = stage.run("help", &[], &[]);
    assert!(program.contains("Commands:"), "{program}");
    let first: Vec<_> = program
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    let all: BTreeSet<String> = first.iter().flat_map(|name| commands(&stage, name)).collect();
    let tried: BTreeSet<String> = CASES.iter().map(|(path, ..)| (*path).to_owned()).collect();
    assert_eq!(tried, all, "every command has a hostile case here");

    for path in &all {
        // What clap repeats of the command line.
        for options in [&[][..], &["--json"]] {
            let said = stage.run(path, &[format!("--{HOSTILE}")], options);
            assert!(shows(&said), "`{path}` {options:?} says nothing of it: {said}");
        }
    }
    for (path, arguments, expected) in CASES {
        let arguments: Vec<_> = arguments.iter().map(|argument| stage.argument(argument)).collect();
        for options in [&["--log", "debug"][..], &["--json"]] {
            let said = stage.run(path, &arguments, options);
            assert!(
                *expected == Nothing || shows(&said),
                "`{path}` {arguments:?} {options:?} does not show it:\n{said}"
            );
        }
    }
    // What decides about a run stands by itself: a request does not look like what is said of it.
    let shown = stage.run("run show", std::slice::from_ref(&stage.run), &[]);
    assert_eq!(shown.lines().filter(|line| line.starts_with("status")).count(), 1, "{shown}");
}
