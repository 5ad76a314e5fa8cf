//! A tool that asks hosts, from its manifest to its requests: it asks those that a person approved and no other, with
//! secrets that it never sees and that go to the host they were kept for and no other.

#[path = "../../../../sandbox/tests/it/network/server.rs"]
#[expect(dead_code, reason = "the sandbox's own tests use the rest")]
mod server;

use serde_json::{Value, json};
use server::{SECRET, Server, Wire, certificates};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

struct Machine {
    base: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let base = tempfile::Builder::new().prefix("bailiwick-requests-").tempdir().unwrap();
        std::fs::write(base.path().join("authority.pem"), pem(&certificates().authority)).unwrap();
        Self { base }
    }

    fn run(&self, arguments: &[&str], stdin: &str) -> Output {
        let base = self.base.path();
        let mut child = Command::new(env!("CARGO_BIN_EXE_bailiwick"))
            .args(arguments)
            .current_dir(base)
            .env("BAILIWICK_STATE_DIR", base.join("state"))
            .env("BAILIWICK_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("requests-cache"))
            .env("SSL_CERT_FILE", base.join("authority.pem"))
            // Nothing listens there. A request that went to a proxy would fail.
            .env("HTTP_PROXY", "http://127.0.0.1:9")
            .env("HTTPS_PROXY", "http://127.0.0.1:9")
            .env("http_proxy", "http://127.0.0.1:9")
            .env("https_proxy", "http://127.0.0.1:9")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            assert!(!text.contains("sk-canary"), "{arguments:?}: {text}");
        }
        output
    }

    /// What is said to a person, with this exit code.
    #[track_caller]
    fn exits(&self, arguments: &[&str], stdin: &str, code: i32) -> String {
        let output = self.run(arguments, stdin);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        said
    }

    #[track_caller]
    fn json_of(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["--json"], arguments].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Adds the tool with these requests in its manifest, and approves it as a person who has read the review.
    fn added(&self, asks: &str) {
        let place = self.base.path().join("project");
        std::fs::create_dir_all(&place).unwrap();
        let guest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components/dist/hostile-net-guest.wasm");
        let component = std::fs::read(guest).expect("the guest is not built yet; run `cargo xtask guests` first");
        std::fs::write(place.join("asks.wasm"), component).unwrap();
        let head = "schema = 1\nname = \"asks\"\nversion = \"0.1.0\"\ndescription = \"Asks hosts.\"\ncomponent = \"asks.wasm\"\n";
        std::fs::write(place.join("tool.toml"), format!("{head}{asks}")).unwrap();
        self.exits(&["tool", "add", "project"], "", 0);
        // Nothing before a person said yes.
        self.exits(&["tool", "call", "HostileNet", "--input", r#"{"requests": []}"#], "", 3);
        let inspected = self.json_of(&["tool", "inspect", "asks"]);
        let review = inspected["review"].as_str().unwrap();
        self.exits(&["tool", "approve", "asks", "--reviewed", review], "", 0);
    }

    fn answers(&self, requests: &Value) -> (Vec<Value>, Value) {
        let input = json!({ "requests": requests }).to_string();
        let told = self.json_of(&["tool", "call", "HostileNet", "--input", &input]);
        (told["output"]["answers"].as_array().unwrap().clone(), told["cost"].clone())
    }
}

fn pem(der: &[u8]) -> String {
    let text = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, der);
    let lines: Vec<_> = text.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

fn host(host: &str, server: &Server, rest: &str) -> String {
    format!(
        "[[network]]\nhost = \"{host}\"\nport = {}\nmethods = [\"GET\"]\nreason = \"asks\"\n{rest}\n",
        server.port()
    )
}

#[test]
fn approved_tool_asks_the_hosts_of_its_manifest_with_a_secret_it_never_sees_and_no_other_host() {
    let (server, plain, other) =
        (Server::start(Wire::Encrypted), Server::start(Wire::Plain), Server::start(Wire::Plain));
    let machine = Machine::new();
    let secret = "[[secrets]]\nname = \"token\"\nhost = \"localhost\"\nheader = \"Authorization\"\nprefix = \"Bearer \"\nreason = \"is known there\"\n";
    let asks = [
        host("localhost", &server, "private = true"),
        host("localhost", &plain, "private = true\nscheme = \"http\""),
        // Without a word about private addresses.
        host("127.0.0.1", &plain, "scheme = \"http\""),
        secret.to_owned(),
    ];
    machine.added(&asks.concat());

    // The secret: missing, invalid, for another host; then kept, and never shown.
    let ask = |path: &str| json!({ "authority": format!("localhost:{}", server.port()), "path": path });
    let call = ["tool", "call", "HostileNet", "--input", r#"{"requests": []}"#];
    let said = machine.exits(&call, "", 2);
    assert!(said.contains("asks for a secret") && said.contains("tool secret set token --host localhost"), "{said}");
    machine.exits(&["tool", "secret", "set", "token", "--host", "localhost"], "", 2);
    machine.exits(&["tool", "secret", "set", "token", "--host", "localhost"], "two words", 2);
    machine.exits(&["tool", "secret", "set", "token", "--host", "*.localhost"], SECRET, 2);
    machine.exits(&["tool", "secret", "set", "../token", "--host", "localhost"], SECRET, 2);
    machine.exits(&["tool", "secret", "set", "token", "--host", "elsewhere.example"], SECRET, 0);
    let said = machine.exits(&call, "", 3);
    assert!(said.contains("kept for `elsewhere.example`"), "{said}");
    machine.exits(&["tool", "secret", "set", "token", "--host", "localhost"], &format!("{SECRET}\n"), 0);
    assert_eq!(machine.json_of(&["tool", "secret", "list"]), json!([{ "name": "token", "host": "localhost" }]));
    assert!(server.requests().is_empty());

    let in_plain = json!({ "scheme": "http", "authority": format!("localhost:{}", plain.port()), "path": "/echo" });
    let by_address = json!({ "scheme": "http", "authority": plain.address.to_string() });
    let elsewhere = json!({ "scheme": "http", "authority": other.address.to_string() });
    let (answers, cost) = machine.answers(&json!([ask("/echo"), ask("/echo-header"), in_plain, by_address, elsewhere]));
    assert!(answers[0]["body"].as_str().unwrap().contains("authorization: Bearer [redacted]"), "{answers:?}");
    assert!(answers[1]["headers"].as_array().unwrap().contains(&json!(["x-echo", "Bearer [redacted]"])), "{answers:?}");
    assert_eq!(answers[2]["status"], 200, "{answers:?}");
    assert_eq!(
        (&answers[3]["err"], &answers[4]["err"]),
        (&json!("DestinationIpProhibited"), &json!("HttpRequestDenied"))
    );
    assert_eq!((&cost["requests"], &cost["denied"]), (&json!(4), &json!(2)));
    assert!(server.requests().iter().all(|request| request.contains(&format!("authorization: Bearer {SECRET}\r\n"))));
    assert!(plain.requests().iter().all(|request| !request.contains("sk-canary")), "{:?}", plain.requests());
    assert_eq!((plain.requests().len(), other.connections()), (1, 0));

    // On record, without what was asked there and without the secret.
    let log = std::fs::read_to_string(machine.base.path().join("state/audit/audit-000001.jsonl")).unwrap();
    assert!(log.contains(r#""reason":"address""#) && log.contains(r#""reason":"host""#), "{log}");
    assert!(!log.contains("sk-canary"), "{log}");

    printed_by_a_command(&machine, &call, &server);
    machine.exits(&["tool", "secret", "remove", "token"], "", 0);
    machine.exits(&["tool", "secret", "remove", "token"], "", 2);
    machine.exits(&call, "", 2);
}

/// The secret is in a keyring of the person's, of which the command is kept and nothing else.
fn printed_by_a_command(machine: &Machine, call: &[&str], server: &Server) {
    let kept = |command: &str, code| {
        let said =
            machine.exits(&["tool", "secret", "set", "token", "--host", "localhost", "--command", command], "", code);
        let place = std::fs::read_to_string(machine.base.path().join("state/tools/secrets/token")).unwrap();
        (said, place)
    };
    let before = server.requests().len();
    let (said, place) = kept("cat 'unclosed", 2);
    assert!(said.contains("`--command`") && place.contains(SECRET), "{said}");
    std::fs::write(machine.base.path().join("in a file"), format!("{SECRET}\nmore\n")).unwrap();
    let (_, place) = kept("cat 'in a file'", 0);
    assert!(!place.contains(SECRET) && place.contains("in a file"), "{place}");
    let listed = json!([{ "name": "token", "host": "localhost", "command": ["cat", "in a file"] }]);
    assert_eq!(machine.json_of(&["tool", "secret", "list"]), listed);
    let ask = json!({ "authority": format!("localhost:{}", server.port()), "path": "/echo" });
    let (answers, _) = machine.answers(&json!([ask]));
    assert!(answers[0]["body"].as_str().unwrap().contains("authorization: Bearer [redacted]"), "{answers:?}");
    let asked = server.requests();
    assert!(asked.len() == before + 1 && asked[before].contains(&format!("authorization: Bearer {SECRET}\r\n")));
    for (command, part) in [
        ("false", "`false` ended with exit code 1"),
        ("no-such-program-here", "cannot be started"),
        ("yes sk-canary", "printed more than"),
        ("echo 'sk-canary and more'", "not printable ASCII"),
        // No shell reads it.
        ("echo $(cat /etc/hostname)", "not printable ASCII"),
    ] {
        kept(command, 0);
        let said = machine.exits(call, "", 1);
        assert!(said.contains("asks for the secret `token`") && said.contains(part), "{command}: {said}");
    }
    assert_eq!(server.requests().len(), before + 1);
}

/// Runs a command at a terminal, types once it asks, and returns its exit code, what the terminal showed, and whether it
/// shows again afterwards what is typed.
fn at_a_terminal(machine: &Machine, arguments: &str, typed: &str) -> (Option<i32>, String, bool) {
    let base = machine.base.path();
    let line = format!("{} {arguments}; code=$?; stty -a; exit $code", env!("CARGO_BIN_EXE_bailiwick"));
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .env("BAILIWICK_STATE_DIR", base.join("state"))
        .env("BAILIWICK_CACHE_DIR", base.join("cache"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut shown = Vec::new();
    let mut bytes = [0; 4096];
    while !String::from_utf8_lossy(&shown).contains("and Enter:") {
        let count = stdout.read(&mut bytes).unwrap();
        assert!(count > 0, "it did not ask: {}", String::from_utf8_lossy(&shown));
        shown.extend_from_slice(&bytes[..count]);
    }
    stdin.write_all(typed.as_bytes()).unwrap();
    stdout.read_to_end(&mut shown).unwrap();
    let code = child.wait().unwrap().code();
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let echoes = shown.split_whitespace().any(|word| word.trim_end_matches(';') == "echo");
    (code, shown, echoes)
}

#[test]
fn typed_secret_is_not_shown_and_the_terminal_is_as_it_was_afterwards() {
    let machine = Machine::new();
    let set = "tool secret set token --host localhost";
    let kept = || std::fs::read_to_string(machine.base.path().join("state/tools/secrets/token")).unwrap();
    // With a key that takes one character back.
    let (code, shown, echoes) = at_a_terminal(&machine, set, "sk-canary-typedx\u{7f}\r");
    assert_eq!((code, echoes), (Some(0), true), "{shown}");
    assert!(!shown.contains("canary"), "{shown}");
    assert_eq!(kept(), r#"{"host":"localhost","value":"sk-canary-typed"}"#);
    // Longer than a terminal's own lines are.
    let long = "y".repeat(6000);
    let (code, shown, _) = at_a_terminal(&machine, set, &format!("{long}\r"));
    assert_eq!((code, shown.contains("yyy")), (Some(0), false), "{shown}");
    assert!(kept().contains(&long));
    // Broken off with Ctrl-C: what was kept is kept.
    let (code, shown, echoes) = at_a_terminal(&machine, set, "sk-canary\u{3}");
    assert_eq!((code, echoes), (Some(130), true), "{shown}");
    assert!(!shown.contains("canary") && kept().contains(&long), "{shown}");
}
