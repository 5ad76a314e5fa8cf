//! `agent run` with a provider that repeats the key in answers, calls, errors and headers.

use super::Desk;
use super::canary::{KEY, Way, assert_in_no_file, forms, found};
use super::provider::{Echo, Reply, repeated, repeats};
use super::watch::watch;
use bailiwick_tests::{Answer, cache};
use serde_json::json;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

fn exit(result: &str) -> Reply {
    Reply::Turn(repeated(), vec![json!({"id": "e", "name": "Exit", "arguments": {"result": result}})])
}

/// Runs the agent and looks everywhere for the key but at the provider, which got it.
#[track_caller]
fn run(desk: &Desk, way: Way, replies: Vec<Reply>) -> Answer {
    let since = SystemTime::now();
    let server = Echo::serve(replies);
    let (name, value) = way.variable("OPENAI_API_KEY", &desk.secret());
    let choice = server.choice();
    let arguments = ["--json", "agent", "run", "desk/agent.toml", "--model", &choice];
    let (output, seen) = watch(desk.command(&arguments, &[(&name, &value)]).spawn().unwrap());
    let answer = super::read(&output);
    assert_eq!(seen.leaks, Vec::<String>::new());
    assert_in_no_file(desk.world.base(), since, &[desk.secret().join("key")]);
    assert_in_no_file(&cache(), since, &[]);
    let received = server.received();
    assert!(!received.is_empty(), "nothing was sent: {}", answer.stderr);
    for request in received {
        assert!(request.headers.contains(&format!("Bearer {KEY}")), "the key was not sent: {}", request.headers);
        // What tools and guests were given and gave comes back in the body.
        assert_eq!(found(format!("{}{}", request.line, request.body).as_bytes()), None);
    }
    answer
}

#[test]
fn key_that_a_provider_repeats_in_a_run_that_succeeds_is_nowhere() {
    for way in Way::ALL {
        let desk = Desk::bare();
        let answer = run(&desk, way, vec![repeats(), exit(&repeated())]).exits(0);
        let result = answer.json()["result"].to_string();
        let redacted = result.matches("[redacted]").count();
        assert_eq!(redacted, forms().len(), "{way:?}: each form is told to have been there: {result}");
        let runs: Vec<_> = std::fs::read_dir(desk.world.state().join("agent-runs")).unwrap().collect();
        assert_eq!(runs.len(), 1, "there is a transcript to look at");
    }
}

#[test]
fn key_that_a_tool_reads_is_in_no_transcript() {
    for way in Way::ALL {
        let desk = Desk::bare();
        let note = desk.path("notes/note.txt");
        std::fs::write(&note, repeated()).unwrap();
        let since = SystemTime::now();
        let call = json!({"id": "r", "name": "ReadFile", "arguments": {"filePath": "notes/note.txt"}});
        let server = Echo::serve(vec![Reply::Turn(String::new(), vec![call]), exit("done")]);
        let (name, value) = way.variable("OPENAI_API_KEY", &desk.secret());
        let choice = server.choice();
        let answer = desk.run(&["agent", "run", "desk/agent.toml", "--model", &choice], &[(&name, &value)]).exits(0);
        assert_eq!(answer.json(), "done");
        // The tool did read it: who granted the file gave the model what is in it.
        assert!(server.received().iter().any(|request| found(request.body.as_bytes()).is_some()));
        assert_in_no_file(desk.world.base(), since, &[desk.secret().join("key"), note]);
        let runs = std::fs::read_dir(desk.world.state().join("agent-runs")).unwrap();
        let transcripts: String = runs.map(|run| std::fs::read_to_string(run.unwrap().path()).unwrap()).collect();
        assert!(transcripts.contains("you sent [redacted] and [redacted]"), "{transcripts}");
    }
}

#[test]
fn key_that_a_provider_repeats_in_what_goes_wrong_is_nowhere() {
    let error = |status: u16| Reply::Error(status, repeated());
    let raw = |kind: &str, text: String| Reply::Raw(kind.to_owned(), text);
    // The message is cut off after 300 bytes, in the middle of the key for some of these.
    let cut = (0..40).step_by(5).map(|before| Reply::Error(400, format!("{}{KEY}", "x".repeat(265 + before))));
    let replies = [401, 403, 404, 429, 500, 503].map(error).into_iter().chain(cut).chain([
        raw("application/json", format!("{{\"choices\": [\"{KEY}")),
        raw("application/json", json!({"choices": [], "error": {"message": repeated()}}).to_string()),
        raw("application/json", json!([{"error": {"message": repeated()}}]).to_string()),
        raw(&format!("text/{KEY}"), repeated()),
        raw("text/event-stream", format!("data: {{\"error\": {{\"message\": {}}}}}\n\n", json!(repeated()))),
        raw("text/event-stream", format!("data: {KEY}\n\n")),
        Reply::Turn(String::new(), vec![json!({"id": KEY, "name": KEY, "arguments": KEY})]),
    ]);
    let desk = Desk::bare();
    for (number, reply) in replies.enumerate() {
        let way = Way::ALL[number % Way::ALL.len()];
        let replies = if number % 2 == 0 { vec![repeats(), reply] } else { vec![reply] };
        let _ = run(&desk, way, replies).exits(1);
    }
}

#[test]
fn key_for_this_machine_goes_past_a_proxy() {
    let desk = Desk::bare();
    let server = Echo::serve(vec![exit("done")]);
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for _closed_at_once in proxy.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    let variables =
        [("OPENAI_API_KEY", KEY), ("http_proxy", &address), ("HTTP_PROXY", &address), ("ALL_PROXY", &address)];
    let choice = server.choice();
    let answer = desk.run(&["agent", "run", "desk/agent.toml", "--model", &choice], &variables);
    assert_eq!(asked.load(Ordering::SeqCst), 0, "the key was sent to a proxy");
    assert_eq!(answer.exits(0).json(), "done");
}
