//! A client's roots narrow the operator's grants and never widen them.

use super::world::{SECRET, World, is_error};
use bailiwick_tests::{Mcp, server, text};
use serde_json::{Value, json};

/// A client that answers what it is asked for its roots.
struct Rooted {
    client: Mcp,
    answer: Value,
    /// How often it was asked.
    asked: usize,
}

impl Rooted {
    fn new(client: Mcp, roots: &[String]) -> Self {
        Self { client, answer: answer(roots), asked: 0 }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        let id = self.client.begin("tools/call", params);
        loop {
            let message = self.client.next_message();
            if message["method"] == "roots/list" {
                self.asked += 1;
                let mut reply = json!({ "jsonrpc": "2.0", "id": message["id"] });
                for (name, value) in self.answer.as_object().unwrap() {
                    reply[name.as_str()] = value.clone();
                }
                self.client.send_text(&reply.to_string());
            } else if message["id"] == json!(id) {
                return message["result"].clone();
            }
        }
    }

    fn reads(&mut self, path: &str) -> bool {
        !is_error(&self.call("read_text_file", json!({ "path": path })))
    }
}

fn answer(roots: &[String]) -> Value {
    let roots: Vec<_> = roots.iter().map(|path| json!({ "uri": format!("file://{path}") })).collect();
    json!({ "result": { "roots": roots } })
}

fn with_roots() -> Value {
    json!({ "roots": { "listChanged": true } })
}

#[test]
fn roots_narrow_a_grant_and_changed_roots_narrow_it_anew() {
    let world = World::new().with_links();
    let (inside, outside) = (world.at("allowed/sub/y.py"), world.at("allowed/a.txt"));
    let mut client = Rooted::new(world.ours(with_roots()), &[world.at("allowed/sub")]);
    assert!(client.reads(&inside) && client.reads("allowed/sub/y.py") && !client.reads(&outside));
    assert!(!client.reads("allowed/a.txt") && !client.reads(&world.at("allowed/sub/../a.txt")));
    assert_eq!(client.asked, 1, "asked once and not for every call");
    let listed = client.call("list_allowed_directories", json!({}));
    assert_eq!(text(&listed), format!("Allowed directories:\n{}", world.at("allowed/sub")));

    client.answer = answer(&[world.at("")]);
    client.client.notify("notifications/roots/list_changed", json!({}));
    assert!(client.reads(&inside) && client.reads(&outside));
    assert_eq!(client.asked, 2);
    assert!(!client.reads(&world.at("outside/secret")) && !client.reads("/etc/passwd"));

    client.answer = answer(&[world.at("outside")]);
    client.client.notify("notifications/roots/list_changed", json!({}));
    assert!(!client.reads(&inside) && !client.reads(&outside));

    // No root at all is no narrowing, and no widening either.
    client.answer = answer(&[]);
    client.client.notify("notifications/roots/list_changed", json!({}));
    assert!(client.reads(&inside) && client.reads(&outside) && !client.reads(&world.at("outside/secret")));
}

#[test]
fn roots_outside_every_grant_open_nothing_where_the_reference_server_opens_them() {
    let world = World::new().with_links();
    let secret = world.at("outside/secret");
    let roots = [world.at("outside"), world.at("allowed/to-outside"), world.at("allowed_evil")];
    let mut client = Rooted::new(world.ours(with_roots()), &roots);
    assert!(!client.reads(&secret) && !client.reads(&world.at("allowed/to-outside/secret")));
    assert!(!client.reads(&world.at("allowed/a.txt")), "nothing that was granted is in a root");
    let listed = client.call("list_allowed_directories", json!({})).to_string();
    assert!(listed.contains("is ignored: it lies in no directory that was granted"), "{listed}");
    assert!(!listed.contains(SECRET));

    // The reference server asks when it was greeted, and takes what it is told for what it may use.
    let mut theirs = Rooted::new(world.theirs(with_roots()), &roots);
    let asked = theirs.client.wait_for(|message| message["method"] == "roots/list");
    let mut reply = json!({ "jsonrpc": "2.0", "id": asked["id"] });
    reply["result"] = theirs.answer["result"].clone();
    theirs.client.send_text(&reply.to_string());
    // Its answer to anything shows that it has read the roots; it may take another moment to heed them.
    let escaped = (0..100).any(|_| theirs.reads(&secret));
    assert!(escaped, "the reference server has changed, and docs/reference/file-server.md with it");
}

#[test]
fn client_that_does_not_tell_its_roots_gets_no_directory_unless_the_operator_says_so() {
    let world = World::new();
    let path = world.at("allowed/a.txt");
    let mut client = Rooted::new(world.ours(with_roots()), &[]);
    client.answer = json!({ "error": { "code": -32601, "message": "no" } });
    let refused = client.call("read_text_file", json!({ "path": path }));
    assert!(is_error(&refused) && text(&refused).contains("did not say which"), "{refused:#}");
    // It is asked again, and may have come to its senses.
    client.answer = answer(&[world.at("allowed")]);
    assert!(client.reads(&path));

    let grant = format!("allowed={}", world.at("allowed"));
    let command = server(world.base.path(), &["--grant", &grant, "--client-roots", "ignore"]);
    let mut ignored = Rooted::new(Mcp::over(command, with_roots()), &[]);
    assert!(ignored.reads(&path));
    assert_eq!(ignored.asked, 0);
}

#[test]
fn roots_that_change_with_every_answer_and_roots_that_are_not_told_end_in_an_error_in_time() {
    let world = World::new();
    let path = world.at("allowed/a.txt");
    let mut client = world.ours(with_roots());
    let id = client.begin("tools/call", json!({ "name": "read_text_file", "arguments": { "path": path } }));
    let mut asked = 0;
    let answered = loop {
        let message = client.next_message();
        if message["method"] == "roots/list" {
            asked += 1;
            client.notify("notifications/roots/list_changed", json!({}));
            let mut reply = json!({ "jsonrpc": "2.0", "id": message["id"] });
            reply["result"] = answer(&[world.at("allowed")])["result"].clone();
            client.send_text(&reply.to_string());
        } else if message["id"] == json!(id) {
            break message;
        }
    };
    assert!(text(&answered["result"]).contains("they change with every answer"), "{answered:#}");
    assert_eq!(asked, 4);

    // Eight calls wait for one silence.
    let mut silent = world.ours(with_roots());
    let begin = |client: &mut Mcp| {
        client.begin("tools/call", json!({ "name": "read_text_file", "arguments": { "path": path } }))
    };
    let mut calls: Vec<u64> = (0..8).map(|_| begin(&mut silent)).collect();
    let started = std::time::Instant::now();
    while !calls.is_empty() {
        let message = silent.next_message();
        // A question of the server has a number of its own.
        if message.get("method").is_none() {
            calls.retain(|id| message["id"] != json!(id));
            assert!(text(&message["result"]).contains("it did not answer"), "{message:#}");
        }
    }
    // Eight times five seconds if each waited for its own.
    assert!(started.elapsed() < std::time::Duration::from_secs(25), "{:?}", started.elapsed());
}

#[test]
fn root_that_was_made_anew_is_looked_up_again() {
    let world = World::new();
    let mut client = Rooted::new(world.ours(with_roots()), &[world.at("allowed/sub")]);
    let path = world.at("allowed/sub/y.py");
    assert!(client.reads(&path));
    std::fs::remove_dir_all(world.path("allowed/sub")).unwrap();
    std::fs::create_dir(world.path("allowed/sub")).unwrap();
    std::fs::write(&path, "print(3)\n").unwrap();
    let refused = client.call("read_text_file", json!({ "path": path }));
    assert!(is_error(&refused) && text(&refused).contains("ask again"), "{refused:#}");
    assert_eq!(text(&client.call("read_text_file", json!({ "path": path }))), "print(3)\n");
}
