//! `bailiwick.toml`, the cost limit and the question to a provider before anything runs.

use bailiwick_tests::{Answer, World};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

const KEY: &str = "sk-canary-0123456789";

const AGENT: &str = r#"
name = "answerer"
instructions = "Hand in `done`."
tools = []
[result]
type = "string"
"#;

/// A provider on a port of its own: it answers the question before with one thing and every request with another.
struct StandIn {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl StandIn {
    fn serve(before: (u16, Value), answer: Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let mut bytes = Vec::new();
                let text = loop {
                    let mut chunk = [0; 8192];
                    let read = stream.read(&mut chunk).unwrap_or_default();
                    bytes.extend_from_slice(&chunk[..read]);
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let length =
                        text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
                    let whole =
                        text.split_once("\r\n\r\n").is_some_and(|(_, body)| body.len() >= length.unwrap_or_default());
                    if whole || read == 0 {
                        break text;
                    }
                };
                let (status, body) = if text.starts_with("GET ") { before.clone() } else { (200, answer.clone()) };
                kept.lock().unwrap().push(text);
                let body = body.to_string();
                let head = format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\n");
                let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
            }
        });
        Self { address, requests }
    }

    fn model(&self) -> String {
        format!("openai:m@{}/v1", self.address)
    }

    fn asked(&self) -> usize {
        self.requests.lock().unwrap().len()
    }
}

/// An answer that hands in `done` and took a million tokens each way.
fn done() -> Value {
    let call =
        json!({"id": "c", "type": "function", "function": {"name": "Exit", "arguments": "{\"result\":\"done\"}"}});
    json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [call]}, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 400_000, "completion_tokens": 100_000}})
}

fn world() -> World {
    let world = World::without_generated_code();
    fs::write(world.base().join("agent.toml"), AGENT).unwrap();
    world
}

fn configure(world: &World, text: &str) {
    let directory = world.base().join("configuration/bailiwick");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("bailiwick.toml"), text).unwrap();
}

fn run(world: &World, further: &[&str], environment: &[(&str, &str)]) -> Answer {
    let mut arguments = vec!["agent", "run", "agent.toml"];
    arguments.extend(further);
    let mut variables = vec![("OPENAI_API_KEY", KEY)];
    variables.extend(environment);
    let answer = world.bailiwick_with(&arguments, &variables);
    assert!(!format!("{}{}", answer.stdout, answer.stderr).contains("canary"), "{}", answer.stderr);
    answer
}

/// Ended before anything ran: one sentence with this in it, a hint, and nothing on stdout.
#[track_caller]
fn refused(answer: Answer, said: &[&str]) {
    let answer = answer.exits(2);
    assert!(answer.stdout.is_empty(), "{}", answer.stdout);
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with("model: ");
    let lines: Vec<&str> = answer.stderr.lines().filter(is_said).collect();
    assert!(lines.len() == 2 && lines[0].starts_with("error: ") && lines[1].starts_with("hint: "), "{}", answer.stderr);
    for part in said {
        assert!(answer.stderr.contains(part), "`{part}` is not in: {}", answer.stderr);
    }
}

#[test]
fn model_is_taken_from_the_flag_then_the_environment_then_the_file() {
    let server = StandIn::serve((200, json!({"id": "m"})), done());
    let (world, model) = (world(), server.model());
    configure(&world, &format!("model = \"{model}\"\n"));
    let answer = run(&world, &[], &[]).exits(0);
    assert_eq!(answer.json(), "done");
    assert!(answer.stderr.contains("(`model` in `"), "{}", answer.stderr);
    assert!(answer.stderr.contains("configuration/bailiwick/bailiwick.toml`)"), "{}", answer.stderr);

    configure(&world, "model = \"openai:m@http://127.0.0.1:1/v1\"\n");
    let named = [("BAILIWICK_MODEL", model.as_str())];
    assert!(run(&world, &[], &named).exits(0).stderr.contains("(`BAILIWICK_MODEL`)"));
    let wrong = [("BAILIWICK_MODEL", "openai:m@http://127.0.0.1:1/v1")];
    assert!(run(&world, &["--model", &model], &wrong).exits(0).stderr.contains("(`--model`)"));

    let elsewhere = world.base().join("own.toml");
    fs::write(&elsewhere, format!("model = \"{model}\"\n")).unwrap();
    let named = [("BAILIWICK_CONFIG", elsewhere.to_str().unwrap())];
    assert!(run(&world, &[], &named).exits(0).stderr.contains("own.toml`)"));
}

#[test]
fn file_with_a_mistake_is_refused_with_its_name_and_the_place() {
    let world = world();
    let cases = [
        ("\n\nmodel =\n", "line 3 is not TOML"),
        ("modl = \"x\"\n", "did you mean `model`"),
        ("[limits]\nmony = 1\n", "did you mean `limits.money`"),
        ("[models.\"openai:m\"]\nwindow = \"sk-canary\"\n", "`models.\"openai:m\".window` has to be"),
    ];
    for (text, said) in cases {
        configure(&world, text);
        refused(run(&world, &["--model", "openai:m"], &[]), &["bailiwick.toml`", said]);
    }
    configure(&world, "");
    for path in ["/no/such/file", "/dev/null", "/"] {
        refused(run(&world, &["--model", "openai:m"], &[("BAILIWICK_CONFIG", path)]), &[path, "`BAILIWICK_CONFIG`"]);
    }
}

#[test]
fn provider_that_cannot_serve_is_found_out_before_anything_runs() {
    let world = world();
    refused(
        run(&world, &["--model", "openai:m@http://127.0.0.1:1/v1"], &[]),
        &["`--model`: ", "`http://127.0.0.1:1` cannot be reached"],
    );
    refused(
        run(&world, &[], &[("BAILIWICK_MODEL", "ollama:m@http://127.0.0.1:1")]),
        &["`BAILIWICK_MODEL`: ", "cannot be reached"],
    );
    let server = StandIn::serve((401, json!({"error": {"message": format!("no such key {KEY}")}})), done());
    refused(
        run(&world, &["--model", &server.model()], &[]),
        &["`--model`: ", "the key in `OPENAI_API_KEY` was not accepted"],
    );
    let server = StandIn::serve((404, json!({"error": {"code": "model_not_found", "message": "none"}})), done());
    configure(&world, &format!("model = \"{}\"\n", server.model()));
    refused(run(&world, &[], &[]), &["bailiwick.toml`: ", "there is no model `m`"]);
    assert_eq!(server.asked(), 1, "nothing but the one question was sent");
    assert!(!world.state().join("agent-runs").exists(), "a transcript was begun");
}

#[test]
fn customization_with_a_provider_that_cannot_serve_changes_nothing() {
    let world = World::without_generated_code();
    let package = world.package();
    let arguments =
        ["package", "customize", "--package-path", package.to_str().unwrap(), "--customization-request", "hide x"];
    let answer = world.bailiwick_with(&arguments, &[("BAILIWICK_MODEL", "ollama:m@http://127.0.0.1:1")]);
    refused(answer, &["`BAILIWICK_MODEL`: ", "`http://127.0.0.1:1` cannot be reached"]);
    assert!(!world.state().join("runs").exists(), "a run was begun");
}

#[test]
fn dry_run_and_one_that_is_not_allowed_ask_no_model() {
    let server = StandIn::serve((200, json!({})), done());
    let (world, model) = (world(), server.model());
    let _ = run(&world, &["--model", &model, "--dry-run"], &[]).exits(0);
    let writes = format!("{AGENT}\n[[grant]]\nname = \"w\"\npath = \".\"\naccess = \"rw\"\n");
    fs::write(world.base().join("agent.toml"), writes).unwrap();
    let _ = run(&world, &["--model", &model], &[]).exits(3);
    assert_eq!(server.asked(), 0);
}

#[test]
fn limit_on_money_is_kept_and_wants_prices() {
    let server = StandIn::serve((200, json!({})), done());
    let (world, model) = (world(), server.model());
    let with = |further: &[&str]| {
        let mut arguments = vec!["--model", model.as_str()];
        arguments.extend(further);
        run(&world, &arguments, &[])
    };
    refused(with(&["--max-cost", "1"]), &["`--max-cost` limits the cost", "`openai:m`", "`input-price`"]);
    let wrong = with(&["--max-cost", "a lot"]).exits(2);
    assert!(wrong.stderr.contains("--max-cost") && wrong.stderr.contains("2.50"), "{}", wrong.stderr);

    // 0.4 million tokens at 1 and 0.1 million at 10 cost 1.40.
    let prices = "[models.\"openai:m\"]\ninput-price = \"1\"\noutput-price = 10\n";
    configure(&world, &format!("{prices}[limits]\nmoney = \"1.39\"\n"));
    let answer = with(&[]).exits(1);
    assert!(answer.stderr.contains("cost 1.400000 where 1.390000 were allowed"), "{}", answer.stderr);
    // The flag goes before the file.
    let _ = with(&["--max-cost", "1.40"]).exits(0);
    configure(&world, "[limits]\nmoney = \"1.39\"\n");
    refused(with(&[]), &["`limits.money` in `", "bailiwick.toml`"]);
}

#[test]
fn window_and_output_limit_of_the_file_are_used() {
    let server = StandIn::serve((200, json!({})), done());
    let (world, model) = (world(), server.model());
    configure(&world, "[models.\"openai:m\"]\nwindow = 1000\noutput-limit = 777\n");
    let _ = run(&world, &["--model", &model], &[]).exits(0);
    let requests = server.requests.lock().unwrap();
    assert!(requests[1].contains("\"max_tokens\":777"), "{}", requests[1]);
}
