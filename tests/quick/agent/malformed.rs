//! What cannot be used names the field and the way out, and starts nothing.

use super::desk::{Desk, NOTES, READER, RESULT, records};
use serde_json::json;
use std::fs;

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
            "`template.tools` is not a key",
        ),
        ("tools = [\"ReadFile\", \"WriteFile\"]", "tools = \"ReadFile\"", "`tools` has to be a list"),
        ("\"WriteFile\"", "\"WritFile\"", "did you mean `WriteFile`"),
        ("\"WriteFile\"", "\"ReadFile\"", "`tools[1]` has to be"),
        (
            "access = \"ro\"",
            "acess = \"ro\"",
            "`grant[0].acess` is not a key of an agent file; did you mean `grant[0].access`",
        ),
        ("access = \"ro\"", "", "`grant[0].access` is missing"),
        ("access = \"ro\"", "access = \"r\"", "`grant[0].access` has to be"),
        ("access = \"ro\"", "access = \"ro\"\nallow-sensitive = [\".git\"]", "`grant[0].allow-sensitive` has to be"),
        ("path = \"notes\"", "path = \"note\"", "`grant[0].path`: cannot open"),
        ("path = \"notes\"", "path = \"steps.toml\"", "`grant[0].path`: cannot open"),
        ("path = \"notes\"", "", "no directory is given for `notes`"),
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
        ("type = \"string\"", "type = \"strin\"", "`result` is not a usable JSON Schema"),
        ("type = \"string\"", "\"$ref\" = \"https://example.com/x.json\"", "`result` is not a usable JSON Schema"),
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
