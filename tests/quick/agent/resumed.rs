//! A run that was stopped goes on, and nothing that wrote is done twice.

use super::desk::{Desk, NOTES, READER, RESULT, records};
use super::running::Running;
use super::standin::{Say, StandIn, calls, exit};
use bailiwick_tests::Answer;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// A file that lets its agent write, which takes `--yes`.
fn writer() -> String {
    format!("{READER}{NOTES}{RESULT}").replacen("\"ro\"", "\"rw\"", 1)
}

fn writes(name: &str) -> Say {
    calls("WriteFile", json!({"filePath": format!("notes/{name}"), "content": "written"}))
}

/// A run that is killed at its third turn, where the model says nothing: it read, and it wrote.
struct Killed {
    desk: Desk,
    model: StandIn,
    id: String,
}

impl Killed {
    fn new() -> Self {
        let desk = Desk::new();
        desk.write("agent.toml", &writer());
        Self::of(desk)
    }

    fn of(desk: Desk) -> Self {
        let reads = calls("ReadFile", json!({"filePath": "notes/note.txt"}));
        let model = StandIn::saying(vec![reads, writes("new.txt"), Say::Nothing]);
        let run = Running::start(&desk.world, &["agent", "run", "desk/agent.toml", "--yes", "--model", &model.model]);
        model.asked(3);
        run.signal(Signal::KILL);
        let _ = run.end().exits(128 + 9);
        let id = listed(&desk)[0]["id"].as_str().unwrap().to_owned();
        Self { desk, model, id }
    }

    fn directory(&self) -> PathBuf {
        self.desk.world.state().join("agents").join(&self.id)
    }

    fn resume(&self, further: &[&str]) -> Answer {
        self.desk.world.bailiwick(&[&["agent", "resume", &self.id], further].concat())
    }

    /// Refused with these words, without a question to the model or a call, and still there to be resumed.
    #[track_caller]
    fn is_refused(&self, code: i32, said: &str) {
        let (asked, called) = (self.model.times_asked(), records(&self.desk.world).len());
        let answer = self.resume(&[]).exits(code);
        assert!(answer.stderr.contains(said) && answer.stderr.contains("\nhint: "), "{}", answer.stderr);
        assert_eq!((self.model.times_asked(), records(&self.desk.world).len()), (asked, called));
        assert!(self.directory().join("run.json").exists());
    }
}

fn listed(desk: &Desk) -> Value {
    desk.world.bailiwick(&["--json", "agent", "list"]).exits(0).json()
}

#[test]
fn killed_run_goes_on_where_it_was_and_is_then_removed() {
    let killed = Killed::new();
    let Killed { desk, model, id } = &killed;
    let list = listed(desk);
    assert_eq!(
        (&list[0]["standing"], &list[0]["turns"], &list[0]["toolCalls"]),
        (&json!("stopped"), &json!(2), &json!(2))
    );
    let mode = |path: &str| killed.directory().join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(["", "run.json", "conversation.json", "lock"].map(mode), [0o700, 0o600, 0o600, 0o600]);

    // What is said on the next use.
    let next = desk.run(&writer(), &["--yes"]).exits(0);
    assert!(next.stderr.contains(&format!("stopped after 2 turns; `bailiwick agent resume {id}`")), "{}", next.stderr);

    let before = model.asked(3);
    model.says_at(2, exit("done"));
    fs::remove_file(desk.path("notes/new.txt")).unwrap();
    let answer = killed.resume(&[]).exits(0);
    assert_eq!(answer.json(), "done");
    assert_eq!(model.asked(4)["messages"], before["messages"], "the model is asked what it was asked before");
    assert!(!desk.path("notes/new.txt").exists(), "a write that is on record was done again");
    assert_eq!(listed(desk), json!([]));
    assert!(!killed.directory().exists());
    killed.resume(&[]).exits(2).stderr.find("there is no agent run").unwrap();

    let transcript = fs::read_to_string(desk.world.state().join(format!("agent-runs/{id}.jsonl"))).unwrap();
    let lines: Vec<Value> = transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..u64::try_from(lines.len()).unwrap()).collect::<Vec<_>>());
    assert_eq!(lines.iter().filter(|line| line["entry"] == "begin").count(), 2);
}

#[test]
fn run_is_resumed_by_the_beginning_of_its_id_and_kept_if_asked_to() {
    let killed = Killed::new();
    killed.model.says_at(2, exit("done"));
    let answer =
        killed.desk.world.bailiwick(&["--json", "agent", "resume", &killed.id[..20], "--keep"]).exits(0).json();
    assert_eq!((&answer["result"], &answer["run"]["runId"]), (&json!("done"), &json!(killed.id)));
    assert_eq!(listed(&killed.desk)[0]["standing"], "completed");
    let asked = killed.model.times_asked();
    assert_eq!(killed.resume(&[]).exits(0).json(), "done");
    assert_eq!(killed.model.times_asked(), asked, "a result that is there is not asked for again");
    for id in ["", "..", "../runs", "no-such", "20990101"] {
        let answer = killed.desk.world.bailiwick(&["agent", "resume", id]).exits(2);
        assert!(answer.stderr.contains("there is no agent run"), "{}", answer.stderr);
    }
}

#[test]
fn what_changed_since_a_run_began_is_named_and_nothing_goes_on() {
    let killed = Killed::new();
    let desk = &killed.desk;
    desk.write("agent.toml", &format!("{}# a remark\n", writer()));
    killed.is_refused(3, "changed since it began: the agent file");
    desk.write("agent.toml", "name = ");
    killed.is_refused(2, "is not TOML");
    desk.write("agent.toml", &writer());

    fs::rename(desk.path("notes"), desk.path("elsewhere")).unwrap();
    fs::create_dir(desk.path("notes")).unwrap();
    killed.is_refused(3, "changed since it began: the grant `notes`");
    fs::remove_dir(desk.path("notes")).unwrap();
    killed.is_refused(2, "`grant[0].path`: cannot open");
    fs::rename(desk.path("elsewhere"), desk.path("notes")).unwrap();

    killed.model.says_at(2, exit("done"));
    let _ = killed.resume(&[]).exits(0);
}

#[test]
fn schemas_template_and_script_are_part_of_what_must_not_change() {
    let desk = Desk::new();
    desk.write("result.json", "{\"type\": \"string\"}");
    desk.write("steps.toml", super::desk::READS);
    let text = writer().replacen("instructions = \"Read the note and hand it in.\"\n", "", 1).replacen(
        "type = \"string\"",
        "file = \"result.json\"\n[template]\nid = \"spelling\"\nparameters = { findings = \"{}\" }",
        1,
    );
    desk.write("agent.toml", &format!("{text}[input]\ntype = \"array\"\n"));
    let model = StandIn::saying(vec![Say::Nothing]);
    let arguments = ["agent", "run", "desk/agent.toml", "--yes", "--model", &model.model, "--input", "[\"a:1:1 - x\"]"];
    let run = Running::start(&desk.world, &arguments);
    model.asked(1);
    run.signal(Signal::KILL);
    let _ = run.end().exits(128 + 9);
    let id = listed(&desk)[0]["id"].as_str().unwrap().to_owned();
    let killed = Killed { desk, model, id };
    killed.desk.write("result.json", "{\"type\": \"string\", \"minLength\": 1}");
    killed.is_refused(3, "changed since it began: the schema of the result");
    killed.desk.write("result.json", "{\"type\": \"string\"}");

    // What is kept is a person's own, but a program that came later may have another template.
    let record = killed.directory().join("run.json");
    let mut kept: Value = serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    for part in ["the template", "the tool `ReadFile`", "the input"] {
        let whole = kept.clone();
        kept["definition"][part] = json!("0".repeat(64));
        fs::write(&record, kept.to_string()).unwrap();
        killed.is_refused(3, &format!("changed since it began: {part}"));
        kept = whole;
    }
    fs::write(&record, kept.to_string()).unwrap();
    killed.model.says_at(0, exit("done"));
    let _ = killed.resume(&[]).exits(0);
}

#[test]
fn conversation_that_cannot_be_read_is_refused() {
    let killed = Killed::new();
    let file = killed.directory().join("conversation.json");
    let whole = fs::read_to_string(&file).unwrap();
    for (text, said) in [
        ("", "`conversation.json`: EOF"),
        ("{}", "`conversation.json`: missing field"),
        (&whole[..whole.len() / 2], "`conversation.json`: EOF"),
        (&whole.replacen("\"format\":2", "\"format\":1", 1), "saved in format 1"),
        (&whole.replacen("Read the note", "Eat the note", 1), "with other instructions"),
    ] {
        fs::write(&file, text).unwrap();
        killed.is_refused(3, said);
    }
    fs::remove_file(&file).unwrap();
    killed.is_refused(3, "was not kept");
    fs::write(killed.directory().join("run.json"), "{").unwrap();
    killed.is_refused(3, "`run.json`: EOF");
}

#[test]
fn two_processes_do_not_work_on_one_run() {
    let killed = Killed::new();
    let first = Running::start(&killed.desk.world, &["agent", "resume", &killed.id]);
    killed.model.asked(4);
    assert_eq!(listed(&killed.desk)[0]["standing"], "running");
    killed.is_refused(3, "another process works on the agent run");
    first.signal(Signal::KILL);
    let _ = first.end();
    killed.model.says_at(2, exit("done"));
    assert_eq!(killed.resume(&[]).exits(0).json(), "done");
}

#[test]
fn unreachable_model_and_truncated_answer_leave_a_run_that_goes_on() {
    for (say, said) in [(Say::Overloaded, "no answer from"), (Say::Cut, "cut off at its output limit")] {
        let (desk, model) = (Desk::new(), StandIn::saying(vec![writes("new.txt"), say]));
        desk.write("agent.toml", &writer());
        let answer =
            desk.world.bailiwick(&["agent", "run", "desk/agent.toml", "--yes", "--model", &model.model]).exits(1);
        assert!(answer.stderr.contains(said), "{}", answer.stderr);
        let id = listed(&desk)[0]["id"].as_str().unwrap().to_owned();
        assert!(answer.stderr.contains(&format!("`bailiwick agent resume {id}` goes on with it")), "{}", answer.stderr);
        fs::remove_file(desk.path("notes/new.txt")).unwrap();

        // Another model may go on.
        let other = StandIn::saying(vec![Say::Nothing, exit("done")]);
        let answer = desk.world.bailiwick(&["agent", "resume", &id, "--model", &other.model]).exits(0);
        assert_eq!(answer.json(), "done");
        assert!(!desk.path("notes/new.txt").exists());
    }
}

#[test]
fn run_that_used_up_its_budget_is_not_kept_for_resuming() {
    let desk = Desk::new();
    let answer = desk.run(&format!("{}[limits]\ntool-calls = 1\n", writer()), &["--yes"]).exits(1);
    assert!(!answer.stderr.contains("agent resume"), "{}", answer.stderr);
    assert_eq!(listed(&desk), json!([]));
    let _ = desk.run(&format!("{}[limits]\ntool-calls = 1\n", writer()), &["--yes", "--keep"]).exits(1);
    assert_eq!(listed(&desk)[0]["standing"], "ended");
}

/// Writes a line each into a file that has to have it once. What is lost may be there or not, but never twice.
#[test]
fn run_that_is_killed_again_and_again_makes_no_edit_twice() {
    const EDITS: usize = 12;
    let desk = Desk::new();
    desk.write("notes/note.txt", "END\n");
    let mut steps = String::new();
    for edit in 0..EDITS {
        let old_and_new = format!("oldContent = \"END\", newContent = \"edit {edit}.\\nEND\"");
        steps += &format!(
            "[[step]]\nid = \"e{edit}\"\ntool = \"CodePatch\"\nmay-fail = true\narguments = {{ filePath = \"notes/note.txt\", {old_and_new} }}\n"
        );
    }
    desk.write("steps.toml", &format!("{steps}[exit]\nresult = \"done\"\n"));
    desk.write("agent.toml", &writer().replacen("\"WriteFile\"", "\"CodePatch\"", 1));
    let mut arguments = vec!["agent".to_owned(), "run".into(), "desk/agent.toml".into(), "--yes".into()];
    let mut kills = 0;
    let result = loop {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut run = Running::start(&desk.world, &words);
        // Said when a call has been made and its reply is about to be kept. Later each time, so that it comes to an end.
        let calls = kills % 3;
        if (0..=calls).all(|_| run.says("  CodePatch")) {
            run.signal(Signal::KILL);
        }
        let answer = run.end();
        if answer.code == 0 {
            break answer.json();
        }
        assert_eq!(answer.code, 128 + 9, "{}", answer.stderr);
        kills += 1;
        let id = listed(&desk)[0]["id"].as_str().unwrap().to_owned();
        arguments = vec!["agent".into(), "resume".into(), id];
    };
    assert_eq!(result, "done");
    assert!(kills >= 3, "{kills} kills");
    let text = fs::read_to_string(desk.path("notes/note.txt")).unwrap();
    for edit in 0..EDITS {
        assert_eq!(
            text.matches(&format!("edit {edit}.")).count(),
            1,
            "edit {edit} was made, and is there once:\n{text}"
        );
    }
}

#[test]
fn no_known_secret_is_kept() {
    const CANARY: &str = "canary-key-0123456789";
    let desk = Desk::new();
    desk.write("notes/note.txt", CANARY);
    desk.write("agent.toml", &writer());
    let reads = calls("ReadFile", json!({"filePath": "notes/note.txt"}));
    let model = StandIn::saying(vec![reads, Say::Overloaded]);
    let environment = [("SOME_API_KEY", CANARY)];
    let run = ["agent", "run", "desk/agent.toml", "--yes", "--model", &model.model];
    let _ = desk.world.bailiwick_with(&run, &environment).exits(1);
    assert!(model.asked(2).to_string().contains(CANARY), "the model is to read what the tool read");
    let id = listed(&desk)[0]["id"].as_str().unwrap().to_owned();
    let kept = fs::read_to_string(desk.world.state().join(format!("agents/{id}/conversation.json"))).unwrap();
    assert!(!kept.contains(CANARY) && kept.contains("[redacted]"), "{kept}");
    let transcript = fs::read_to_string(desk.world.state().join(format!("agent-runs/{id}.jsonl"))).unwrap();
    assert!(!transcript.contains(CANARY), "{transcript}");
    model.says_at(1, exit("done"));
    let _ = desk.world.bailiwick_with(&["agent", "resume", &id], &environment).exits(0);
    assert!(!model.asked(1).to_string().contains(CANARY));
}

#[test]
fn conversation_that_grows_too_large_is_not_kept_and_the_run_goes_on() {
    let desk = Desk::new();
    desk.write("notes/note.txt", &"x".repeat(1_000_000));
    let reads =
        "[[step]]\ntool = \"ReadFile\"\nfor-each = \"${input}\"\narguments = { filePath = \"notes/note.txt\" }\n";
    desk.write("steps.toml", &format!("{reads}[exit]\nresult = \"done\"\n"));
    let text = format!("{}[input]\ntype = \"array\"\n[limits.call]\noutput-kib = 2048\n", writer());
    let input = json!(vec![0; 18]).to_string();
    let answer = desk.run(&text, &["--yes", "--input", &input, "--keep"]).exits(0);
    assert!(answer.stderr.contains("this run cannot be resumed"), "{}", answer.stderr);
    assert_eq!(listed(&desk)[0]["standing"], "unusable");
}

#[test]
fn old_runs_are_removed_and_one_at_work_is_not() {
    let killed = Killed::new();
    let at = |age: u64| {
        let time = SystemTime::now() - Duration::from_secs(age);
        fs::File::open(killed.directory()).unwrap().set_modified(time).unwrap();
    };
    const DAY: u64 = 24 * 3600;
    at(29 * DAY);
    let _ = killed.desk.run(&writer(), &["--yes"]).exits(0);
    assert_eq!(listed(&killed.desk)[0]["id"], killed.id);

    let at_work = Running::start(&killed.desk.world, &["agent", "resume", &killed.id]);
    killed.model.asked(4);
    at(31 * DAY);
    let _ = killed.desk.run(&writer(), &["--yes"]).exits(0);
    assert_eq!(listed(&killed.desk)[0]["standing"], "running");
    at_work.signal(Signal::KILL);
    let _ = at_work.end();

    at(31 * DAY);
    let _ = killed.desk.run(&writer(), &["--yes"]).exits(0);
    assert_eq!(listed(&killed.desk), json!([]));
}
