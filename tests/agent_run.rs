//! `bailiwick agent run`: an agent in a file gets what it asks for and what a person allows, whichever is less.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use bailiwick_tests::{Answer, World};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A directory `desk` with an agent file and what lies beside it, and a canary outside of it.
struct Desk {
    world: World,
}

/// The beginning of an agent file that reads a directory beside it, and a script for it.
const READER: &str = r#"
name = "reader"
instructions = "Read the note and hand it in."
tools = ["ReadFile", "WriteFile"]
model = "script:steps.toml"
"#;
const NOTES: &str = "[[grant]]\nname = \"notes\"\npath = \"notes\"\naccess = \"ro\"\n";
const RESULT: &str = "[result]\ntype = \"string\"\n";
const READS: &str = r#"
[[step]]
id = "note"
tool = "ReadFile"
arguments = { filePath = "notes/note.txt" }
[exit]
result = "${note.content}"
"#;
/// Tries to write and hands in what came of it.
const WRITES: &str = r#"
[[step]]
id = "written"
tool = "WriteFile"
arguments = { filePath = "notes/note.txt", content = "overwritten" }
may-fail = true
[exit]
result = "${written.error.kind}"
"#;

impl Desk {
    fn new() -> Self {
        let desk = Self { world: World::without_generated_code() };
        fs::create_dir_all(desk.path("notes")).unwrap();
        desk.write("notes/note.txt", "remember");
        desk.write("steps.toml", READS);
        fs::create_dir(desk.world.base().join("outside")).unwrap();
        fs::write(desk.world.base().join("outside/note.txt"), "canary").unwrap();
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.world.base().join("desk").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    /// Runs `agent.toml` with this text.
    fn run(&self, text: &str, further: &[&str]) -> Answer {
        self.write("agent.toml", text);
        let mut arguments = vec!["agent", "run", "desk/agent.toml"];
        arguments.extend(further);
        self.world.bailiwick(&arguments)
    }

    /// The same, expected to end before anything runs: one sentence, a hint, no call on record, and nothing touched.
    #[track_caller]
    fn starts_nothing(&self, text: &str, further: &[&str], code: i32, said: &str) {
        let answer = self.run(text, further).exits(code);
        assert!(answer.stderr.starts_with("error: "), "{}", answer.stderr);
        assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
        assert!(!answer.stderr.contains('\u{1b}'), "{:?}", answer.stderr);
        assert!(answer.stderr.contains(said), "`{said}` is not in: {}", answer.stderr);
        assert_eq!(answer.stderr.lines().filter(|line| !line.is_empty()).count(), 2, "{}", answer.stderr);
        assert!(answer.stdout.is_empty(), "{}", answer.stdout);
        assert_eq!(records(&self.world), Vec::<Value>::new());
        assert!(!self.world.state().join("agent-runs").exists());
        assert_eq!(fs::read_to_string(self.path("notes/note.txt")).unwrap(), "remember");
        assert_eq!(fs::read_to_string(self.world.base().join("outside/note.txt")).unwrap(), "canary");
    }
}

fn records(world: &World) -> Vec<Value> {
    let text = fs::read_to_string(world.state().join("audit/audit-000001.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/agents")
}

fn agent(examples: &Path, name: &str) -> String {
    examples.join(name).join("agent.toml").to_str().unwrap().to_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            let _ = fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn readme_example_writes_where_it_was_allowed_to_and_nowhere_else() {
    let world = World::without_generated_code();
    let project = world.base().join("project");
    copy(&examples().join("readme/sample"), &project);
    let (file, grant) = (agent(&examples(), "readme"), "project=project");
    let input = json!({"title": "Clock", "summary": "Tells the ${input.title}."}).to_string();

    let refused = world.bailiwick(&["agent", "run", &file, "--grant", grant, "--input", &input]).exits(3);
    assert!(refused.stderr.contains("--grant project="), "{}", refused.stderr);
    assert!(!project.join("README.md").exists());

    let writable = format!("{grant}:rw");
    let answer = world.bailiwick(&["agent", "run", &file, "--grant", &writable, "--input", &input]).exits(0);
    assert_eq!(answer.json(), json!({"path": "project/README.md", "outcome": "created", "modules": 2}));
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    assert_eq!(readme, "# Clock\n\nTells the ${input.title}.\n\n## Modules\n\n- src/clock.py\n- tick.py\n");

    let again =
        world.bailiwick(&["--json", "agent", "run", &file, "--grant", grant, "--yes", "--input", &input]).exits(0);
    let again = again.json();
    assert_eq!(again["result"]["outcome"], "replaced");
    let runs: Vec<_> = records(&world).iter().map(|record| record["run"].as_str().unwrap().to_owned()).collect();
    assert_eq!(runs.len(), 4);
    assert_eq!(runs[3], again["run"]["runId"].as_str().unwrap());
    assert_ne!(runs[0], runs[3]);
    let transcript = world.state().join("agent-runs").join(format!("{}.jsonl", runs[3]));
    assert!(fs::read_to_string(transcript).unwrap().contains("script:steps.toml"));
}

#[test]
fn spelling_example_needs_the_sensitive_place_asked_for_and_allowed() {
    let world = World::without_generated_code();
    let docs = world.base().join("docs");
    copy(&examples().join("spelling/sample"), &docs);
    let file = agent(&examples(), "spelling");
    let findings = format!("@{}", examples().join("spelling/findings.json").display());
    let arguments = ["agent", "run", &file, "--grant", "docs=docs:rw", "--input", &findings];

    let refused = world.bailiwick(&arguments).exits(3);
    assert!(refused.stderr.contains("--allow-sensitive .vscode/cspell.json"), "{}", refused.stderr);
    assert!(fs::read_to_string(docs.join("guide.md")).unwrap().contains("recieves"));

    let mut allowed = arguments.to_vec();
    allowed.extend(["--allow-sensitive", ".vscode/cspell.json"]);
    let answer = world.bailiwick(&allowed).exits(0);
    assert_eq!(answer.json(), json!({"fixed": 2, "added": ["bailiwick", "preopen"]}));
    let guide = fs::read_to_string(docs.join("guide.md")).unwrap();
    assert_eq!(guide, "# Guide\n\nA bailiwick receives its preopen once. Two of them are separate.\n");
    let settings: Value = serde_json::from_str(&fs::read_to_string(docs.join(".vscode/cspell.json")).unwrap()).unwrap();
    assert_eq!(settings["words"], json!(["bailiwick", "preopen"]));
}

#[test]
fn dependency_example_reads_and_its_instructed_write_is_refused_and_on_record() {
    let world = World::without_generated_code();
    let desk = world.base().join("agents");
    copy(&examples(), &desk);
    let answer = world.bailiwick(&["agent", "run", &agent(&desk, "dependencies")]).exits(0);
    let dependencies = json!(["azure-core>=1.30", "typing-extensions>=4.6", "isodate==0.7.2"]);
    assert_eq!(answer.json(), json!({"dependencies": dependencies, "refused": "not-permitted"}));
    assert!(!desk.join("dependencies/sample/DEPENDENCIES.md").exists());
    let records = records(&world);
    assert_eq!(records.len(), 2);
    assert_eq!((&records[1]["tool"], &records[1]["outcome"]["kind"]), (&json!("WriteFile"), &json!("not-permitted")));
    assert_eq!(records[1]["grants"][0]["access"], "read-only");
    assert!(!records[1]["denied"].as_array().unwrap().is_empty());
}

#[test]
fn dry_run_says_what_an_agent_would_get_and_runs_nothing() {
    let world = World::without_generated_code();
    fs::create_dir(world.base().join("docs")).unwrap();
    let file = agent(&examples(), "spelling");
    let input = json!({"fixes": [], "words": ["x"]}).to_string();
    let arguments = ["agent", "run", &file, "--grant", "docs=docs", "--input", &input, "--dry-run"];
    let plan = world.bailiwick(&arguments).exits(3).json();
    assert_eq!(plan["tools"], json!(["ReadFile", "CodePatch", "UpdateCspellWords"]));
    assert_eq!((&plan["grants"][0]["access"], &plan["grants"][0]["allowed"]), (&json!("rw"), &json!(false)));
    let mut allowed = arguments.to_vec();
    allowed.extend(["--yes", "--allow-sensitive", ".vscode/cspell.json"]);
    let plan = world.bailiwick(&allowed).exits(0).json();
    assert_eq!(plan["grants"][0]["allowed"], true);
    assert!(records(&world).is_empty());
    assert!(!world.base().join("docs/.vscode").exists());
}

#[test]
fn directory_beside_the_file_is_read_without_a_word() {
    let desk = Desk::new();
    let answer = desk.run(&format!("{READER}{NOTES}{RESULT}"), &[]).exits(0);
    assert_eq!(answer.json(), "remember");
    assert!(answer.stderr.contains("  ReadFile notes/note.txt\n"), "{}", answer.stderr);
}

#[test]
fn malformed_files_name_the_field_and_start_nothing() {
    let desk = Desk::new();
    let whole = format!("{READER}{NOTES}{RESULT}");
    for (from, to, said) in [
        ("name = \"reader\"", "name = reader", "line 2, column "),
        ("name = \"reader\"", "name = \"re/ader\"", "`name` has to be"),
        ("name = \"reader\"", "nmae = \"reader\"", "did you mean `name`"),
        ("instructions", "instuctions", "did you mean `instructions`"),
        ("instructions = \"Read the note and hand it in.\"", "", "`instructions` is missing"),
        ("path = \"notes\"", "path = \"no\\u001b[2Jte\"", "`grant[0].path`: cannot open"),
        (
            "instructions = \"Read the note and hand it in.\"",
            "[template]\nid = \"no-such\"",
            "`template.tools` is no key",
        ),
        ("tools = [\"ReadFile\", \"WriteFile\"]", "tools = \"ReadFile\"", "`tools` has to be a list"),
        ("\"WriteFile\"", "\"WritFile\"", "did you mean `WriteFile`"),
        ("\"WriteFile\"", "\"ReadFile\"", "`tools[1]` has to be"),
        (
            "access = \"ro\"",
            "acess = \"ro\"",
            "`grant[0].acess` is no key of an agent file; did you mean `grant[0].access`",
        ),
        ("access = \"ro\"", "", "`grant[0].access` is missing"),
        ("access = \"ro\"", "access = \"r\"", "`grant[0].access` has to be"),
        ("access = \"ro\"", "access = \"ro\"\nallow-sensitive = [\".git\"]", "`grant[0].allow-sensitive` has to be"),
        ("path = \"notes\"", "path = \"note\"", "`grant[0].path`: cannot open"),
        ("path = \"notes\"", "path = \"steps.toml\"", "`grant[0].path`: cannot open"),
        ("path = \"notes\"", "", "nobody said which directory `notes` is"),
        ("path = \"notes\"", "path = \"{folder}\"", "the input has no text `folder`"),
        ("[result]", "[limits]\ntool-cals = 3\n[result]", "did you mean `limits.tool-calls`"),
        (
            "[result]",
            "[limits]\ntool-calls = 0\n[result]",
            "`limits.tool-calls` has to be a whole number from 1 to 10000",
        ),
        ("[result]", "[limits]\nseconds = 1e9\n[result]", "`limits.seconds` has to be"),
        (
            "[result]",
            "[limits.call]\nmemory-mib = 65\n[result]",
            "`limits.call.memory-mib` has to be a whole number from 1 to 64",
        ),
        ("[result]\ntype = \"string\"", "", "`result` is missing"),
        ("type = \"string\"", "type = \"strin\"", "`result` is no usable JSON Schema"),
        ("type = \"string\"", "\"$ref\" = \"https://example.com/x.json\"", "`result` is no usable JSON Schema"),
        ("type = \"string\"", "file = \"no-such.json\"", "`result.file`: cannot read `no-such.json`"),
        ("script:steps.toml", "script:no-such.toml", "`model`: cannot read `no-such.toml`"),
        ("script:steps.toml", "no-such-model", "no-such-model"),
        ("script:steps.toml", "mechanic", "`mechanic` only customizes packages"),
        ("model = \"script:steps.toml\"", "", "no model is chosen"),
    ] {
        assert!(whole.contains(from), "{from}");
        desk.starts_nothing(&whole.replacen(from, to, 1), &[], 2, said);
    }
}

#[test]
fn instructions_come_from_a_template_with_parameters_from_the_input() {
    let desk = Desk::new();
    let template = |id: &str, findings: &str| {
        let table = format!("[template]\nid = {id:?}\nparameters = {{ findings = {findings} }}\n");
        let text = READER.replacen("instructions = \"Read the note and hand it in.\"\n", "", 1);
        format!("{text}{table}{NOTES}{RESULT}[input]\ntype = \"object\"\n")
    };
    for (id, findings, said) in [
        ("speling", "[]", "did you mean `spelling`"),
        ("spelling", "3", "each is a text or a list of texts"),
        ("spelling", "\"one\"", "`template.parameters`: "),
        ("spelling", "\"{found}\"", "`template.parameters.findings` has to be"),
    ] {
        desk.starts_nothing(&template(id, findings), &[], 2, said);
    }
    let input = json!({"found": ["note.txt:1:1 - Unknown word (wigdet)"]}).to_string();
    let _ = desk.run(&template("spelling", "\"{found}\""), &["--input", &input]).exits(0);
    let run = records(&desk.world)[0]["run"].as_str().unwrap().to_owned();
    let transcript = fs::read_to_string(desk.world.state().join(format!("agent-runs/{run}.jsonl"))).unwrap();
    assert!(transcript.contains("wigdet") && transcript.contains("\"spelling\""), "{transcript}");
}

#[test]
fn unusable_command_lines_name_the_way_out_and_start_nothing() {
    let desk = Desk::new();
    let whole = format!("{READER}{NOTES}{RESULT}");
    for (further, said) in [
        (&["--grant", "note=outside"][..], "did you mean `--grant notes=outside`"),
        (&["--grant", "notes"], "is not a grant"),
        (&["--grant", "notes="], "is not a grant"),
        (&["--grant", "notes=no-such"], "cannot open `no-such`"),
        (&["--grant", "notes=outside:rw"], "asks for `notes` to read it alone"),
        (&["--grant", "notes=outside", "--grant", "notes=desk"], "is there twice"),
        (&["--input", "{}"], "the agent takes no input"),
        (&["--allow-sensitive", ".git"], "does not ask to write `.git`"),
        (&["--model", "no-such-model"], "no-such-model"),
        (&["--model", "script:no-such.toml"], "cannot read the script"),
    ] {
        desk.starts_nothing(&whole, further, 2, said);
    }
    let input = "[input]\ntype = \"object\"\nrequired = [\"word\"]\n";
    for (further, said) in [
        (&[][..], "\"word\""),
        (&["--input", "{"], "`--input` is not JSON"),
        (&["--input", "{\"wrd\": 1}"], "\"word\""),
        (&["--input", "@no-such.json"], "no-such.json"),
    ] {
        let answer = desk.run(&format!("{whole}{input}"), further).exits(2);
        assert!(answer.stderr.starts_with("error: ") && answer.stderr.contains(said), "{}", answer.stderr);
        assert!(records(&desk.world).is_empty());
    }
    let _ = desk.world.bailiwick(&["agent", "run", "no-such.toml"]).exits(2);
    let _ = desk.world.bailiwick(&["agent", "run", "desk"]).exits(2);
}

#[test]
fn file_cannot_ask_for_what_lies_outside_its_directory() {
    let desk = Desk::new();
    symlink("../outside", desk.path("link")).unwrap();
    symlink("notes", desk.path("inner")).unwrap();
    fs::create_dir(desk.path("sub")).unwrap();
    symlink("../..", desk.path("sub/up")).unwrap();
    let at =
        |path: &str| format!("{READER}{NOTES}{RESULT}").replacen("path = \"notes\"", &format!("path = {path:?}"), 1);
    for path in ["/", "/etc", "..", "../outside", "notes/../../outside", "", "./..", "{a/b}"] {
        desk.starts_nothing(&at(path), &[], 2, "`grant[0].path` has to be a path beneath");
    }
    let state = desk.world.state();
    desk.starts_nothing(&at(state.to_str().unwrap()), &[], 2, "`grant[0].path` has to be a path beneath");
    for path in ["link", "inner", "sub/up", "sub/up/outside", "link/."] {
        desk.starts_nothing(&at(path), &[], 3, "leads, by its words or by a link, out of");
    }
}

#[test]
fn input_cannot_name_what_lies_outside_the_working_directory() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}[input]\ntype = \"object\"\n").replacen(
        "\"notes\"\naccess",
        "\"{folder}\"\naccess",
        1,
    );
    for path in ["/", "..", "../..", "desk/../..", "/etc"] {
        desk.starts_nothing(&text, &["--input", &json!({"folder": path}).to_string()], 3, "out of");
    }
    for input in ["{}", "{\"folder\": \"\"}", "{\"folder\": 1}", "[]"] {
        let answer = desk.run(&text, &["--input", input]).exits(2);
        assert!(answer.stderr.starts_with("error: "), "{}", answer.stderr);
    }
    let answer = desk.run(&text, &["--input", "{\"folder\": \"desk/notes\"}"]).exits(0);
    assert_eq!(answer.json(), "remember");
}

#[test]
fn what_is_reserved_is_not_granted_even_by_a_person() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}");
    fs::create_dir_all(desk.world.state()).unwrap();
    for place in ["notes=/", "notes=/proc", "notes=state", "notes=.", "notes=/proc/self/cwd"] {
        desk.starts_nothing(&text, &["--grant", place], 3, "never granted");
    }
}

#[test]
fn home_is_not_granted_by_a_file() {
    let desk = Desk::new();
    let whole = format!("{READER}{NOTES}{RESULT}");
    for (path, home) in [(".", "desk"), ("notes", "desk/notes"), (".", "desk/notes")] {
        desk.write("agent.toml", &whole.replacen("\"notes\"\naccess", &format!("{path:?}\naccess"), 1));
        let home = desk.world.base().join(home);
        let answer =
            desk.world.bailiwick_with(&["agent", "run", "desk/agent.toml"], &[("HOME", home.to_str().unwrap())]);
        let answer = answer.exits(3);
        assert!(answer.stderr.contains("your home directory"), "{}", answer.stderr);
    }
}

#[test]
fn file_beside_the_agent_may_not_be_a_link_to_elsewhere() {
    let desk = Desk::new();
    fs::write(desk.world.base().join("outside/steps.toml"), READS).unwrap();
    fs::write(desk.world.base().join("outside/result.json"), "{}").unwrap();
    symlink("../outside/steps.toml", desk.path("linked.toml")).unwrap();
    symlink("../outside/result.json", desk.path("linked.json")).unwrap();
    let whole = format!("{READER}{NOTES}{RESULT}");
    for (from, to) in [
        ("script:steps.toml", "script:linked.toml"),
        ("script:steps.toml", "script:../outside/steps.toml"),
        ("script:steps.toml", "script:/etc/passwd"),
        ("type = \"string\"", "file = \"linked.json\""),
    ] {
        desk.starts_nothing(&whole.replacen(from, to, 1), &[], 3, "out of the agent file's directory");
    }
    for model in ["custom:https://example.com/v1", "openai-compatible:name@example.com"] {
        desk.starts_nothing(&whole.replacen("script:steps.toml", model, 1), &[], 3, "names an address");
    }
}

#[test]
fn write_through_a_read_only_grant_is_refused_and_on_record() {
    let desk = Desk::new();
    desk.write("steps.toml", WRITES);
    let answer = desk.run(&format!("{READER}{NOTES}{RESULT}"), &[]).exits(0);
    assert_eq!(answer.json(), "not-permitted");
    assert_eq!(fs::read_to_string(desk.path("notes/note.txt")).unwrap(), "remember");
    let records = records(&desk.world);
    assert_eq!(records[0]["outcome"]["kind"], "not-permitted");
    assert!(!records[0]["denied"].as_array().unwrap().is_empty());
    assert!(records[0]["run"].as_str().unwrap().starts_with("20"), "{}", records[0]);
}

#[test]
fn writing_takes_a_word_on_the_command_line() {
    let desk = Desk::new();
    desk.write("steps.toml", &WRITES.replacen("${written.error.kind}", "${written.outcome}", 1));
    let text = format!("{READER}{NOTES}{RESULT}").replacen("\"ro\"", "\"rw\"", 1);
    desk.starts_nothing(&text, &[], 3, "asks to write in");
    desk.starts_nothing(&text, &["--grant", "notes=desk/notes"], 3, "asks to write in");
    // Less than was asked for is a person's right: the call fails, and nothing is written.
    let _ = desk.run(&text, &["--grant", "notes=desk/notes:ro"]).exits(1);
    assert_eq!(fs::read_to_string(desk.path("notes/note.txt")).unwrap(), "remember");
    let answer = desk.run(&text, &["--yes"]).exits(0);
    assert_eq!(answer.json(), "replaced");
    assert_eq!(fs::read_to_string(desk.path("notes/note.txt")).unwrap(), "overwritten");
}

#[test]
fn sensitive_place_takes_the_file_and_the_person() {
    let desk = Desk::new();
    let hook = "filePath = \"notes/.git/hooks/pre-commit\"";
    desk.write("steps.toml", &WRITES.replacen("filePath = \"notes/note.txt\"", hook, 1));
    fs::create_dir_all(desk.path("notes/.git/hooks")).unwrap();
    let text = format!("{READER}{NOTES}{RESULT}").replacen("\"ro\"", "\"rw\"", 1);
    let asks = text.replacen("\"rw\"", "\"rw\"\nallow-sensitive = [\".git\"]", 1);
    desk.starts_nothing(&asks, &["--yes"], 3, "a sensitive place");
    desk.starts_nothing(&text, &["--yes", "--allow-sensitive", ".git"], 2, "does not ask to write `.git`");
    let nothing = asks.replacen("\".git\"", "\"src\"", 1);
    desk.starts_nothing(&nothing, &["--yes", "--allow-sensitive", "src"], 2, "no sensitive place");
    let answer = desk.run(&text, &["--yes"]).exits(0);
    assert_eq!(answer.json(), "not-permitted");
    assert!(!desk.path("notes/.git/hooks/pre-commit").exists());
}

#[test]
fn limits_of_the_file_hold() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}[limits]\ntool-calls = 1\n");
    let answer = desk.run(&text, &[]).exits(1);
    assert!(answer.stderr.contains("the agent's 1 tool calls did not suffice"), "{}", answer.stderr);
    let text = format!("{READER}{NOTES}{RESULT}[limits.call]\noutput-kib = 1\n");
    desk.write("notes/note.txt", &"x".repeat(4096));
    let answer = desk.run(&text, &[]).exits(1);
    assert!(answer.stderr.contains("step `note`"), "{}", answer.stderr);
    assert_eq!(records(&desk.world).len(), 2);
}

#[test]
fn result_that_is_off_its_schema_is_no_result() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}").replacen("\"string\"", "\"integer\"", 1);
    let answer = desk.run(&text, &[]).exits(1);
    assert!(answer.stdout.is_empty(), "{}", answer.stdout);
    assert!(answer.stderr.contains("its result was refused"), "{}", answer.stderr);
    let answer = desk.run(&text, &["--json"]).exits(1);
    assert_eq!(answer.json()["error"]["exitCode"], 1);
}
